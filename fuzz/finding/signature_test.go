package finding

import (
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

func TestSign(t *testing.T) {
	ok := func(text string) corpus.Outcome { return corpus.Outcome{Kind: corpus.OK, Value: parse(t, text)} }
	raised := func(class string) corpus.Outcome { return corpus.Outcome{Kind: corpus.Raised, Class: class} }
	failed := func(why string) corpus.Outcome { return corpus.Outcome{Kind: corpus.Failed, Why: why} }
	for _, tt := range []struct {
		kind        corpus.Kind
		verdict     corpus.Verdict
		left, right corpus.Outcome
		path        string
		offset      int
		what        string
		want        Signature
	}{
		{kind: "parse", verdict: corpus.ValueDiffers, left: ok(`{"content": " a"}`), right: ok(`{"content": "a"}`), path: "$.content",
			want: "parse, value differs, native/reference, $.*, space"},
		{kind: "parse", verdict: corpus.ValueDiffers, left: ok(`{"thinking": "ab"}`), right: ok(`{"thinking": "a"}`), path: "$.thinking",
			want: "parse, value differs, native/reference, $.*, text"},
		{kind: "parse", verdict: corpus.ValueDiffers, left: ok(`{"tool_calls": [{"function": {"arguments": {"a b": [1]}}}]}`),
			right: ok(`{"tool_calls": [{"function": {"arguments": {"a b": [1.0]}}}]}`), path: `$.tool_calls[0].function.arguments["a b"][0]`,
			want: "parse, value differs, native/reference, $.tool_calls.function.arguments, integer/float"},
		{kind: "parse", verdict: corpus.ValueDiffers, left: ok(`{"role": "x"}`), right: ok(`{}`), path: "$.role", offset: -1,
			want: "parse, value differs, native/reference, $.role, present/absent"},
		{kind: "parse", verdict: corpus.ValueDiffers, left: ok(`{"a": {"x": 1, "y": 2}}`), right: ok(`{"a": {"y": 2, "x": 1}}`), path: "$.a",
			want: "parse, value differs, native/reference, $.*, order"},
		{kind: "parse", verdict: corpus.ErrorDiffers, left: raised("KeyError"), right: raised("ValueError"), path: "$error.class",
			want: "parse, error differs, native/reference, $error.class, KeyError/ValueError"},
		{kind: "render", verdict: corpus.ErrorDiffers, left: corpus.Outcome{Kind: corpus.Raised, Class: "ValueError", Message: "a tool has no name at 3"},
			right: corpus.Outcome{Kind: corpus.Raised, Class: "ValueError", Message: "a tool has no name: tools[3]"}, path: "$error.message",
			want: "render, error differs, native/reference, $error.message, ValueError: a tool has no name: tools"},
		{kind: "parse", verdict: corpus.ErrorDiffers, left: ok(`{}`), right: raised("ValueError"), path: "$error",
			want: "parse, error differs, native/reference, $error, ok/ValueError"},
		{kind: "render", verdict: corpus.ValueDiffers, left: ok(`"<|start|>user<|message|>7"`), right: ok(`"<|start|>user<|message|>x"`), path: "$", offset: 24,
			want: "render, value differs, native/reference, $, digit/letter in turns"},
		{kind: "render", verdict: corpus.ValueDiffers, left: ok(`"<|start|>user<|call|>"`), right: ok(`"<|start|>user<|end|>"`), path: "$", offset: 15,
			want: "render, value differs, native/reference, $, marker/marker in turns"},
		{kind: "render", verdict: corpus.ValueDiffers, left: ok(`"a "`), right: ok(`"a"`), path: "$", offset: 1,
			want: "render, value differs, native/reference, $, space in start"},
		{kind: "parse", verdict: corpus.EngineFailed, left: ok(`{}`), right: failed("timed out: no answer within 10s (tried twice, the second time alone in a fresh process)"), path: "",
			want: "parse, engine failed, native/reference, timed out: no answer within Ns"},
		{kind: "parse", verdict: corpus.EngineFailed, left: failed("panic: index out of range [5] with length 3\ngoroutine 1\ngithub.com/beamdiff/beamdiff/harmony/response.(*machine).feed(0x1)\n"), right: ok(`{}`),
			want: "parse, engine failed, native/reference, panic: index out of range [N] with length N in beamdiff/harmony/response.(*machine).feed"},
		{kind: "render", verdict: corpus.EngineFailed, left: ok(`""`), right: failed("out of memory, with a limit of 512 MiB: signal: killed"),
			want: "render, engine failed, native/reference, out of memory"},
		{kind: "parse", verdict: corpus.CannotSay, what: "at byte 17", want: "parse, cannot, native/reference, at byte N"},
	} {
		v := Verdict{Kind: tt.verdict, Left: "native", Right: "reference", LeftOutcome: tt.left, RightOutcome: tt.right, Path: tt.path, Offset: tt.offset, What: tt.what}
		if got := Sign(tt.kind, v); got != tt.want {
			t.Errorf("%s\n got  %s\n want %s", tt.path, got, tt.want)
		}
	}
	// Fed in pieces, the place is the cut, whatever it is that differs.
	v := Verdict{Kind: corpus.Unstable, Left: "native", Right: "native", LeftOutcome: ok(`{}`), RightOutcome: raised("ValueError"), Path: "$", Chunks: value.Int(1)}
	if got := Sign(corpus.Parse, v); got != "parse, unstable, native/native, cut, ok/error" {
		t.Error(got)
	}
	if id := Signature("x").ID(); len(id) != 16 || id == Signature("y").ID() {
		t.Error(id)
	}
}

func TestWorst(t *testing.T) {
	list := []Verdict{{Kind: corpus.Unstable, Fails: true}, {Kind: corpus.ErrorDiffers, Fails: true}, {Kind: corpus.ValueDiffers, Fails: true, Path: "$.a"},
		{Kind: corpus.ValueDiffers, Fails: true, Path: "$.b"}, {Kind: corpus.EngineFailed}}
	if v, ok := Worst(list); !ok || v.Path != "$.a" {
		t.Errorf("%+v", v)
	}
	if _, ok := Worst(list[4:]); ok {
		t.Error("a verdict that does not fail is no finding")
	}
}

func TestReadPath(t *testing.T) {
	for path, want := range map[string][]any{
		"$":                    nil,
		"$.a.b":                {"a", "b"},
		"$[3].x":               {3, "x"},
		`$["a \"b"][0].c-d`:    {`a "b`, 0, "c-d"},
		`$.a["]"]`:             {"a", "]"},
		"$.assistant_masks, x": {"assistant_masks, x"},
		`$["broken`:            nil,
		"$[x]":                 nil,
	} {
		if got := readPath(path); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
