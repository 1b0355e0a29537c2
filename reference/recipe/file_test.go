package recipe

import (
	"errors"
	"strings"
	"testing"
)

// A file of a package is read from its wheel, which is fetched once and checked.
func TestFile(t *testing.T) {
	s := newShop(t, packageFiles...)
	from := Source{Package: s.list.Packages[0], File: "fetched/m.py"}
	if from.Package.Installed() {
		from.Package = s.list.Packages[1]
	}
	for range 2 {
		if text, err := s.file(t.Context(), from); err != nil || string(text) != "two = {}" {
			t.Errorf("%q, %v", text, err)
		}
	}
	if n := s.fetches.Load(); n != 1 {
		t.Errorf("%d fetches", n)
	}
	wrong := *from.Package
	wrong.Version, wrong.SHA256 = "1.2.4", strings.Repeat("0", 64)
	for what, from := range map[string]Source{
		"is not in the wheel":                          {Package: from.Package, File: "fetched/none.py"},
		"the wheel is not the one that the list names": {Package: &wrong, File: from.File},
	} {
		_, err := s.file(t.Context(), from)
		if e := (*Error)(nil); !errors.As(err, &e) || e.What != what {
			t.Errorf("%s: %v", what, err)
		}
	}
}
