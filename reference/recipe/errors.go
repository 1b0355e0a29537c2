package recipe

import (
	"fmt"
	"strings"
)

// Error says why a recipe's checkpoint cannot be made although its packages are
// there: they are not what the recipe says.
type Error struct {
	Recipe  string // "" where it is about a package alone
	Package string // name and version
	File    string // within the package, "" for the package itself
	What    string
	Err     error
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Recipe != "" {
		fmt.Fprintf(&b, "public checkpoint %s: ", e.Recipe)
	}
	fmt.Fprintf(&b, "package %s", e.Package)
	if e.File != "" {
		fmt.Fprintf(&b, ", file %s", e.File)
	}
	fmt.Fprintf(&b, ": %s", e.What)
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }
