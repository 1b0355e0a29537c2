package engine

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/schema"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What the pool sends is what the schemas say, v, id and op first.
func TestRequestLines(t *testing.T) {
	for _, c := range []struct {
		op        Op
		key, text string
		want      string
	}{
		{"info", "", `{}`, `{"v": 1, "id": 7, "op": "info"}`},
		{"open", "open", `{"directory": "\u00e9", "date": "2025-01-01"}`, `{"v": 1, "id": 7, "op": "open", "open": {"directory": "\u00e9", "date": "2025-01-01"}}`},
		{"render", "case", `{"messages": [1.0, 1, true, "\ud800"]}`, `{"v": 1, "id": 7, "op": "render", "case": {"messages": [1.0, 1, true, "\ud800"]}}`},
		{"mask", "case", `{"messages": []}`, `{"v": 1, "id": 7, "op": "mask", "case": {"messages": []}}`},
		{"parse", "case", `{"reply": "\u2028"}`, `{"v": 1, "id": 7, "op": "parse", "case": {"reply": "\u2028"}}`},
		{"stream", "case", `{"reply": "", "chunks": 1}`, `{"v": 1, "id": 7, "op": "stream", "case": {"reply": "", "chunks": 1}}`},
		{"close", "", `{}`, `{"v": 1, "id": 7, "op": "close"}`},
	} {
		v, err := value.Loads(c.text)
		if err != nil {
			t.Fatal(err)
		}
		o, _ := v.AsObject()
		got := string(line(7, members(c.op, c.key, o)))
		if got != c.want+"\n" {
			t.Errorf("%s: %q, want %q", c.op, got, c.want)
		}
		text, err := schema.Files.ReadFile(string(c.op) + ".request.json")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		compiler := jsonschema.NewCompiler()
		compiler.AddResource("s.json", doc)
		s, err := compiler.Compile("s.json")
		if err != nil {
			t.Fatal(err)
		}
		sent, err := jsonschema.UnmarshalJSON(strings.NewReader(got))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(sent); err != nil {
			t.Errorf("%s: %v", c.op, err)
		}
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ text, want string }{ // want: the outcome, or part of the complaint
		{`{"id": 3, "ok": NaN}`, "3 ok NaN"},
		{`{"ok": null, "id": 3, "more": 1}`, "3 ok null"},
		{`{"id": 3, "error": {"class": "KeyError", "message": "'a'"}}` + "\r", "3 error KeyError: 'a'"},
		{`{"id": 3, "cannot": "why"}`, "3 cannot why"},
		{``, "a line is not JSON"},
		{`[]`, "an answer has no id"},
		{`{"id": "3", "ok": 1}`, "an answer has no id"},
		{`{"id": 3.0, "ok": 1}`, "an answer has no id"},
		{`{"id": 3, "ok": 1, "coverage": 5}`, "coverage is not a list but integer"},
		{`{"id": 3, "ok": 1, "coverage": [5]}`, "a point of coverage is not a text but integer"},
		{`{"id": 3, "ok": 1, "coverage": ["x"]}`, `coverage: "x" is no point`},
		{`{"id": 3, "error": {"message": "m"}}`, "an error has no class"},
		{`{"id": 3, "error": "x"}`, "an error has no class"},
		{`{"id": 3, "cannot": 1}`, "cannot is not a text"},
		{`{"id": 3, "ok": 1, "error": {"class": "A", "message": ""}}`, "2 of ok, error and cannot"},
		{strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "an answer has no id"},
	} {
		a, err := decode([]byte(c.text))
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case a.out.Kind == corpus.OK:
			got = "3 ok " + value.Dumps(a.out.Value)
		case a.out.Kind == corpus.Raised:
			got = "3 error " + a.out.Class + ": " + a.out.Message
		default:
			got = "3 cannot " + a.out.Why
		}
		if !strings.Contains(got, c.want) || err == nil && (got != c.want || a.id != 3) {
			t.Errorf("%.80q: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestDecodeInfo(t *testing.T) {
	v, err := value.Loads(`{"name": "x", "versions": {"b": "2", "a": "1"}, "formats": ["*"], "abilities": ["render"], "notes": null, "later": 1}`)
	if err != nil {
		t.Fatal(err)
	}
	in, err := decodeInfo(v)
	if err != nil || in.Name != "x" || len(in.Versions) != 2 || in.Versions[0] != (Version{"b", "2"}) || in.Abilities[0] != "render" {
		t.Errorf("%+v %v", in, err)
	}
	for _, text := range []string{`1`, `{}`, `{"name": 1}`, `{"name": "x", "notes": "n"}`, `{"name": "x", "formats": [1]}`, `{"name": "x", "versions": {"a": 1}}`} {
		v, err := value.Loads(text)
		if err != nil {
			t.Fatal(err)
		}
		if in, err := decodeInfo(v); err == nil {
			t.Errorf("%s: %+v, want an error", text, in)
		}
	}
}

func TestTail(t *testing.T) {
	var tl tail
	for range 3 {
		tl.Write([]byte(strings.Repeat("x", tailSize-1) + "\n"))
	}
	tl.Write([]byte("the end\xff"))
	if s := tl.String(); !strings.HasSuffix(s, "x\nthe end\ufffd") || len(s) > tailSize+2 || tl.outOfMemory() {
		t.Errorf("%d bytes, %q", len(s), s[len(s)-20:])
	}
	tl.Write([]byte("MemoryError\n" + strings.Repeat("y", 2*tailSize)))
	if s := tl.String(); s != strings.Repeat("y", tailSize) || !tl.outOfMemory() {
		t.Errorf("%.20q", s)
	}
}

func TestShown(t *testing.T) {
	code := strings.Repeat("import os; ", 10)
	if got := shown([]string{"python3", "-s", "-c", code, "x y"}); got != "python3 -s -c … x y" {
		t.Errorf("%q", got)
	}
}
