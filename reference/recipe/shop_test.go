package recipe

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// file is one file of a handmade wheel.
type file struct{ name, text string }

func zipOf(t *testing.T, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f.name)
		if err == nil {
			_, err = w.Write([]byte(f.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// parts of the handmade package.
var packageFiles = []file{
	{"fetched/a.jinja", "{{ bos_token }}é\n"}, {"fetched/a_training.jinja", "{% generation %}"}, {"fetched/m.py", "two = {}"},
	{"../evil", "outside"}, {"/etc/evil", "outside"},
}

// shop is a store whose packages are made here, and what it was asked.
type shop struct {
	*store
	list    *List
	wheel   []byte
	fetches atomic.Int32
	names   []string // of the wheels that a fetch gives
}

func newShop(t *testing.T, files ...file) *shop {
	t.Helper()
	s := &shop{store: storeIn(t.TempDir()), wheel: zipOf(t, files...), names: []string{"fetched-1.2.3-py3-none-any.whl"}}
	sum := sha256.Sum256(s.wheel)
	list, err := Decode([]byte(strings.Replace(goodList, hashText, hex.EncodeToString(sum[:]), 1)), "list.toml")
	if err != nil {
		t.Fatal(err)
	}
	s.list = list
	s.fetch = func(_ context.Context, _ *Package, dir string) error {
		s.fetches.Add(1)
		for _, name := range s.names {
			if err := os.WriteFile(filepath.Join(dir, name), s.wheel, 0o644); err != nil {
				return err
			}
		}
		return nil
	}
	s.installed = func(_ *Package, file string) ([]byte, error) { return []byte("ALL = {}"), nil }
	s.literals = func(_ context.Context, modules []module, wants []want) ([]literal, error) {
		out := make([]literal, len(wants))
		for i, w := range wants {
			out[i].value = value.Members(value.Member{Name: "from", Value: value.String(modules[w.module].text + " " + w.variable + " " + w.key)})
		}
		return out, nil
	}
	return s
}

func (s *shop) must(t *testing.T) []string {
	t.Helper()
	dirs, err := s.ensure(t.Context(), s.list.Recipes)
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}
