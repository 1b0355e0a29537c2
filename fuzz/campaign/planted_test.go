package campaign_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// change alters the answers of one operation that are a value.
func change(op engine.Op, alter func(value.Value) value.Value) *faulty {
	return &faulty{answer: func(r engine.Request, o corpus.Outcome) corpus.Outcome {
		if r.Op == op && o.Kind == corpus.OK {
			o.Value = alter(o.Value)
		}
		return o
	}}
}

// changeMessage alters what is read from a reply, whole or fed.
func changeMessage(alter func(value.Value) value.Value) *faulty {
	return &faulty{answer: func(r engine.Request, o corpus.Outcome) corpus.Outcome {
		if o.Kind == corpus.OK && r.Op == engine.OpParse {
			o.Value = alter(o.Value)
		}
		if o.Kind == corpus.OK && r.Op == engine.OpStream {
			stream, _ := o.Value.AsObject()
			stream.Set("message", alter(o.Value.Get("message")))
		}
		return o
	}}
}

// changeArguments alters each value inside the arguments of calls.
func changeArguments(alter func(value.Value) value.Value) *faulty {
	return changeMessage(func(m value.Value) value.Value {
		calls, _ := m.Get("tool_calls").AsArray()
		for _, c := range calls.All() {
			f, _ := c.Get("function").AsObject()
			if _, has := c.Get("function").Get("arguments").AsObject(); f == nil || !has {
				continue
			}
			f.Set("arguments", each(c.Get("function").Get("arguments"), func(_ string, v value.Value) value.Value { return alter(v) }))
		}
		return m
	})
}

// changeText alters the prompt.
func changeText(old, new string) *faulty {
	return change(engine.OpRender, func(v value.Value) value.Value {
		s, _ := v.AsString()
		return value.String(strings.ReplaceAll(s, old, new))
	})
}

// changePieces alters the chunks in which a reply is fed.
func changePieces(alter func(pieces []string) []string) *faulty {
	return &faulty{ask: func(r engine.Request) engine.Request {
		chunks, cut := r.Case.Get("chunks")
		if r.Op != engine.OpStream || !cut {
			return r
		}
		text, _ := r.Case.Get("reply")
		reply, _ := text.AsString()
		in, _ := r.Case.Value().Clone().AsObject()
		in.Set("reply", value.String(strings.ToValidUTF8(strings.Join(alter(pieces(reply, chunks)), ""), "\ufffd")))
		in.Delete("chunks")
		return engine.Request{Op: r.Op, Case: in}
	}}
}

// pieces cuts a reply as a case's chunks say.
func pieces(reply string, chunks value.Value) (out []string) {
	index := corpus.NewIndex(reply)
	var at []int
	cuts, bytes := chunks.Get("bytes").AsArray()
	if !bytes {
		cuts, _ = chunks.AsArray()
	}
	for _, v := range cuts.All() {
		n, _ := v.AsInt()
		pos := int(n)
		if !bytes {
			pos, _ = index.Byte(pos)
		}
		at = append(at, pos)
	}
	if n, ok := chunks.AsInt(); ok {
		for i := int(n); i < value.Len(reply); i += int(n) {
			pos, _ := index.Byte(i)
			at = append(at, pos)
		}
	}
	from := 0
	for _, pos := range append(at, len(reply)) {
		out = append(out, reply[from:pos])
		from = pos
	}
	return out
}

// faults are bugs that renderers and readers have. Each must be found within
// cases, as one finding, whose case is no longer than size bytes of JSON.
var faults = []struct {
	name        string
	plant       func() *faulty
	cases, size int
	signature   string
}{
	// render
	{"a turn of calls ends with the wrong marker", func() *faulty { return changeText("</rfl:parameter><|call|>", "</rfl:parameter><|end|>") }, 300, 140, "render, value differs, native/reference, $, marker/marker in turns"},
	{"a space too many", func() *faulty { return changeText("effort: 32", "effort:  32") }, 600, 90, "render, value differs, native/reference, $, space in instructions"},
	{"the wrong name of a type", func() *faulty { return changeText(": number", ": integer") }, 600, 180, "render, value differs, native/reference, $, "},
	{"a user's text is stripped", func() *faulty {
		return &faulty{ask: func(r engine.Request) engine.Request {
			if r.Op != engine.OpRender {
				return r
			}
			in, _ := r.Case.Value().Clone().AsObject()
			messages, _ := in.Get("messages")
			list, _ := messages.AsArray()
			for _, m := range list.All() {
				o, _ := m.AsObject()
				text, isText := m.Get("content").AsString()
				if role, _ := m.Get("role").AsString(); o != nil && isText && role == "user" {
					o.Set("content", value.String(strings.TrimSpace(text)))
				}
			}
			return engine.Request{Op: r.Op, Case: in}
		}}
	}, 300, 60, "render, value differs, native/reference, $, space in turns"},
	// parse
	{"the content is stripped", func() *faulty {
		return changeMessage(func(m value.Value) value.Value {
			if o, _ := m.AsObject(); o != nil {
				if text, ok := m.Get("content").AsString(); ok {
					o.Set("content", value.String(strings.TrimSpace(text)))
				}
			}
			return m
		})
	}, 300, 110, "parse, value differs, native/reference, $.*, space"},
	{"a second call is lost", func() *faulty {
		return changeMessage(func(m value.Value) value.Value {
			if calls, ok := m.Get("tool_calls").AsArray(); ok && calls.Len() > 1 {
				o, _ := m.AsObject()
				o.Set("tool_calls", value.List(calls.At(0)))
			}
			return m
		})
	}, 300, 260, "parse, value differs, native/reference, $.tool_calls, absent/present"},
	{"another class of error", func() *faulty {
		return &faulty{answer: func(r engine.Request, o corpus.Outcome) corpus.Outcome {
			if o.Kind == corpus.Raised && o.Class == "ValueError" && (r.Op == engine.OpParse || r.Op == engine.OpStream) {
				o.Class = "KeyError"
			}
			return o
		}}
	}, 300, 260, "parse, error differs, native/reference, $error.class, KeyError/ValueError"},
	{"a panic", func() *faulty {
		return &faulty{answer: func(r engine.Request, o corpus.Outcome) corpus.Outcome {
			if text, _ := r.Case.Get("reply"); strings.Contains(value.Dumps(text), "<|constrain|>") && r.Op == engine.OpParse {
				return corpus.Outcome{Kind: corpus.Failed, Why: "panic: index out of range [5] with length 3\nbeamdiff/harmony/response.(*machine).feed(0x12)", Offset: -1}
			}
			return o
		}}
	}, 300, 60, "parse, engine failed, native/reference, panic: index out of range [N] with length N in beamdiff/harmony/response.(*machine).feed"},
	// typing
	{"large numbers lose digits", func() *faulty {
		return changeArguments(func(v value.Value) value.Value {
			if n, ok := v.AsInt(); ok && int64(float64(n)) != n {
				return value.Int(int64(float64(n)))
			}
			return v
		})
	}, 800, 330, "parse, value differs, native/reference, $.tool_calls.function.arguments, integer"},
	{"a whole float is an integer", func() *faulty {
		return changeArguments(func(v value.Value) value.Value {
			if f, ok := v.AsFloat(); ok && f == float64(int64(f)) {
				return value.Int(int64(f))
			}
			return v
		})
	}, 300, 330, "parse, value differs, native/reference, $.tool_calls.function.arguments, integer/float"},
	// streaming
	{"a chunk that begins with < loses it", func() *faulty {
		return changePieces(func(pieces []string) []string {
			for i := range pieces[1:] {
				pieces[i+1] = strings.TrimPrefix(pieces[i+1], "<")
			}
			return pieces
		})
	}, 100, 110, "parse, unstable, native/native, cut, ok"},
	{"a chunk that splits a character is replaced", func() *faulty {
		return changePieces(func(pieces []string) []string {
			for i := range pieces {
				if !utf8.ValidString(pieces[i]) {
					pieces[i] = strings.ToValidUTF8(pieces[i], "\ufffd")
				}
			}
			return pieces
		})
	}, 100, 110, "parse, unstable, native/native, cut, ok"},
}

// Each fault is found within its budget, is one finding, and is made small.
func TestPlantedFaults(t *testing.T) {
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			report := run(t, plan(t, fault.plant(), fault.cases), t.TempDir())
			for _, f := range report.Findings {
				size := len(value.Dumps(f.Case.Input.Value()))
				t.Logf("%s, number %d, %d tries, %d bytes: %s", f.Signature, f.Number, f.Tries, size, value.Dumps(f.Case.Input.Value()))
				if size > fault.size {
					t.Errorf("the case has %d bytes, and must have at most %d", size, fault.size)
				}
				if !f.Stable || !f.Shrunk {
					t.Errorf("stable %v, shrunk %v", f.Stable, f.Shrunk)
				}
			}
			if len(report.Findings) != 1 {
				t.Fatalf("%d findings of one fault", len(report.Findings))
			}
			if got := string(report.Findings[0].Signature); !strings.HasPrefix(got, fault.signature) {
				t.Errorf("the signature is %q, and must begin with %q", got, fault.signature)
			}
		})
	}
}

// Without a fault there is nothing to find.
func TestNoFault(t *testing.T) {
	report := run(t, plan(t, &faulty{}, 400), t.TempDir())
	for _, f := range report.Findings {
		t.Errorf("%s: %s", f.Signature, value.Dumps(f.Case.Input.Value()))
	}
	if report.Cases != 400 {
		t.Errorf("%d cases", report.Cases)
	}
}
