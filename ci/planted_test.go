package ci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// The cases into which the planted bugs are seen. No other case differs.
const plantedCases = `[
{"id": "hello", "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Héllo!"}, {"role": "user", "content": "Still there?"}], "reasoning_effort": "low"},
{"id": "tools", "messages": [{"role": "user", "content": "x"}], "tools": [{"type": "function", "function": {"name": "f",
  "parameters": {"type": "object", "properties": {"zone": {"type": "string"}, "days": {"type": "integer"}}}}}]},
{"id": "call", "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "thinking": "t",
  "tool_calls": [{"function": {"name": "f", "arguments": {"zone": "é", "days": 2}}}]}]},
{"id": "answer", "prefix": "", "reply": "<|channel|>final<|message|> 4 <|return|>", "want": {"value": {"role": "assistant", "content": " 4 "}}},
{"id": "called", "prefix": "", "reply": " to=f<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name=\"zone\">\né\n</rfl:parameter><|call|>",
  "want": {"value": {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": {"zone": "é"}}}]}}}]`

// plant writes a copy of the default checkpoint with a text in one of its files
// replaced.
func plant(t *testing.T, file, old, new string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "checkpoint")
	if err := checkpoint.Default().Write(dir); err != nil {
		t.Fatal(err)
	}
	if old == "" {
		return dir
	}
	path := filepath.Join(dir, file)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(data), old) == 0 {
		t.Fatalf("%s does not contain %q", file, old)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(data), old, new)), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A bug in the checkpoint is found, in the cases that show it and no others, at
// its very byte. This is the whole gate: the command, the checkpoint's Python,
// the report.
func TestPlantedBugs(t *testing.T) {
	cases := filepath.Join(t.TempDir(), "cases.json")
	if err := os.WriteFile(cases, []byte(plantedCases), 0o644); err != nil {
		t.Fatal(err)
	}
	const template, config = "chat_template.jinja", "tokenizer_config.json"
	tests := []struct {
		name, file, old, new string
		differ               string // ids of the cases that differ
		id, path             string // a case, and where it differs
		after                string // the text of the native prompt that the first differing byte follows
		offset               int    // bytes after that
	}{
		{name: "nothing"},
		{name: "white space", file: template, old: `effort: ' ~ effort ~ '\n\n'`, new: `effort: ' ~ effort ~ ' \n\n'`,
			differ: "hello tools call", id: "hello", path: "$", after: "effort: 32"},
		{name: "a marker", file: template, old: `'<|call|>' if loop.last`, new: `'<|end|>' if loop.last`,
			differ: "call", id: "call", path: "$", after: "</rfl:parameter><|"},
		{name: "an effort value", file: template, old: `'low': 32`, new: `'low': 36`,
			differ: "hello", id: "hello", path: "$", after: "effort: 3"},
		{name: "a type name", file: template, old: `ns.union + ['number']`, new: `ns.union + ['integer']`,
			differ: "tools", id: "tools", path: "$", after: "days?: "},
		{name: "the order of keys", file: template, old: `in arguments.items()`, new: `in arguments | dictsort`,
			differ: "call", id: "call", path: "$", after: `<rfl:parameter name="`},
		{name: "a dropped turn", file: template, old: `{%- if role == 'user' -%}`, new: `{%- if role == 'user' and loop.index0 == 1 -%}{%- elif role == 'user' -%}`,
			differ: "hello", id: "hello", path: "$", after: "<|start|>user<|message|>"},

		{name: "values are stripped", file: config, old: `"strip": false`, new: `"strip": true`,
			differ: "answer", id: "answer", path: "$.content"},
		{name: "a default", file: config, old: `"role": "assistant"`, new: `"role": "assistants"`,
			differ: "answer called", id: "called", path: "$.role", offset: len("assistant")},
		{name: "a tag's pattern", file: config, old: `\\n?</rfl:parameter>`, new: `</rfl:parameter>`,
			differ: "called", id: "called", path: "$.tool_calls[0].function.arguments.zone", offset: len("é")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := plant(t, tt.file, tt.old, tt.new)
			code, out, errs := command(t, "", "diff", cases, "--checkpoint", dir, "--format", "json", "--jobs", "1")
			want := ExitDifferences
			if tt.differ == "" {
				want = ExitSame
			}
			if code != want {
				t.Fatalf("exit %d, want %d\n%s%s", code, want, out, errs)
			}
			report := jsonOf(t, out)
			if got := strings.Join(differing(report), " "); got != tt.differ {
				t.Errorf("the cases that differ are %q, want %q", got, tt.differ)
			}
			if tt.id == "" {
				return
			}
			path, offset := placeOf(t, report, tt.id)
			at := int64(tt.offset)
			if tt.after != "" {
				_, prompt, _ := command(t, caseText(t, tt.id), "render", "-")
				i := strings.Index(prompt, tt.after)
				if i < 0 {
					t.Fatalf("the prompt has no %q:\n%s", tt.after, prompt)
				}
				at += int64(i + len(tt.after))
			}
			if path != tt.path || offset != at {
				t.Errorf("%s differs at %s byte %d, want %s byte %d", tt.id, path, offset, tt.path, at)
			}
		})
	}
}

// differing are the ids of the cases that are not the same.
func differing(report value.Value) (ids []string) {
	list, _ := report.Get("cases").AsArray()
	for _, c := range list.All() {
		if v, _ := c.Get("verdict").AsString(); v != "same" {
			id, _ := c.Get("id").AsString()
			ids = append(ids, id)
		}
	}
	return ids
}

// placeOf is where a case differs in the report: all its pairs that differ say
// the same.
func placeOf(t *testing.T, report value.Value, id string) (path string, offset int64) {
	t.Helper()
	list, _ := report.Get("cases").AsArray()
	for _, c := range list.All() {
		if name, _ := c.Get("id").AsString(); name != id {
			continue
		}
		verdicts, _ := c.Get("verdicts").AsArray()
		for _, v := range verdicts.All() {
			where := v.Get("where")
			if where.IsNull() {
				continue
			}
			p, _ := where.Get("path").AsString()
			at, _ := where.Get("offset").AsInt()
			if path != "" && (p != path || at != offset) {
				t.Errorf("two places: %s byte %d and %s byte %d", path, offset, p, at)
			}
			path, offset = p, at
		}
	}
	return path, offset
}

// caseText is one of plantedCases, less its id.
func caseText(t *testing.T, id string) string {
	t.Helper()
	list, _ := jsonOf(t, plantedCases).AsArray()
	for _, c := range list.All() {
		if name, _ := c.Get("id").AsString(); name == id {
			return value.Dumps(c)
		}
	}
	t.Fatalf("no case %s", id)
	return ""
}

// The verbs of one case say the same through the checkpoint's Python.
func TestReferenceVerbs(t *testing.T) {
	for _, tt := range []struct{ verb, text string }{
		{"render", caseText(t, "call")},
		{"mask", caseText(t, "call")},
		{"parse", caseText(t, "called")},
		{"render", `{"messages": [{"role": "user", "content": "x"}], "reasoning_effort": "none"}`}, // an error
	} {
		code, out, errs := command(t, tt.text, tt.verb, "-")
		code2, out2, errs2 := command(t, tt.text, tt.verb, "-", "--engine", "reference")
		if code != code2 || out != out2 || errs != errs2 {
			t.Errorf("%s %s\nnative:    exit %d, %q, %q\nreference: exit %d, %q, %q", tt.verb, tt.text, code, out, errs, code2, out2, errs2)
		}
	}
}

// What only the reference can do without: a directory with a template and no
// tokenizer.
func TestBareCheckpoint(t *testing.T) {
	dir := plant(t, "", "", "")
	if err := os.Remove(filepath.Join(dir, "tokenizer.json")); err != nil {
		t.Fatal(err)
	}
	cases := filepath.Join(t.TempDir(), "cases.json")
	mask := `,{"id": "mask", "kind": "mask", "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "é"}]}]`
	if err := os.WriteFile(cases, []byte(strings.TrimSuffix(plantedCases, "]")+mask), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := command(t, "", "diff", cases, "--checkpoint", dir, "--jobs", "1")
	if code != ExitSame || !strings.Contains(out, "note: ") || !strings.Contains(out, "same: 6 cases") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}
