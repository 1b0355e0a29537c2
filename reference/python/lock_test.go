package python

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
)

// zeros is a sha256 in hex, good for a lock of a test.
var zeros = strings.Repeat("0", 64)

func TestDefaultLockIsPinned(t *testing.T) {
	lock := DefaultLock()
	requirements, err := lock.Requirements()
	if err != nil {
		t.Fatal(err)
	}
	for _, sign := range []string{"://", " @ ", "--index", "--find-links", "--extra"} {
		if strings.Contains(string(lock.Text), sign) {
			t.Errorf("the lock holds %q", sign)
		}
	}
	byName := map[string]Requirement{}
	for _, r := range requirements {
		if len(r.Hashes) == 0 {
			t.Errorf("%s has no hash", r.Name)
		}
		byName[r.Name] = r
	}
	for _, name := range []string{"torch", "pip"} {
		if _, ok := byName[name]; ok {
			t.Errorf("the lock holds %s", name)
		}
	}
	// A compiled package has a wheel for each of the five platforms at least.
	for _, name := range []string{"tokenizers", "regex", "numpy", "markupsafe", "pyyaml", "safetensors"} {
		if n := len(byName[name].Hashes); n < 5 {
			t.Errorf("%s has %d wheels, want 5 or more", name, n)
		}
	}
	if got := byName["colorama"].Marker; got != `sys_platform == "win32"` {
		t.Errorf("colorama has the marker %q", got)
	}
}

func TestDefaultLockHoldsWhatWasAsked(t *testing.T) {
	asked, err := os.ReadFile("requirements.in")
	if err != nil {
		t.Fatal(err)
	}
	requirements, err := DefaultLock().Requirements()
	if err != nil {
		t.Fatal(err)
	}
	locked := map[string]bool{}
	for _, r := range requirements {
		locked[r.Name+"=="+r.Version] = true
	}
	n := 0
	for line := range strings.Lines(string(asked)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		n++
		if !locked[line] {
			t.Errorf("requirements.in asks for %s, the lock has no such line", line)
		}
	}
	if n == 0 {
		t.Error("requirements.in asks for nothing")
	}
}

func TestModuleVersionIsThatOfGoMod(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if want := "github.com/kluctl/go-embed-python " + moduleVersion; !strings.Contains(string(mod), want) {
		t.Errorf("go.mod does not hold %q", want)
	}
	if !strings.HasPrefix(moduleVersion, "v0.0.0-"+Version+"-") {
		t.Errorf("%s is not of CPython %s", moduleVersion, Version)
	}
}

func TestRequirements(t *testing.T) {
	ones := strings.Repeat("1", 64)
	text := "# a comment\n\nalpha-one==1.0 \\\n    --hash=sha256:" + zeros + " \\\n    --hash=sha256:" + ones +
		"\nbeta==2!1.0+local ; sys_platform == \"win32\" \\\n    --hash=sha256:" + ones + "\n"
	got, err := Lock{Text: []byte(text)}.Requirements()
	if err != nil {
		t.Fatal(err)
	}
	want := []Requirement{
		{Name: "alpha-one", Version: "1.0", Hashes: []string{zeros, ones}},
		{Name: "beta", Version: "2!1.0+local", Marker: `sys_platform == "win32"`, Hashes: []string{ones}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestRequirementsRefuses(t *testing.T) {
	good := "alpha==1.0 --hash=sha256:" + zeros + "\n"
	for _, c := range []struct {
		name, text string
		line       int
	}{
		{"nothing", "# only a comment\n", 1},
		{"an open version", good + "beta>=1 --hash=sha256:" + zeros, 2},
		{"a wildcard", good + "beta==1.* --hash=sha256:" + zeros, 2},
		{"no hash", good + "\nbeta==1", 3},
		{"another hash", good + "beta==1 --hash=md5:" + zeros[:32], 2},
		{"a short hash", good + "beta==1 --hash=sha256:" + zeros[:62], 2},
		{"an address", good + "beta @ https://example.invalid/beta.whl --hash=sha256:" + zeros, 2},
		{"an option", "--index-url https://example.invalid\n" + good, 1},
		{"an option after a package", "alpha==1.0 --pre --hash=sha256:" + zeros, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Lock{Text: []byte(c.text)}.Requirements()
			var lockErr *LockError
			if !errors.As(err, &lockErr) || lockErr.Line != c.line {
				t.Fatalf("got %v, want a *LockError of line %d", err, c.line)
			}
		})
	}
}

func TestEnvironmentNameFollowsTheLock(t *testing.T) {
	a, b := Lock{Name: "a", Text: []byte("x")}, Lock{Name: "a", Text: []byte("y")}
	if environmentName(a) == environmentName(b) {
		t.Error("two locks, one name")
	}
	a.Name = "b"
	b.Text = a.Text
	if environmentName(a) != environmentName(b) {
		t.Error("one text, two names")
	}
}
