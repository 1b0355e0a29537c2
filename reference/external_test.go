package reference

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/reference/engine"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		line    string
		windows bool
		want    []string // nil for an error
	}{
		{"a b  c", false, []string{"a", "b", "c"}},
		{" a\tb ", false, []string{"a", "b"}},
		{`a 'b c' "d e"`, false, []string{"a", "b c", "d e"}},
		{`a'b'"c"d`, false, []string{"abcd"}},
		{`a ''`, false, []string{"a", ""}},
		{`a\ b \'`, false, []string{"a b", "'"}},
		{`"a\"b" 'c\d'`, false, []string{`a"b`, `c\d`}},
		{`--x=y $HOME *`, false, []string{"--x=y", "$HOME", "*"}},
		{`C:\bin\x.exe "D:\a b\" '"'`, true, []string{`C:\bin\x.exe`, `D:\a b\`, `"`}},
		{"", false, []string{}},
		{`a "b`, false, nil},
		{`a \`, false, nil},
	} {
		got, err := split(c.line, c.windows)
		if (err != nil) != (c.want == nil) || !slices.Equal(got, c.want) {
			t.Errorf("%q windows=%v: %q %v, want %q", c.line, c.windows, got, err, c.want)
		}
	}
}

func TestExternalErrors(t *testing.T) {
	for _, spec := range []string{"", "name", "=go", "x y=go", "x\ny=go", "x=", "x=  ", "x=no-such-program-here", `x=go "`} {
		_, err := External(spec, engine.Options{})
		var bad *SpecError
		if !errors.As(err, &bad) {
			t.Errorf("%q: %v, want a *SpecError", spec, err)
		}
	}
}

func ExampleExternal() {
	_, err := External("mine", engine.Options{})
	fmt.Println(err)
	// Output: engine "mine": it must be name=command args…
}
