package ci

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/reference"
)

const soundTemplate = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>\n{% endfor %}"

// hostile is a checkpoint that means harm, or is harm done, and what check must say
// of it.
type hostile struct {
	name     string
	template any               // a text or bytes
	files    map[string]string // further ones
	make     func(t *testing.T, dir string) error
	run      string // the laws that are asked; "" is a quick one
	rule     string // the rule that is broken, "" where the checkpoint is sound
	says     string // part of the message
}

// Those that Go refuses: Python is not even started.
var refused = []hostile{
	{name: "UTF-16", template: []byte("\xff\xfe{\x00{\x00x\x00}\x00}\x00"), rule: "load/files", says: "not valid UTF-8 at byte 0"},
	{name: "Latin-1", template: []byte("caf\xe9"), rule: "load/files", says: "not valid UTF-8 at byte 3"},
	{name: "directory", rule: "load/files", says: "is a directory",
		make: func(_ *testing.T, dir string) error { return os.Mkdir(filepath.Join(dir, templateFile), 0o755) }},
	{name: "link loop", rule: "load/files", says: "symbolic links",
		make: func(_ *testing.T, dir string) error {
			return os.Symlink(templateFile, filepath.Join(dir, templateFile))
		}},
	{name: "dangling link", rule: "load/files", says: "has neither chat_template.jinja nor tokenizer_config.json",
		make: func(_ *testing.T, dir string) error { return os.Symlink("nothing", filepath.Join(dir, templateFile)) }},
	{name: "nothing", rule: "load/files", says: "has neither chat_template.jinja nor tokenizer_config.json"},
	{name: "100 MB", rule: "load/files", says: "is 104857600 bytes long",
		make: func(_ *testing.T, dir string) error {
			path := filepath.Join(dir, templateFile)
			return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 100<<20))
		}},
	{name: "deep JSON", template: soundTemplate, rule: "load/files", says: "nested more than 1000 deep",
		files: map[string]string{"tokenizer_config.json": `{"response_template":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`}},
	{name: "truncated JSON", template: soundTemplate, files: map[string]string{"tokenizer_config.json": `{"x": `}, rule: "load/files", says: "is not JSON"},
}

// Those that Python has to bear, in bounded time and memory.
var borne = []hostile{
	{name: "loops", template: "{% for i in range(90000) %}{% for j in range(90000) %}{% endfor %}{% endfor %}", rule: "load/ends", says: "timed out"},
	{name: "prints gigabytes", template: "{% for i in range(90000) %}{{ 'x' * 90000 }}{% endfor %}", rule: "load/ends", says: "within the limits"},
	{name: "deep response template", template: soundTemplate, rule: "load/opens", says: "RecursionError",
		files: map[string]string{"tokenizer_config.json": `{"response_template":` + strings.Repeat("[", 950) + strings.Repeat("]", 950) + `}`}},
	{name: "duplicate keys and NaN", template: soundTemplate, files: map[string]string{"tokenizer_config.json": `{"eos_token": "a", "eos_token": "</s>", "x": NaN}`}},
	{name: "catastrophic pattern", template: soundTemplate, files: map[string]string{
		"tokenizer_config.json": `{"response_template": {"defaults": {"role": "assistant"}, "start_anchor": "<|a|>", "fields": {"content": {"open_pattern": "(a+)+b", "close": ["<|end|>"], "content": "text"}}}}`}, run: "reply/**", rule: "reply/linear", says: "(a+)+"},
	{name: "code of its own", template: soundTemplate, files: map[string]string{
		"tokenizer_config.json": `{"auto_map": {"AutoTokenizer": ["evil.Evil", "evil.Evil"]}, "tokenizer_class": "Evil"}`,
		"config.json":           `{"auto_map": {"AutoConfig": "evil.Evil"}, "model_type": "evil"}`,
		"evil.py":               "open(__file__ + '.ran', 'w')\nclass Evil: pass\n", "json.py": "open(__file__ + '.ran', 'w')\n"}},
	{name: "a b'\"\n$(touch x)`", template: soundTemplate},
	{name: "not\xfftext", template: soundTemplate},
}

// Those that end by themselves, with one engine for all.
var ended = []hostile{
	{name: "recursion", template: "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", rule: "load/renders", says: "RecursionError"},
	{name: "raises", template: "{{ raise_exception('no') }}", rule: "load/renders", says: "TemplateError: no"},
	{name: "sandbox", template: "{{ ''.__class__.__mro__[1].__subclasses__() }}", rule: "load/renders", says: "SecurityError"},
	{name: "syntax", template: "{% if %}", rule: "load/compiles", says: "TemplateSyntaxError"},
	{name: "laughs", template: "{% macro a(n) %}{% if n %}{{ a(n - 1) }}{{ a(n - 1) }}{% endif %}{% endmacro %}{{ a(60) }}", rule: "load/ends", says: "timed out"},
	{name: "sound", template: soundTemplate},
}

// Each checkpoint ends with the right code and the right finding, in the time that
// its limits give it, and nothing of it was run.
func TestHostile(t *testing.T) {
	for _, h := range append(append([]hostile{}, refused...), borne...) {
		t.Run(strings.ToValidUTF8(h.name, "?"), func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.ContainsAny(h.name, "\n\"\xff") {
				t.Log("the system has no such names")
				return
			}
			dir := filepath.Join(t.TempDir(), h.name)
			h.write(t, dir)
			start := time.Now()
			r, code := checked(t, dir, "--timeout", "1500ms", "--memory", "512", "--run", cmp.Or(h.run, "render/repeatable"), "--jobs", "1", "--strict")
			if took := time.Since(start); took > time.Minute {
				t.Errorf("it took %v", took)
			}
			h.judge(t, r, code)
			if ran, _ := filepath.Glob(filepath.Join(dir, "*.ran")); len(ran) > 0 {
				t.Errorf("code of the checkpoint was run: %v", ran)
			}
		})
	}
}

// One template that does not end costs the others of a run nothing.
func TestHostileTemplates(t *testing.T) {
	dir, remove, err := bare("")
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	e, err := reference.Open(t.Context(), reference.Options{Checkpoint: dir, Workers: 2, Timeout: 1500 * time.Millisecond, Memory: 512 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	c := sweeper(t)
	var templates []publicTemplate
	for _, h := range ended {
		templates = append(templates, publicTemplate{h.name, h.template.(string)})
	}
	reports, err := c.templates(t.Context(), e, templates, "")
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range ended {
		h.judge(t, reports[i], reports[i].ExitCode())
	}
}

// The file of a template alone is held to the same.
func TestHostileFile(t *testing.T) {
	for _, h := range refused {
		if h.files != nil || h.name == "nothing" || h.name == "directory" || strings.Contains(h.name, "link") {
			continue // of a directory, or no file
		}
		dir := t.TempDir()
		h.write(t, dir)
		r, code := checked(t, filepath.Join(dir, templateFile))
		h.judge(t, r, code)
	}
}

func (h hostile) write(t *testing.T, dir string) {
	t.Helper()
	err := os.MkdirAll(dir, 0o755)
	put := func(name string, data []byte) {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
		}
	}
	switch text := h.template.(type) {
	case string:
		put(templateFile, []byte(text))
	case []byte:
		put(templateFile, text)
	}
	for name, text := range h.files {
		put(name, []byte(text))
	}
	if err == nil && h.make != nil {
		err = h.make(t, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (h hostile) judge(t *testing.T, r *report.Report, code int) {
	t.Helper()
	want := report.ExitFailed
	if h.rule == "" {
		want = report.ExitPassed
	}
	if code != want || r.ExitCode() != code {
		t.Errorf("%s: exit code %d, want %d: %s", h.name, code, want, r.Verdict())
	}
	for _, f := range r.Findings {
		if f.Rule == h.rule && strings.Contains(f.Message, h.says) {
			return
		}
	}
	if h.rule != "" {
		t.Errorf("%s: no finding of %s says %q: %+v", h.name, h.rule, h.says, r.Findings)
	}
}

// checked runs the command and reads its report.
func checked(t *testing.T, args ...string) (*report.Report, int) {
	t.Helper()
	var out, errs bytes.Buffer
	code := Main(append([]string{"check", "--format", "json"}, args...), strings.NewReader(""), &out, &errs, os.Environ())
	if !json.Valid(out.Bytes()) {
		t.Fatalf("exit code %d, and no report: %s%s", code, out.String(), errs.String())
	}
	r, err := report.ReadJSON(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return r, code
}
