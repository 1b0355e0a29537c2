package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// tree writes files into a new folder and gives its path.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "suite")
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func ids(cases []Case) string {
	var list []string
	for _, c := range cases {
		list = append(list, c.Suite+":"+c.ID)
	}
	return strings.Join(list, " ")
}

func TestLoad(t *testing.T) {
	dir := tree(t, map[string]string{
		"b.json":           `[{"id": "b1", "reply": ""}, {"id": "b2", "reply": ""}]`,
		"a.json":           `{"id": "a1", "messages": []}`,
		"sub/c.json":       `{"id": "c1", "messages": []}`,
		"x.schema.json":    `{"type": "object"}`,
		"notes.txt":        "not a case",
		"sub/deep/d.jsonl": "not a case",
	})
	lone := tree(t, map[string]string{"my case.json": `{"messages": []}`})
	for _, tt := range []struct {
		paths []string
		want  string
	}{
		{[]string{dir}, "suite:a1 suite:b1 suite:b2 sub:c1"},
		{[]string{filepath.Join(dir, "sub"), filepath.Join(dir, "b.json")}, "sub:c1 suite:b1 suite:b2"},
		{[]string{"-", filepath.Join(lone, "my case.json")}, "stdin:stdin suite:my-case"},
		{nil, ""},
	} {
		cases, err := Load(strings.NewReader(`{"reply": "x"}`), tt.paths...)
		if err != nil || ids(cases) != tt.want {
			t.Errorf("Load(%q) = %s, %v; want %s", tt.paths, ids(cases), err, tt.want)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	dir := tree(t, map[string]string{"a.json": `{"id": "x", "messages": []}`, "b.json": `[{"id": "x", "messages": []}]`})
	broken := tree(t, map[string]string{"ok.json": `{"id": "x", "messages": []}`, "zz.json": `{"id": "y"`})
	noID := tree(t, map[string]string{"a.json": `{"messages": []}`})
	empty := tree(t, map[string]string{"a.txt": ``})
	for _, tt := range []struct {
		path, msg string
		is        error
	}{
		{dir, `b.json: the id "x" is that of a case of ` + filepath.Join(dir, "a.json") + ` too (ids are unique)`, nil},
		{broken, `zz.json: byte 10: is not JSON: Expecting ',' delimiter: line 1 column 11 (char 10)`, nil},
		{noID, `a.json: byte 0: has no "id" (each case of a list or a folder needs one)`, nil},
		{empty, `suite: holds no case (cases stand in *.json files)`, nil},
		{"no/such/file.json", `no/such/file.json: cannot be read: no such file or directory (give a case file, a folder of them, or - for standard input)`, fs.ErrNotExist},
	} {
		_, err := Load(nil, tt.path)
		var e *CaseError
		if !errors.As(err, &e) || !strings.HasSuffix(err.Error(), tt.msg) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("Load(%q): %v; want %s", tt.path, err, tt.msg)
		}
	}
}

func TestLoadFS(t *testing.T) {
	cases, err := LoadFS(fstest.MapFS{"s/a.json": {Data: []byte(`{"id": "a", "messages": []}`)}, "t/b.json": {Data: []byte(`[{"id": "b", "reply": ""}]`)}})
	if err != nil || ids(cases) != "s:a t:b" {
		t.Errorf("%s, %v", ids(cases), err)
	}
}

func TestSelect(t *testing.T) {
	cases := []Case{{ID: "doc/effort/low"}, {ID: "doc/effort/high"}, {ID: "doc/tools/a.b"}, {ID: "x"}}
	for _, tt := range []struct {
		run, skip string
		want, err string
	}{
		{"", "", "doc/effort/low doc/effort/high doc/tools/a.b x", ""},
		{"doc/*/low", "", "doc/effort/low", ""},
		{"doc/**", "", "doc/effort/low doc/effort/high doc/tools/a.b", ""},
		{"**", "doc/effort/*", "doc/tools/a.b x", ""},
		{"*", "", "x", ""},
		{"**/high x", "", "doc/effort/high x", ""},
		{"doc/eff*t/l*", "", "doc/effort/low", ""},
		{"doc/tools/a.b", "", "doc/tools/a.b", ""},
		{"doc/tools/aXb x", "y", "x", `no case has an id that fits "doc/tools/aXb", "y" (list shows the ids)`},
		{"doc", "", "", `no case has an id that fits "doc" (list shows the ids)`},
		{"a b", "", "", "?"},
	} {
		var run []string
		if tt.run == "a b" {
			run = []string{"a b"}
			tt.err = `the pattern "a b" is not one of case ids (names between slashes; * is any text without a slash, ** any text)`
		} else {
			run = strings.Fields(tt.run)
		}
		chosen, err := Select(cases, run, strings.Fields(tt.skip))
		var got []string
		for _, c := range chosen {
			got = append(got, c.ID)
		}
		msg := ""
		if err != nil {
			msg = err.Error()
			if _, ok := err.(*GlobError); !ok {
				t.Errorf("%T is not a *GlobError", err)
			}
		}
		if strings.Join(got, " ") != tt.want || msg != tt.err {
			t.Errorf("Select(run %q, skip %q) = %q, %v; want %s, %s", tt.run, tt.skip, got, err, tt.want, tt.err)
		}
	}
	for _, bad := range []string{"", "a***", "/a", "a//b", "a?b", "é"} {
		if _, err := ParseGlob(bad); err == nil {
			t.Errorf("ParseGlob(%q) takes it", bad)
		}
	}
}

// endless is a device that never ends.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// What has no end, or is far too large, is not read into memory.
func TestLoadTooLarge(t *testing.T) {
	file := filepath.Join(t.TempDir(), "huge.json")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, MaxFile+1); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, filepath.Dir(file), "-"} {
		_, err := Load(endless{}, name)
		var size *SizeError
		var bad *CaseError
		if !errors.As(err, &bad) || !errors.As(err, &size) || !strings.Contains(err.Error(), "more than 256 MiB") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A file that is named holds a case.
func TestLoadEmptyList(t *testing.T) {
	_, err := Load(strings.NewReader(" []\n"), "-")
	if want := "stdin: holds no case (its list is empty)"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
