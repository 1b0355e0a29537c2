package ci

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/beamdiff/beamdiff/"

// layers in the order in which they may import: each only those before it.
var layers = []string{"harmony", "corpus", "reference", "fuzz", "bench", "ci"}

// Imports point one way (tests may look further up), and what others import depends on the standard library
// and go-json-experiment/json alone. harmony/token with its build tag is the one
// exception by name.
func TestLayout(t *testing.T) {
	for _, p := range packages(t, "./...") {
		from := layerOf(p.path)
		for _, dep := range p.imports {
			if to := layerOf(dep); to > from && from >= 0 {
				t.Errorf("%s imports %s", p.path, dep)
			}
		}
	}
	for _, dep := range goList(t, "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./harmony/...") {
		if !strings.HasPrefix(dep, module+"harmony") && !strings.HasPrefix(dep, "github.com/go-json-experiment/json") {
			t.Errorf("harmony depends on %s", dep)
		}
	}
}

// With its tag, harmony/token alone imports one module more.
func TestLayoutTokenizers(t *testing.T) {
	const library = "github.com/daulet/tokenizers"
	t.Setenv("CGO_ENABLED", "1") // or the files with the tag are left out
	importing := goList(t, "-tags", "tokenizers", "-f", `{{$p := .ImportPath}}{{range .Imports}}{{if eq . "`+library+`"}}{{$p}}{{end}}{{end}}`, "./...")
	if len(importing) != 1 || importing[0] != module+"harmony/token" {
		t.Errorf("%s is imported by %v", library, importing)
	}
	for _, dep := range goList(t, "-tags", "tokenizers", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./harmony/...") {
		if !strings.HasPrefix(dep, module+"harmony") && !strings.HasPrefix(dep, "github.com/go-json-experiment/json") && dep != library {
			t.Errorf("with the tag, harmony depends on %s", dep)
		}
	}
}

// layerOf is the layer of a package of this module; -1 for all others.
func layerOf(path string) int {
	rest, ok := strings.CutPrefix(path, module)
	if !ok {
		return -1
	}
	top, _, _ := strings.Cut(rest, "/")
	for i, layer := range layers {
		if layer == top {
			return i
		}
	}
	return -1
}

type goPackage struct {
	path    string
	imports []string
}

func packages(t *testing.T, pattern string) []goPackage {
	t.Helper()
	var out []goPackage
	for _, line := range goList(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, pattern) {
		fields := strings.Fields(line)
		out = append(out, goPackage{fields[0], fields[1:]})
	}
	if len(out) < 5 {
		t.Fatalf("only %d packages", len(out))
	}
	return out
}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var lines []string
	for _, line := range strings.Split(string(out), "\n") {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// A rule that cannot fail is none: an import the wrong way is seen.
func TestLayerOrder(t *testing.T) {
	if layerOf(module+"harmony/beam") >= layerOf(module+"corpus") || layerOf(module+"ci/beamdiff") <= layerOf(module+"reference/engine") || layerOf("fmt") != -1 {
		t.Error("the layers are not in order")
	}
}
