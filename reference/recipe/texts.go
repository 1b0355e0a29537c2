package recipe

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/reference/python"
)

// Text is a file of a package.
type Text struct {
	File string // within the wheel, with slashes
	Text string
}

// Texts gives the files of a package's wheel whose names have an ending, by name.
// The wheel is fetched into the cache folder where it is not there; its hash is
// checked. The error is a *python.SetupError or an *Error: one that is no UTF-8
// too.
func Texts(ctx context.Context, env *python.Env, o python.Options, p *Package, ending string) ([]Text, error) {
	s := openStore(env, o)
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	w, err := s.openWheel(ctx, p)
	if err != nil {
		return nil, err
	}
	defer w.close()
	var out []Text
	for _, f := range w.files.File {
		if !strings.HasSuffix(f.Name, ending) {
			continue
		}
		data, err := w.read(f.Name)
		if err != nil {
			return nil, err
		}
		if bad := harmony.CheckUTF8("the file", string(data)); bad != nil {
			return nil, &Error{Package: p.String(), File: f.Name, What: "is no text", Err: bad}
		}
		out = append(out, Text{f.Name, string(data)})
	}
	slices.SortFunc(out, func(a, b Text) int { return cmp.Compare(a.File, b.File) })
	return out, nil
}
