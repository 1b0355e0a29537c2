package openai

import (
	"math/rand/v2"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/openai"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// maker makes conversations in the library's own form.
type maker struct{ *rand.Rand }

func (m maker) pick(texts ...string) value.Value { return value.String(texts[m.IntN(len(texts))]) }

func (m maker) text() value.Value {
	return m.pick("a", "", "l1\nl2", "é😀 \"q\"", "<|end|>", " x ")
}

// object has each pair one time in two.
func (m maker) object(pairs ...any) value.Value {
	o := &value.Object{}
	for i := 0; i < len(pairs); i += 2 {
		if m.IntN(2) == 0 {
			o.Set(pairs[i].(string), pairs[i+1].(func() value.Value)())
		}
	}
	return o.Value()
}

func (m maker) list(most int, item func() value.Value) value.Value {
	var items []value.Value
	for range m.IntN(most + 1) {
		items = append(items, item())
	}
	return value.List(items...)
}

func with(v value.Value, name string, x value.Value) value.Value {
	o, _ := v.AsObject()
	o.Set(name, x)
	return o.Value()
}

func (m maker) schema(depth int) value.Value {
	inner := func() value.Value { return m.schema(depth - 1) }
	if depth == 0 {
		inner = func() value.Value { return m.object() }
	}
	pairs := []any{"type", func() value.Value {
		if m.IntN(5) == 0 {
			return m.list(2, func() value.Value { return m.pick("integer", "string", "null") })
		}
		return m.pick("object", "string", "number", "integer", "boolean", "array", "null", "file")
	}, "description", m.text, "items", inner}
	for name, f := range map[string]func() value.Value{
		"enum": func() value.Value { return m.list(2, m.text) }, "default": m.text, "title": m.text,
		"nullable": func() value.Value { return value.Bool(true) },
		"examples": func() value.Value { return m.list(2, m.text) },
		"oneOf":    func() value.Value { return m.list(2, inner) },
		"required": func() value.Value { return m.list(1, func() value.Value { return value.String("x") }) },
	} {
		if m.IntN(4) == 0 {
			pairs = append(pairs, name, f)
		}
	}
	return m.object(append(pairs, "properties", func() value.Value { return m.object("x", inner, "y", inner) })...)
}

func (m maker) tools() value.Value {
	return m.object("functions", func() value.Value {
		return with(with(m.object("description", m.text), "name", value.String("functions")), "tools", m.list(2, func() value.Value {
			tool := m.object("parameters", func() value.Value { return m.schema(2) })
			return with(with(tool, "name", value.String("f")), "description", m.text())
		}))
	})
}

func (m maker) message() value.Value {
	out := m.object("channel", func() value.Value { return m.pick("analysis", "commentary", "final") },
		"recipient", func() value.Value { return m.pick("all", "functions.f", "assistant", "") },
		"content_type", func() value.Value { return m.pick("json", "<|constrain|>json", "") },
		"name", func() value.Value { return m.pick("functions.f", "bob") })
	switch m.IntN(6) {
	case 0:
		c := m.object("model_identity", m.text, "knowledge_cutoff", m.text, "conversation_start_date", m.text, "tools", m.tools,
			"reasoning_effort", func() value.Value { return m.pick("Low", "Medium", "High") })
		return with(with(out, "role", value.String("system")), "content", value.List(with(c, "type", value.String("system_content"))))
	case 1:
		c := m.object("instructions", m.text, "tools", m.tools)
		return with(with(out, "role", value.String("developer")), "content", value.List(with(c, "type", value.String("developer_content"))))
	}
	return with(with(out, "role", m.pick("assistant", "assistant", "user", "tool")), "content", m.text())
}

// Native Go writes what the library writes, with its errors, whatever the form.
func TestNativeLibrary(t *testing.T) {
	e, err := Open(t.Context(), Options{})
	if err != nil {
		t.Fatalf("NOT RUN: %v", err)
	}
	t.Cleanup(func() { e.Close() })
	bad := 0
	for i := range 5000 {
		m := maker{rand.New(rand.NewPCG(9, uint64(i)))}
		conversation := with(m.object(), "messages", m.list(5, m.message))
		style := openai.Library{KeepAnalysis: m.IntN(2) == 0}
		form := []string{"plain", "training", "completion"}[m.IntN(3)]
		if style.Training = form == "training"; form == "completion" {
			style.NextRole = "assistant"
		}
		in := with(with(with(m.object(), "conversation", conversation), "form", value.String(form)), "auto_drop_analysis", value.Bool(!style.KeepAnalysis))
		o, _ := in.AsObject()
		want := e.Do(t.Context(), engine.Request{Op: engine.OpRender, Case: o})
		got, err := style.Render(conversation)
		text, _ := want.Value.AsString()
		failed, _ := err.(*openai.Error)
		same := want.Kind == corpus.OK && err == nil && text == got || want.Kind == corpus.Raised && failed != nil && failed.Class == want.Class && failed.Message == want.Message
		if !same {
			if bad++; bad <= 3 {
				t.Errorf("%s\n got %q %v\nwant %q %s %s", value.Dumps(in), got, err, text, want.Class, want.Message)
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of 5000 differ", bad)
	}
}
