package reference_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/enginetest"
	"github.com/beamdiff/beamdiff/reference/example"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/worker"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(all{m}) }

// all is every test, and then the end of what they shared.
type all struct{ tests *testing.M }

func (a all) Run() int {
	code := a.tests.Run()
	if opened != nil {
		opened.Close()
	}
	return code
}

// open opens the reference; a machine where it cannot be set up fails the test.
func open(t testing.TB, o reference.Options) engine.Engine {
	e, err := reference.Open(context.Background(), o)
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// shared is one worker over the default checkpoint for all small tests.
var shared = sync.OnceValues(func() (engine.Engine, error) {
	e, err := reference.Open(context.Background(), reference.Options{Workers: 1, Date: "2025-06-01"})
	if err == nil {
		opened = e
	}
	return e, err
})

var opened engine.Engine // what shared opened

func do(t testing.TB, e engine.Engine, op engine.Op, text string) corpus.Outcome {
	t.Helper()
	v, err := value.Loads(text)
	if err != nil {
		t.Fatal(err)
	}
	o, _ := v.AsObject()
	return e.Do(t.Context(), engine.Request{Op: op, Case: o})
}

func say(o corpus.Outcome) string { return reference.Told(o) }

// Template faults that the worker survives or does not.
const (
	endless = `{% for a in range(99999) %}{% for b in range(99999) %}{% set c = a * b %}{% endfor %}{% endfor %}`
	huge    = `{{ 'x' * 4000000000 }}`
	deep    = `{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}`
)

func TestContract(t *testing.T) {
	e := open(t, reference.Options{Workers: 2, Timeout: 2 * time.Second, Memory: 1 << 30})
	template := func(text string) engine.Request {
		return enginetest.Render("x", value.Member{Name: "chat_template", Value: value.String(text)})
	}
	enginetest.Run(t, e,
		enginetest.Fault{Request: template(endless), Want: corpus.Failed, Why: "timed out: no answer within 2s"},
		enginetest.Fault{Request: template(huge), Want: corpus.Failed, Why: "out of memory, with a limit of 1024 MiB"},
		enginetest.Fault{Request: template(deep), Want: corpus.Raised},
	)
}

func TestExampleContract(t *testing.T) {
	env, err := python.Ensure(t.Context(), python.Options{})
	if err != nil {
		t.Fatalf("NOT RUN: %v", err)
	}
	defer env.Close()
	file := filepath.Join(t.TempDir(), "engine with space.py")
	if err := os.WriteFile(file, []byte(example.Source), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := reference.External(fmt.Sprintf("lines='%s' -s -P '%s'", env.Executable(), file), engine.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Run(t, e)
}

// The keys of a case reach the library under their own names, and only those
// that are there.
func TestOperations(t *testing.T) {
	e, err := shared()
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	const (
		show   = `"chat_template": "{{ x is defined }} {{ reasoning_effort }} {{ tools is none }} {{ add_generation_prompt }}"`
		clock  = `"chat_template": "{{ strftime_now('%Y-%m-%d %H:%M:%S') }}"`
		hello  = `"messages": [{"role": "user", "content": "Hi"}]`
		rt     = `"response_template": {"start_anchor": "<a>", "fields": {"content": {"open": "<b>", "close": "</b>"}}}`
		marked = `"chat_template": "{% for m in messages %}{% generation %}é{{ m.content }}{% endgeneration %};{% endfor %}"`
	)
	for _, c := range []struct {
		op         engine.Op
		text, want string
	}{
		{engine.OpRender, `{` + hello + `, ` + show + `}`, `"False  True True"`},
		{engine.OpRender, `{` + hello + `, ` + show + `, "reasoning_effort": null, "tools": []}`, `"False None False True"`},
		{engine.OpRender, `{` + hello + `, ` + show + `, "template_kwargs": {"x": 1}, "reasoning_effort": 1.50, "add_generation_prompt": false}`, `"True 1.5 True False"`},
		{engine.OpRender, `{` + hello + `, "continue_final_message": true, "chat_template": "{{ messages[0].content }} {{ add_generation_prompt }}"}`, `"Hi"`},
		{engine.OpRender, `{` + hello + `, "continue_final_message": true, "add_generation_prompt": true}`, `ValueError: continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when you want the model to continue the final message, and add_generation_prompt when you want to add a header that will prompt it to start a new assistant message instead.`},
		{engine.OpRender, `{` + hello + `, ` + show + `, "reasoning_effort": 1, "template_kwargs": {"reasoning_effort": 2}}`, `TypeError: …`},
		{engine.OpRender, `{` + hello + `, "template_kwargs": []}`, `RequestError: template_kwargs must be an object`},
		{engine.OpRender, `{` + hello + `, "date": "yesterday"}`, `RequestError: date must be a date such as 2026-01-31, with a time if need be: 'yesterday'`},
		{engine.OpRender, `{` + hello + `, ` + clock + `}`, `"2025-06-01 00:00:00"`},
		{engine.OpRender, `{` + hello + `, ` + clock + `, "date": "2024-02-29"}`, `"2024-02-29 00:00:00"`},
		{engine.OpRender, `{` + hello + `, ` + clock + `, "date": "2024-02-29T23:59:58+09:00"}`, `"2024-02-29 23:59:58"`},
		{engine.OpRender, `{"messages": [[{"role": "user", "content": "a batch"}]]}`, `RequestError: messages must be one conversation`},
		{engine.OpRender, `{"messages": [{"role": "user", "content": "\ud800"}], "chat_template": "{{ messages[0].content }}{{ 1e400 }}"}`, `"\ud800inf"`},
		{engine.OpRender, `{` + hello + `, "chat_template": "{{ raise_exception('no') }}"}`, `TemplateError: no`},
		{engine.OpMask, `{"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "bc"}], ` + marked + `}`,
			`{"text": "\u00e9a;\u00e9bc;", "spans": [[0, 2], [3, 6]], "input_ids": [127, 102, 64, 26, 127, 102, 65, 66, 26], "offsets": [[0, 1], [0, 1], [1, 2], [2, 3], [3, 4], [3, 4], [4, 5], [5, 6], [6, 7]], "assistant_masks": [1, 1, 1, 0, 1, 1, 1, 1, 0]}`},
		{engine.OpMask, `{"messages": [{"role": "user", "content": "a\ud800"}], ` + marked + `}`, `{"text": "\u00e9a\ud800;", "spans": [[0, 3]]}`},
		{engine.OpParse, `{"reply": "<b>x</b>", ` + rt + `}`, "ValueError: `parse_response` requires `prefix=`…"},
		{engine.OpParse, `{"reply": "<b>x</b>", "prefix": "", ` + rt + `}`, `{"content": "x"}`},
		{engine.OpParse, `{"reply": "<b>x</b>", "prefix": "", "chunks": 1, ` + rt + `}`, `{"content": "x"}`},
		{engine.OpParse, `{"reply": "b>x</b>", "prefix": "<a><", "chunks": [0, 3, 3], ` + rt + `}`, `{"content": "x"}`},
		{engine.OpParse, `{"reply": "b", "prefix": "", "chunks": [2]}`, `RequestError: chunks must be a number of characters, of ids in a reply of ids, or a rising list of positions in it`},
		{engine.OpParse, `{"reply": "b", "prefix": "", "chunks": 0}`, `RequestError: chunks must be a number of characters, of ids in a reply of ids, or a rising list of positions in it`},
		{engine.OpParse, `{"reply": "b", "prefix": "", "chunks": {"bytes": [1]}}`, `cannot: a Python string cannot be cut between the bytes of a character`},
		{engine.OpParse, `{"reply": 7, "prefix": ""}`, `RequestError: reply must be a string`},
		{engine.OpStream, `{"reply": "", "prefix": "<a><b>", "chunks": 3, ` + rt + `}`,
			`{"initial": [{"type": "region_open", "field": "content"}], "feeds": [[]], "final": [{"type": "region_close", "field": "content", "value": ""}], "message": {}}`},
		{engine.OpStream, `{"reply": "x</b>y", "prefix": "<a><b>", "chunks": [1], ` + rt + `}`,
			`{"initial": [{"type": "region_open", "field": "content"}], "feeds": [[{"type": "region_chunk", "field": "content", "text": "x", "dirty": false}], [{"type": "region_close", "field": "content", "value": "x"}]], "final": [], "message": {"content": "x"}}`},
	} {
		got := say(do(t, e, c.op, c.text))
		start, open := strings.CutSuffix(c.want, "…") // the rest is the library's or Python's own
		if got != c.want && !(open && strings.HasPrefix(got, start)) {
			t.Errorf("%s %s\n got %s\nwant %s", c.op, c.text, got, c.want)
		}
	}
}

// What a checkpoint's code prints or asks does not touch the protocol.
func TestPrints(t *testing.T) {
	e, err := shared()
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	code, _ := value.Members(value.Member{Name: "code", Value: value.String(`
import os, subprocess, sys, warnings
print("seen")
os.write(1, b"garbage\n")
sys.__stdout__.write("more garbage\n")
warnings.warn("garbage")
subprocess.run([sys.executable, "-c", "print('garbage'); input()"], env={})
print(os.environ["BEAM_MODEL_ID"] != "")
input()
`)}).AsObject()
	out := e.Do(t.Context(), engine.Request{Op: worker.OpExec, Case: code})
	if got, want := say(out), `{"output": "seen\nTrue\nEOFError: EOF when reading a line\n"}`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	again, _ := value.Members(value.Member{Name: "code", Value: value.String("print(os.sep == '/' or os.sep)")}).AsObject()
	if got := say(e.Do(t.Context(), engine.Request{Op: worker.OpExec, Case: again})); !strings.Contains(got, "output") || strings.Contains(got, "NameError") {
		t.Errorf("the session was not kept: %s", got)
	}
}

// Any directory opens: what it lacks is lent, and said.
func TestCheckpoints(t *testing.T) {
	const jinja = `{% for m in messages %}{% generation %}{{ m.content }}{{ eos_token }}{% endgeneration %}{% endfor %}`
	const named = `"chat_template": [{"name": "default", "template": "D"}, {"name": "tool_use", "template": "T"}]`
	for _, c := range []struct {
		name               string
		files              map[string]string
		render, mask, note string
	}{
		{"template alone", map[string]string{"chat_template.jinja": jinja}, `"Hi"`, `{"text": "Hi", "spans": [[0, 2]]}`, "no tokenizer in this checkpoint; one is lent: ids"},
		{"no tokenizer", map[string]string{"chat_template.jinja": jinja, "tokenizer_config.json": `{"eos_token": {"__type": "AddedToken", "content": "<E>", "special": true}}`}, `"Hi<E>"`, `{"text": "Hi<E>", "spans": [[0, 5]]}`, "no tokenizer in this checkpoint; one is lent: ids"},
		{"special tokens of old", map[string]string{"chat_template.jinja": jinja, "tokenizer_config.json": `{"eos_token": "<E>"}`, "special_tokens_map.json": `{"eos_token": "<S>"}`}, `"Hi<S>"`, `{"text": "Hi<S>", "spans": [[0, 5]]}`, "no tokenizer in this checkpoint; one is lent: ids"},
		{"special tokens of old that do not count", map[string]string{"chat_template.jinja": jinja, "tokenizer_config.json": `{"eos_token": "<E>", "added_tokens_decoder": {}}`, "special_tokens_map.json": `{"eos_token": "<S>"}`}, `"Hi<E>"`, `{"text": "Hi<E>", "spans": [[0, 5]]}`, "no tokenizer in this checkpoint; one is lent: ids"},
		{"a class that loads without files", map[string]string{"tokenizer_config.json": `{"tokenizer_class": "Qwen2Tokenizer", "eos_token": "<E>", "chat_template": "{{ eos_token }}{{ pad_token }}"}`}, `"<E><|endoftext|>"`, `{"text": "<E><|endoftext|>", "spans": []}`, "no vocabulary in the directory"},
		{"damaged tokenizer", map[string]string{"chat_template.jinja": jinja, "tokenizer.json": "{", "tokenizer_config.json": `{"eos_token": "<E>"}`}, `"Hi<E>"`, `{"text": "Hi<E>", "spans": [[0, 5]]}`, "JSONDecodeError"},
		{"code of its own", map[string]string{"chat_template.jinja": jinja, "tokenizer_config.json": `{"auto_map": {"AutoTokenizer": ["x.Y", null]}}`, "x.py": "raise SystemExit"}, `"Hi"`, `{"text": "Hi", "spans": [[0, 2]]}`, "contains custom code"},
		{"named templates", map[string]string{"tokenizer_config.json": `{` + named + `}`}, `"D"`, `{"text": "D", "spans": []}`, "no tokenizer in this checkpoint; one is lent: ids"},
		{"no templates", map[string]string{"tokenizer_config.json": `{}`}, "ValueError: Cannot use chat template functions", "ValueError: Cannot use chat template functions", "neither a chat template nor a response template"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			e := open(t, reference.Options{Checkpoint: dir, Workers: 1})
			info, err := e.Info(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if notes := strings.Join(info.Notes, "\n"); !strings.Contains(notes, c.note) {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
			if info.Checkpoint != dir || strings.Contains(strings.Join(info.Abilities, " "), "tokens") {
				t.Errorf("checkpoint %q, abilities %q", info.Checkpoint, info.Abilities)
			}
			for op, want := range map[engine.Op]string{engine.OpRender: c.render, engine.OpMask: c.mask} {
				if got := say(do(t, e, op, `{"messages": [{"role": "user", "content": "Hi"}]}`)); !strings.HasPrefix(got, want) {
					t.Errorf("%s: got %s, want %s", op, got, want)
				}
			}
			if c.name == "named templates" {
				if got := say(do(t, e, engine.OpRender, `{"messages": [{"role": "user", "content": "Hi"}], "tools": []}`)); got != `"T"` {
					t.Errorf("with tools: %s", got)
				}
			}
		})
	}
	for name, want := range map[string]string{
		"no/such/directory": `checkpoint "no/such/directory" is neither a directory, nor the name of a public checkpoint`,
		t.TempDir():         "has neither tokenizer_config.json nor chat_template.jinja",
	} {
		e, err := reference.Open(t.Context(), reference.Options{Checkpoint: name})
		if err == nil {
			_, err = e.Info(t.Context())
			e.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// The default checkpoint is named and hashed as package checkpoint does.
func TestDefaultCheckpoint(t *testing.T) {
	e, err := shared()
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	info, err := e.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if info.Checkpoint != checkpoint.DefaultName || info.CheckpointHash != checkpoint.Default().Hash() {
		t.Errorf("%s %s, want %s %s", info.Checkpoint, info.CheckpointHash, checkpoint.DefaultName, checkpoint.Default().Hash())
	}
	for _, v := range info.Versions {
		if v.Version == "" {
			t.Errorf("no version of %s", v.Name)
		}
	}
}
