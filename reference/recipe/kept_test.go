package recipe

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A kept file is fetched once, put in place of another one, and never another file
// than its hash says.
func TestKept(t *testing.T) {
	s := newShop(t, packageFiles...)
	from := Source{Package: s.list.Packages[0], File: "fetched/m.py"}
	if from.Package.Installed() {
		from.Package = s.list.Packages[1]
	}
	const text = "two = {}"
	k := Kept{from, "kept.py", fmt.Sprintf("%x", sha256.Sum256([]byte(text)))}
	dir := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(dir, k.Name)
	for range 2 {
		for range 2 {
			if err := k.keep(t.Context(), s.store, dir); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
			t.Errorf("%v, %v", list, err)
		}
		if err := os.WriteFile(path, []byte("damaged"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.fetches.Load(); n != 1 {
		t.Errorf("%d fetches", n)
	}
	k.SHA256 = fmt.Sprintf("%x", sha256.Sum256(nil))
	err := k.keep(t.Context(), s.store, dir)
	if e := (*Error)(nil); !errors.As(err, &e) || e.What != "has another sha256 than "+k.SHA256 {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "damaged" {
		t.Errorf("%q, %v", got, err)
	}
}
