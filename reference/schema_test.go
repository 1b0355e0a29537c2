package reference_test

import (
	"bufio"
	"io"
	"os/exec"
	"path"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/reference/example"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/schema"
	"github.com/beamdiff/beamdiff/reference/worker"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas compiles the protocol's schemas, by file name.
func schemas(t *testing.T) map[string]*jsonschema.Schema {
	c := jsonschema.NewCompiler()
	files, err := schema.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*jsonschema.Schema{}
	for _, f := range files {
		text, err := schema.Files.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
		if err := c.AddResource(f.Name(), doc); err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
	}
	for _, f := range files {
		s, err := c.Compile(f.Name())
		if err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
		out[path.Base(f.Name())] = s
	}
	return out
}

func validate(s *jsonschema.Schema, text string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// The schemas hold for what the worker and the example engine really read and
// write, and the requests here are examples of each operation.
func TestSchemas(t *testing.T) {
	env, err := python.Ensure(t.Context(), python.Options{})
	if err != nil {
		t.Fatalf("NOT RUN: %v", err)
	}
	defer env.Close()
	dir := t.TempDir()
	ask := func(op, rest string) [2]string {
		return [2]string{op, `{"v": 1, "id": 7, "op": "` + op + `"` + rest + `}`}
	}
	requests := [][2]string{
		ask("info", ""),
		ask("render", `, "case": {"messages": []}`), // nothing is open yet
		ask("open", `, "open": {"directory": "`+dir+`/absent"}`),
		ask("open", `, "open": {"directory": "checkpoint/beam", "date": "2025-06-01T12:00"}`),
		ask("info", ""),
		ask("render", `, "case": {"messages": [{"role": "user", "content": "Hi"}], "tools": null, "reasoning_effort": "low", "date": null, "template_kwargs": {}}`),
		ask("render", `, "case": {"messages": [], "stop": 1}`),
		ask("mask", `, "case": {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "thinking": "Hm", "content": "Ho"}]}`),
		ask("mask", `, "case": {"messages": [{"role": "user", "content": "Hi"}], "truncation": true, "max_length": 3, "padding": false}`),
		ask("mask", `, "case": {"messages": [{"role": "user", "content": "Hi"}], "sanitize_control_tokens": true}`),
		ask("encode", `, "case": {"messages": [{"role": "user", "content": "Hi<|end|>"}]}`),
		ask("encode", `, "case": {"messages": [{"role": "user", "content": "Hi<|end|>"}], "sanitize_control_tokens": true, "truncation": true, "max_length": 9}`),
		ask("parse", `, "case": {"reply": "<|channel|>final<|message|>Hi<|return|>", "prefix": "", "stop": {"token": "<|return|>"}}`),
		ask("parse", `, "case": {"reply": "", "prefix": null, "chunks": {"bytes": [0]}}`),
		ask("stream", `, "case": {"reply": "<|channel|>final<|message|>Hi<|return|>", "prefix": "", "chunks": 5}`),
		ask("stream", `, "case": {"reply": "", "prefix": "", "chunks": [0, 0], "tools": []}`),
		ask("parse", `, "case": {"reply_ids": [564, 370, 267, 566, 87, 569], "prefix_ids": [563]}`),
		ask("stream", `, "case": {"reply_ids": [564, 370, 267, 566, 87, 569], "prefix": "", "chunks": [1, 1, 3]}`),
		ask("exec", `, "case": {"code": "print(1)", "session": "a"}`),
		ask("time", `, "case": {"op": "render", "case": {"messages": [{"role": "user", "content": "Hi"}]}, "calls": 2}`),
		ask("time", `, "case": {"op": "stream", "case": {}, "calls": 1}`),
		ask("trace", `, "case": {"messages": [{"role": "user", "content": "Hi"}]}`),
		ask("trace", `, "case": {"messages": [], "chat_template": "a{{ raise_exception('b') }}"}`),
		ask("trace", `, "case": {"messages": [], "truncation": true}`),
		ask("coverage", ""),
		ask("open", `, "open": {"directory": "checkpoint/beam", "coverage": true}`),
		ask("open", `, "open": {"directory": "checkpoint/beam", "coverage": true}`),
		ask("render", `, "coverage": {"since": 1, "all": true}, "case": {"messages": []}`),
		ask("coverage", ""),
		ask("close", ""),
	}
	for name, cmd := range map[string]*exec.Cmd{
		"worker":  worker.Equip(env.Command(t.Context(), worker.Args...)),
		"example": env.Command(t.Context(), "-c", example.Source),
	} {
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		answers := bufio.NewReader(out)
		all := schemas(t)
		kinds := map[string]bool{}
		for _, r := range requests {
			if err := validate(all[r[0]+".request.json"], r[1]); err != nil {
				t.Errorf("request %s: %v", r[1], err)
			}
			io.WriteString(in, r[1]+"\n")
			text, err := answers.ReadString('\n')
			if err != nil {
				t.Fatalf("%s: %s: %v", name, r[1], err)
			}
			if err := validate(all[r[0]+".response.json"], text); err != nil {
				t.Errorf("%s: answer %s: %v", name, text, err)
			}
			for _, kind := range []string{"ok", "error", "cannot"} {
				if strings.Contains(text, `"`+kind+`": `) {
					kinds[r[0]+" "+kind] = true
				}
			}
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "worker" {
			for _, want := range []string{"info ok", "open ok", "open error", "render ok", "render error", "render cannot", "mask ok", "mask error", "encode ok", "parse ok", "parse cannot", "stream ok", "exec ok", "time ok", "time error", "coverage cannot", "coverage ok", "trace ok", "close ok"} {
				if !kinds[want] {
					t.Errorf("no answer of the kind %s was seen", want)
				}
			}
		}
	}
}

// The schemas refuse what is wrong.
func TestSchemasRefuse(t *testing.T) {
	all := schemas(t)
	for _, c := range [][2]string{
		{"render.request.json", `{"v": 2, "id": 1, "op": "render", "case": {"messages": []}}`},
		{"render.request.json", `{"v": 1, "id": 1, "op": "render", "case": {}}`},
		{"render.request.json", `{"v": 1, "id": 1, "op": "parse", "case": {"messages": []}}`},
		{"parse.request.json", `{"v": 1, "id": 1, "op": "parse", "case": {"reply": "", "chunks": 0}}`},
		{"open.request.json", `{"v": 1, "id": 1, "op": "open", "open": {"directory": "a", "hub": "b"}}`},
		{"render.response.json", `{"id": 1, "ok": {}}`},
		{"render.response.json", `{"id": 1, "ok": "", "cannot": ""}`},
		{"render.response.json", `{"id": 1}`},
		{"render.response.json", `{"ok": ""}`},
		{"parse.response.json", `{"id": 1, "error": {"class": "X"}}`},
		{"mask.response.json", `{"id": 1, "ok": {"text": "", "spans": [[1]]}}`},
		{"mask.response.json", `{"id": 1, "ok": {"text": "", "spans": [], "input_ids": []}}`},
		{"encode.request.json", `{"v": 1, "id": 1, "op": "encode", "case": {"messages": [], "max_length": -1}}`},
		{"encode.response.json", `{"id": 1, "ok": {"text": "", "offsets": [[0, 0]]}}`},
		{"parse.request.json", `{"v": 1, "id": 1, "op": "parse", "case": {"reply": "", "reply_ids": []}}`},
		{"stream.request.json", `{"v": 1, "id": 1, "op": "stream", "case": {"reply_ids": [-1]}}`},
		{"stream.response.json", `{"id": 1, "ok": {"initial": [], "feeds": [[{"type": "region_open"}]], "final": [], "message": {}}}`},
		{"coverage.response.json", `{"id": 1, "ok": {"existing": {"chat_template": ""}, "reached": []}}`},
		{"coverage.response.json", `{"id": 1, "ok": {"existing": {}, "reached": ["chat_template:7.1"]}}`},
		{"trace.request.json", `{"v": 1, "id": 1, "op": "trace", "case": {}}`},
		{"trace.response.json", `{"id": 1, "ok": ""}`},
		{"trace.response.json", `{"id": 1, "ok": {"text": "a", "lines": [[0, 1]]}}`},
		{"trace.response.json", `{"id": 1, "ok": {"text": "a", "lines": [], "raised": {"class": "A", "message": "", "line": 0}}}`},
		{"info.response.json", `{"id": 1, "ok": {"name": "x", "checkpoint_hash": "abc"}}`},
	} {
		if validate(all[c[0]], c[1]) == nil {
			t.Errorf("%s accepts %s", c[0], c[1])
		}
	}
}
