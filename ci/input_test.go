package ci

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// command runs the command in this process.
func command(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(args, strings.NewReader(stdin), &out, &errs, []string{"NO_COLOR=1"})
	return code, out.String(), errs.String()
}

// A wrong type in any field of a case is an error that names the field, exit 2.
func TestWrongTypes(t *testing.T) {
	values := map[string]string{"null": "null", "boolean": "true", "integer": "1", "float": "1.5", "string": `"x"`, "array": `[1]`, "object": `{"x": 1}`}
	fields := []struct{ kind, field, allowed string }{
		{"render", "id", "string"},
		{"render", "source", "string"},
		{"render", "why", "string"},
		{"render", "format", "string"},
		{"render", "domain", ""},
		{"render", "kind", ""},
		{"render", "checkpoint", "string"},
		{"render", "checkpoint_hash", ""},
		{"render", "decision", ""},
		{"render", "want", ""},
		{"render", "messages", ""},
		{"render", "template_kwargs", "null object"},
		{"render", "date", ""},
		{"render", "chat_template", "null string"},
		{"parse", "reply", "string"},
		{"parse", "prefix", "null string"},
		{"parse", "stop", "null"},
		{"parse", "chunks", "null integer array"},
	}
	base := map[string]string{
		"render": `"messages": [{"role": "user", "content": "x"}]`,
		"parse":  `"reply": "x", "prefix": ""`,
	}
	for _, f := range fields {
		for kind, v := range values {
			if strings.Contains(" "+f.allowed+" ", " "+kind+" ") {
				continue
			}
			t.Run(f.field+"="+kind, func(t *testing.T) {
				var text string
				switch f.field {
				case "messages":
					text = fmt.Sprintf(`{"messages": %s}`, v)
				case "reply":
					text = fmt.Sprintf(`{"reply": %s, "prefix": ""}`, v)
				case "prefix":
					text = fmt.Sprintf(`{"reply": "x", "prefix": %s}`, v)
				default:
					text = fmt.Sprintf(`{%s, "%s": %s}`, base[f.kind], f.field, v)
				}
				code, out, errs := command(t, text, "diff", "-", "--engine", "native")
				if code != ExitUsage || out != "" || !strings.Contains(errs, f.field) {
					t.Errorf("%s: exit %d, stdout %q, stderr %q", text, code, out, errs)
				}
			})
		}
	}
}

// Whatever is wrong inside a request is an outcome, never a panic.
func TestOddRequests(t *testing.T) {
	odd := []string{"null", "true", "1", "1.5", `"x"`, `[]`, `[1]`, `{}`, `{"x": 1}`, `"\ud800"`, `{"function": null}`, `[{"type": 1}]`, `[{"function": {"name": 1}}]`}
	keys := []string{"role", "content", "reasoning_content", "thinking", "reasoning", "tool_calls", "name", "tool_call_id"}
	for _, v := range odd {
		for _, key := range keys {
			text := fmt.Sprintf(`{"messages": [{"role": "assistant", "content": "x", "tool_calls": []}, {"role": "assistant", "%s": %s}]}`, key, v)
			if key == "role" {
				text = fmt.Sprintf(`{"messages": [{"role": %s}]}`, v)
			}
			for _, verb := range []string{"render", "mask"} {
				if code, _, errs := command(t, text, verb, "-"); code > ExitUsage {
					t.Errorf("%s %s: exit %d, %s", verb, text, code, errs)
				}
			}
		}
		for _, key := range []string{"tools", "reasoning_effort", "model_identity", "builtin_tools", "allow_missing_thinking", "add_generation_prompt", "continue_final_message", "template_kwargs"} {
			text := fmt.Sprintf(`{"messages": [{"role": "user", "content": "x"}], "%s": %s}`, key, v)
			if code, _, errs := command(t, text, "render", "-"); code > ExitUsage {
				t.Errorf("render %s: exit %d, %s", text, code, errs)
			}
		}
		for _, key := range []string{"tools", "stop", "chunks", "response_template"} {
			text := fmt.Sprintf(`{"reply": "<|channel|>final<|message|>x", "prefix": "", "%s": %s}`, key, v)
			if code, _, errs := command(t, text, "parse", "-", "--problems", "--events", "--lenient"); code > ExitUsage {
				t.Errorf("parse %s: exit %d, %s", text, code, errs)
			}
		}
	}
}

// An output that cannot be written leaves the old file as it was.
func TestWriteAtomic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.txt")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	full := fmt.Errorf("no room")
	if err := writeAtomic(path, func(w io.Writer) error {
		w.Write([]byte("half"))
		return full
	}); err != full {
		t.Errorf("error %v", err)
	}
	data, _ := os.ReadFile(path)
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	if string(data) != "old" || len(left) > 0 {
		t.Errorf("the file is %q, beside it %q", data, left)
	}
}

// What names and messages hold is shown, never obeyed by a terminal; wrong use
// is told in one line.
func TestPrintableErrors(t *testing.T) {
	code, _, errs := command(t, "", "render", "no\nsuch\x1b[31m\u0085.json")
	if want := `beamdiff: no\nsuch\u001b[31m\u0085.json cannot be read`; code != ExitUsage || !strings.HasPrefix(errs, want) {
		t.Errorf("exit %d, %q, want %q", code, errs, want)
	}
	code, _, errs = command(t, `{"messages":[{"role":"\u001b[31m\ud800"}]}`, "render", "-")
	if code != ExitDifferences || strings.ContainsAny(errs, "\x1b\xed") {
		t.Errorf("exit %d, %q", code, errs)
	}
}

// A file that cannot be written is told before the work, not after it.
func TestUnwritableOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("x", 300))
	code, _, errs := command(t, `{"messages":[{"role":"user","content":"x"}]}`, "diff", "-", "--engine", "native", "--out", path)
	if code != ExitUsage || !strings.Contains(errs, "cannot be written") {
		t.Errorf("exit %d, %q", code, errs)
	}
}
