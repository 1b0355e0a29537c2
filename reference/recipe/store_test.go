package recipe

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/python"
)

func TestEnsure(t *testing.T) {
	s := newShop(t, packageFiles...)
	if _, err := s.find(s.list.Recipes[0]); err == nil || err.(*python.DamageError).Path != "." {
		t.Errorf("before: %v", err)
	}
	dirs := s.must(t)
	for i, r := range s.list.Recipes {
		if dir, err := s.find(r); err != nil || dir != dirs[i] || filepath.Base(dir) != r.folder() {
			t.Errorf("%s: %s, %v", r.Name, dir, err)
		}
	}
	c, err := checkpoint.Load(dirs[0])
	if err != nil {
		t.Fatal(err)
	}
	from, _ := c.ResponseTemplate.Get("from").AsString()
	if len(c.Templates) != 1 || c.Templates[0].Text != "{{ bos_token }}é\n" || from != "ALL = {} ALL one" || c.SpecialTokens["bos_token"] != "<s>" {
		t.Errorf("got %+v", c)
	}
	if c, err = checkpoint.Load(dirs[1]); err != nil || c.Templates[0].Text != "{% generation %}" {
		t.Errorf("the training variant is %+v, %v", c, err)
	}
	if c, err = checkpoint.Load(dirs[2]); err != nil || len(c.Templates) != 0 || c.ResponseTemplate.IsNull() {
		t.Errorf("without a chat template: %+v, %v", c, err)
	}
	s.must(t)
	if n := s.fetches.Load(); n != 1 {
		t.Errorf("%d fetches of one package", n)
	}
	// Nothing of the wheel is ever a path.
	for _, evil := range []string{filepath.Join(s.dir, "..", "evil"), filepath.Join(s.dir, "evil"), "/etc/evil"} {
		if _, err := os.Lstat(evil); err == nil {
			t.Errorf("%s was written", evil)
		}
	}
	// Only what belongs there is left.
	entries, _ := os.ReadDir(s.dir)
	if len(entries) != 5 {
		t.Errorf("the store holds %v", entries)
	}
}

// Damage is seen and mended, without another fetch while the wheel is whole.
func TestDamage(t *testing.T) {
	for _, c := range []struct {
		name    string
		damage  func(s *shop, dir string) error
		fetches int32
	}{
		{"a changed file", func(_ *shop, dir string) error {
			return os.WriteFile(filepath.Join(dir, chatFile), []byte("other"), 0o644)
		}, 1},
		{"a file that went", func(_ *shop, dir string) error { return os.Remove(filepath.Join(dir, configFile)) }, 1},
		{"a file that came", func(_ *shop, dir string) error {
			return os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte("{}"), 0o644)
		}, 1},
		{"a folder that came", func(_ *shop, dir string) error {
			return os.Mkdir(filepath.Join(dir, "additional_chat_templates"), 0o755)
		}, 1},
		{"no manifest", func(_ *shop, dir string) error { return os.Remove(filepath.Join(dir, manifestName)) }, 1},
		{"a cut manifest", func(_ *shop, dir string) error { return os.Truncate(filepath.Join(dir, manifestName), 30) }, 1},
		{"no folder, damaged wheel", func(s *shop, dir string) error {
			return errors.Join(os.RemoveAll(dir), os.Truncate(s.store.wheel(s.list.Packages[0]), 50))
		}, 2},
		{"no folder, no wheel, a killed run", func(s *shop, dir string) error {
			return errors.Join(os.RemoveAll(dir), os.Remove(s.store.wheel(s.list.Packages[0])), os.MkdirAll(filepath.Join(s.dir, ".new-1", "x"), 0o755))
		}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShop(t, packageFiles...)
			dir := s.must(t)[0]
			before, err := checkpoint.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.damage(s, dir); err != nil {
				t.Fatal(err)
			}
			if _, err := s.find(s.list.Recipes[0]); err == nil {
				t.Fatal("the damage is not seen")
			}
			after, err := checkpoint.Load(s.must(t)[0])
			if err != nil || after.Hash() != before.Hash() {
				t.Errorf("not mended: %v", err)
			}
			if n := s.fetches.Load(); n != c.fetches {
				t.Errorf("%d fetches", n)
			}
			if left, _ := filepath.Glob(filepath.Join(s.dir, newPrefix+"*")); len(left) > 0 {
				t.Errorf("it left %q", left)
			}
		})
	}
}

// What is wrong with a package is an *Error that names it, and leaves no folder.
func TestWrongPackages(t *testing.T) {
	failed := &python.SetupError{Kind: python.NoNetwork, Step: python.StepFetch}
	for _, c := range []struct {
		name   string
		files  []file
		change func(*shop)
		want   string
	}{
		{"a file is missing", packageFiles[1:], nil, "public checkpoint one.2-x: package fetched 1.2.3, file fetched/a.jinja: is not in the wheel"},
		{"a file stands twice", append([]file{{"fetched/a.jinja", "x"}}, packageFiles...), nil, "stands twice"},
		{"no UTF-8", append([]file{{"fetched/a.jinja", "\xff"}}, packageFiles[1:]...), nil, "is no text"},
		{"a large file", append([]file{{"fetched/a.jinja", strings.Repeat("x", fileLimit+1)}}, packageFiles[1:]...), nil, "larger than the limit"},
		{"other bytes", packageFiles, func(s *shop) { s.wheel = append(s.wheel, 0) }, "package fetched 1.2.3: the wheel is not the one that the list names: its sha256 is"},
		{"two wheels", packageFiles, func(s *shop) { s.names = []string{"a.whl", "b.whl"} }, "another number of wheels than one"},
		{"no wheel", packageFiles, func(s *shop) { s.names = nil }, "another number of wheels than one"},
		{"no literal", packageFiles, func(s *shop) {
			s.literals = func(context.Context, []module, []want) ([]literal, error) {
				return []literal{{why: "line 3: Call is no literal"}, {}}, nil
			}
		}, "file here/m.py: line 3: Call is no literal"},
		{"no dict", packageFiles, func(s *shop) {
			s.literals = func(context.Context, []module, []want) ([]literal, error) {
				return []literal{{value: value.Int(3)}, {}}, nil
			}
		}, "ALL is no dict"},
		{"the installed package is another", packageFiles, func(s *shop) {
			s.installed = func(p *Package, _ string) ([]byte, error) {
				return nil, &Error{Package: p.String(), What: "the environment has here 4.6"}
			}
		}, "public checkpoint one.2-x: package here 4.5: the environment has here 4.6"},
		{"no network", packageFiles, func(s *shop) { s.fetch = func(context.Context, *Package, string) error { return failed } }, "no package index in reach"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShop(t, c.files...)
			if c.change != nil {
				c.change(s)
			}
			_, err := s.ensure(t.Context(), s.list.Recipes)
			var wrong *Error
			if !(errors.As(err, &wrong) || errors.Is(err, failed)) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %s", err, c.want)
			}
			if left, _ := filepath.Glob(filepath.Join(s.dir, "*-*")); len(left) > 0 {
				t.Errorf("it left %q", left)
			}
			if left, _ := filepath.Glob(filepath.Join(s.dir, newPrefix+"*")); len(left) > 0 {
				t.Errorf("it left %q", left)
			}
		})
	}
}

// A zip that is none, with the hash that the list has.
func TestNoZip(t *testing.T) {
	s := newShop(t)
	path := filepath.Join(t.TempDir(), "x.whl")
	if err := os.WriteFile(path, []byte("no zip"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := *s.list.Packages[0]
	p.SHA256 = fmt.Sprintf("%x", sha256.Sum256([]byte("no zip")))
	var wrong *Error
	if _, err := openWheel(&p, path); !errors.As(err, &wrong) || wrong.What != "the wheel cannot be read" {
		t.Errorf("got %v", err)
	}
}

// Several runs at once fetch once, and each finds whole checkpoints.
func TestSideBySide(t *testing.T) {
	s := newShop(t, packageFiles...)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			other := *s.store
			if dirs, err := other.ensure(t.Context(), s.list.Recipes); err != nil || len(dirs) != 3 {
				t.Errorf("%q, %v", dirs, err)
			}
		})
	}
	wg.Wait()
	if n := s.fetches.Load(); n != 1 {
		t.Errorf("%d fetches", n)
	}
}

// A run that is canceled while another works gives up its wait.
func TestCanceledWait(t *testing.T) {
	s := newShop(t, packageFiles...)
	unlock, err := s.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.ensure(ctx, s.list.Recipes)
	var setup *python.SetupError
	if !errors.As(err, &setup) || setup.Kind != python.Canceled {
		t.Errorf("got %v", err)
	}
}

// Prune keeps what the list needs, and nothing else.
func TestPrune(t *testing.T) {
	s := newShop(t, packageFiles...)
	s.must(t)
	cache := filepath.Dir(s.dir)
	if removed, err := Prune(t.Context(), cache, s.list); err != nil || len(removed) != 0 {
		t.Errorf("removed %q, %v", removed, err)
	}
	first := s.list.Recipes[0].folder()
	shorter := &List{Recipes: s.list.Recipes[1:]} // and no package
	removed, err := Prune(t.Context(), cache, shorter)
	if err != nil || len(removed) != 2 || removed[0] != first || !strings.HasSuffix(removed[1], ".whl") {
		t.Errorf("removed %q, %v", removed, err)
	}
	if _, err := s.find(s.list.Recipes[1]); err != nil {
		t.Error(err)
	}
	s.must(t)
	if n := s.fetches.Load(); n != 2 {
		t.Errorf("%d fetches", n)
	}
}
