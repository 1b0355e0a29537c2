package recipe

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/python"
)

// Literals have the value that Python gives them; all else has none, and says
// why. Nothing is run.
func TestReadLiterals(t *testing.T) {
	env, err := python.Ensure(t.Context(), python.Options{})
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	defer env.Close()
	ran := filepath.Join(t.TempDir(), "ran")
	type row struct{ text, key, want string }
	rows := []row{
		{`v = {"a": [1, -2.5, True, None], "é": "x" "y"}`, "", `{"a": [1, -2.5, true, null], "\u00e9": "xy"}`},
		{"v: dict = {\"a\": r\"\\s*\"}\n", "", `{"a": "\\s*"}`},
		{"a = 'x'\nb = rf\"[{a}{{]\"\nv = {'p': b + '!'}", "", `{"p": "[x{]!"}`},
		{"a = 'x'\nfor _ in range(3):\n    a = f'({a})'\nv = {'p': a}", "", `{"p": "(((x)))"}`},
		{"v = {'p': 1 if NEW else 2}", "", `{"p": 1}`},
		{"NEW = False\nv = {'p': 1 if NEW else 2}", "", `{"p": 1}`}, // what is given holds
		{"v = {('one', 'two'): {'p': 1}, ('three',): {'p': 2}}", "two", `{"p": 1}`},
		{"v = {'one': {'p': 1}}", "one", `{"p": 1}`},
		{"v = 1\nv = {'p': 2}", "", `{"p": 2}`},
		{"if True:\n    w = 1\nv = {'p': 2}", "", `{"p": 2}`},

		{"w = 1", "", "v has no value that can be read (the module does not assign it)"},
		{"v = open(" + value.Dumps(value.String(ran)) + ", 'w')", "", "line 1: Call is no literal"},
		{"import os\nv = {'p': os.name}", "", "line 2: Attribute is no literal"},
		{"v = {'p': 1}\ndef f(): pass\ndef v(): pass", "", "line 3: v is assigned by something else"},
		{"v = {'p': 1}\nif NEW:\n    v = 2", "", "line 2: v is assigned by something else"},
		{"v = {'p': 1}\nimport v", "", "line 2: v is assigned by something else"},
		{"v = {'p': 1}\nfrom x import y as v", "", "line 2: v is assigned by something else"},
		{"v = {'p': 1}\ndel v", "", "line 2: v is assigned by something else"},
		{"v = {'p': 1}\nv |= {'q': 2}", "", "line 2: v is assigned by something else"},
		{"v = w = {'p': 1}", "", "line 1: v is assigned by something else"},
		{"for i in range(1000):\n    v = {'p': i}", "", "line 1: v is assigned by something else"},
		{"v = {**{}}", "", "a dict that takes over another"},
		{"v = {'p': 1, 'p': 2}", "", "stands there twice"},
		{"v = {1: 2}", "", "is no text"},
		{"v = {'p': (1, 2)}", "", "a tuple is no value"},
		{"v = {('p',): 1}", "", "a key is no text"},
		{"v = {'p': f'{1!r}'}", "", "a conversion in an f-string"},
		{"v = {'p': f'{1}'}", "", "only texts are put together"},
		{"v = {'p': 1 + 2}", "", "only texts are put together"},
		{"v = {'p': 1 if 2 else 3}", "", "a condition must be True or False"},
		{"v = {'p': b'x'}", "", "Constant is no literal"},
		{"v = {'p': [x for x in 'ab']}", "", "ListComp is no literal"},
		{"a = 'x' + 'y'\n" + strings.Repeat("a = a + a\n", 30) + "v = {'p': a}", "", "a text of more than"},
		{"v = {'one': 1}", "two", "v has no key 'two'"},
	}
	var modules []module
	var wants []want
	for i, r := range rows {
		modules = append(modules, module{text: r.text, given: map[string]bool{"NEW": true}})
		wants = append(wants, want{module: i, variable: "v", key: r.key})
	}
	got, err := readLiterals(t.Context(), env, modules, wants)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if got[i].why == "" && value.Dumps(got[i].value) != r.want || !strings.Contains(r.want, "{") && !strings.Contains(got[i].why, r.want) ||
			strings.HasPrefix(r.want, "{") && got[i].why != "" {
			t.Errorf("%s\ngot  %s %s\nwant %s", r.text, value.Dumps(got[i].value), got[i].why, r.want)
		}
	}
	if _, err := os.Lstat(ran); err == nil {
		t.Error("a module was run")
	}
	// A text that is no module at all.
	if _, err := readLiterals(t.Context(), env, []module{{text: "v = ("}}, nil); err == nil || !strings.Contains(err.Error(), "SyntaxError") {
		t.Errorf("got %v", err)
	}
}
