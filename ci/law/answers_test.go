package law

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// scripted is an engine that answers as a function says, and keeps what it was
// asked.
type scripted struct {
	answer func(r engine.Request) corpus.Outcome

	mu    sync.Mutex
	asked []engine.Request
}

func (s *scripted) Name() string { return "scripted" }
func (s *scripted) Info(context.Context) (engine.Info, error) {
	return engine.Info{Name: "scripted"}, nil
}
func (s *scripted) Close() error { return nil }
func (s *scripted) Do(_ context.Context, r engine.Request) corpus.Outcome {
	s.mu.Lock()
	s.asked = append(s.asked, r)
	s.mu.Unlock()
	return s.answer(r)
}

func echo(r engine.Request) corpus.Outcome {
	return corpus.Outcome{Kind: corpus.OK, Value: value.String(value.Dumps(r.Case.Value())), Offset: -1}
}

func TestAnswersAreShared(t *testing.T) {
	e := &scripted{answer: echo}
	a := NewAnswers(e, nil)
	one := caseOf(corpus.Render, "one", "", member("messages", list(said("user", "a"))))
	same := caseOf(corpus.Render, "same", "", member("messages", list(said("user", "a"))))
	other := caseOf(corpus.Render, "other", "", member("messages", list(said("user", "b"))))
	for range 2 {
		out, err := a.Ask(t.Context(), engine.OpRender, []corpus.Case{one, other, same, one})
		if err != nil {
			t.Fatal(err)
		}
		if text(out[0].Value) != text(out[2].Value) || text(out[0].Value) == text(out[1].Value) || !strings.Contains(text(out[1].Value), `"b"`) {
			t.Errorf("answers %v", out)
		}
	}
	if len(e.asked) != 2 {
		t.Errorf("the engine was asked %d times, want 2", len(e.asked))
	}
	if _, err := a.Ask(t.Context(), engine.OpMask, []corpus.Case{one}); err != nil || len(e.asked) != 3 {
		t.Errorf("another operation is another question: %v, asked %d times", err, len(e.asked))
	}
}

// TestAnswersCarryTheTemplate holds what goes with each case of a template that no
// checkpoint has, and that a case's own comes first.
func TestAnswersCarryTheTemplate(t *testing.T) {
	e := &scripted{answer: echo}
	a := NewAnswers(e, &Template{Text: "T", Special: map[string]string{"bos_token": "<s>"}})
	plain := caseOf(corpus.Render, "plain", "", member("messages", list(said("user", "a"))))
	own := with(plain, "own", member("chat_template", str("MINE")), member("template_kwargs", value.Members(member("x", value.Int(1)))))
	parse := caseOf(corpus.Parse, "parse", "", member("reply", str("r")))
	for _, c := range []struct {
		op   engine.Op
		of   corpus.Case
		want string
	}{
		{engine.OpRender, plain, `{"chat_template": "T", "template_kwargs": {"bos_token": "<s>"}, "messages": [{"role": "user", "content": "a"}]}`},
		{engine.OpRender, own, `{"chat_template": "MINE", "template_kwargs": {"bos_token": "<s>", "x": 1}, "messages": [{"role": "user", "content": "a"}]}`},
		{engine.OpParse, parse, `{"reply": "r"}`},
	} {
		out, err := a.Ask(t.Context(), c.op, []corpus.Case{c.of})
		if err != nil || text(out[0].Value) != c.want {
			t.Errorf("%s: asked %s, %v; want %s", c.of.ID, text(out[0].Value), err, c.want)
		}
	}
}

// TestAnswersGiveUp holds the time of a template that hangs in bounds: after three
// failures in a row an operation is asked no more.
func TestAnswersGiveUp(t *testing.T) {
	e := &scripted{answer: func(r engine.Request) corpus.Outcome {
		return corpus.Outcome{Kind: corpus.Failed, Why: "no answer", Offset: -1}
	}}
	s := &Subject{Asker: NewAnswers(e, nil), ChatTemplate: "x"}
	for i, c := range Shapes()[:8] {
		out, err := s.Asker.Ask(t.Context(), engine.OpRender, []corpus.Case{c.Steps[0].Prompt})
		if err != nil || out[0].Kind != corpus.Failed {
			t.Errorf("%d: %v %v", i, out, err)
		}
	}
	if len(e.asked) != giveUp {
		t.Errorf("asked %d times, want %d", len(e.asked), giveUp)
	}
	r, err := Check(t.Context(), s, []Law{renders, balanced, appends, forged})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Rule != "render/renders" || len(r.Findings[0].Cases) != len(Shapes()) {
		t.Errorf("findings %+v, want one of all shapes", r.Findings)
	}
}

// TestLongPrompts holds the time and the memory of a template that writes far more
// than it was given in bounds.
func TestLongPrompts(t *testing.T) {
	for _, v := range []value.Value{str(strings.Repeat("x", largest+1)), value.Members(member("text", str(strings.Repeat("x", largest+1))))} {
		e := &scripted{answer: func(engine.Request) corpus.Outcome { return corpus.Outcome{Kind: corpus.OK, Value: v, Offset: -1} }}
		out, err := NewAnswers(e, nil).Ask(t.Context(), engine.OpRender, []corpus.Case{Shapes()[0].Steps[0].Prompt})
		if err != nil || out[0].Kind != corpus.Failed || !strings.Contains(out[0].Why, "262145 bytes") {
			t.Errorf("%v %s, %v", out[0].Kind, out[0].Why, err)
		}
	}
}

// TestCheckEnds holds what a law's own failure does to a run.
func TestCheckEnds(t *testing.T) {
	e := &scripted{answer: func(engine.Request) corpus.Outcome {
		return corpus.Outcome{Kind: corpus.Cannot, Why: "no templates here", Offset: -1}
	}}
	s := &Subject{Asker: NewAnswers(e, nil), ChatTemplate: "x"}
	r, err := Check(t.Context(), s, []Law{renders})
	if err != nil || len(r.NotChecked) != 1 || !strings.Contains(r.NotChecked[0], "no templates here") {
		t.Errorf("not checked %q, %v", r.NotChecked, err)
	}
	broken := errors.New("broken")
	law := Law{Ask: func(context.Context, *Subject, Found) error { return broken }}
	if _, err := Check(t.Context(), s, []Law{law}); !errors.Is(err, broken) {
		t.Errorf("error %v, want the law's", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, s, []Law{balanced}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}

// TestNoMasks holds that masks which an engine does not give are not taken for empty
// ones.
func TestNoMasks(t *testing.T) {
	mask := func(spans string) corpus.Outcome {
		v, err := value.Loads(`{"text": "\u00fcber", "spans": ` + spans + `}`)
		if err != nil {
			t.Fatal(err)
		}
		return corpus.Outcome{Kind: corpus.OK, Value: v, Offset: -1}
	}
	for want, o := range map[string]corpus.Outcome{
		"no masks here":             {Kind: corpus.Cannot, Why: "no masks here", Offset: -1},
		"1 is no span":              mask(`[[0, 1], 1]`),
		"[0] is no span":            mask(`[[0]]`),
		"[3, 2] is no span of its":  mask(`[[3, 2]]`),
		"[0, 5] is no span of its":  mask(`[[0, 5]]`),
		"[-1, 2] is no span of its": mask(`[[-1, 2]]`),
	} {
		e := &scripted{answer: func(r engine.Request) corpus.Outcome {
			if r.Op == engine.OpMask {
				return o
			}
			return chat(r, "")
		}}
		s := &Subject{Asker: NewAnswers(e, nil), ChatTemplate: "{% generation %}x{% endgeneration %}"}
		r, err := Check(t.Context(), s, []Law{maskPresent, maskOnly, maskStop})
		if err != nil || len(r.Findings) > 0 || len(r.NotChecked) != 3 || !strings.Contains(r.NotChecked[0], want) {
			t.Errorf("not checked %q, findings %+v, %v; want %q", r.NotChecked, r.Findings, err, want)
		}
	}
}

// chat renders the texts of messages between markers, and fails on requests that
// hold a text.
func chat(r engine.Request, failing string) corpus.Outcome {
	if failing != "" && strings.Contains(value.Dumps(r.Case.Value()), failing) {
		return corpus.Outcome{Kind: corpus.Failed, Why: "no answer", Offset: -1}
	}
	messages, _ := r.Case.Get("messages")
	list, _ := messages.AsArray()
	var prompt strings.Builder
	for _, m := range list.All() {
		prompt.WriteString("<|" + text(m.Get("role")) + "|>" + flat(m.Get("content")) + "<|end|>")
	}
	if add, _ := r.Case.Get("add_generation_prompt"); add.IsNull() || add.Truthy() {
		prompt.WriteString("<|assistant|>")
	}
	return corpus.Outcome{Kind: corpus.OK, Value: str(prompt.String()), Offset: -1}
}

// TestFailuresAreNotHeld holds that a request on which the engine fails is neither
// one that the template withstood nor one at which it broke a law.
func TestFailuresAreNotHeld(t *testing.T) {
	for _, c := range []struct {
		law           Law
		failing, want string
	}{
		{forged, "", ""},
		{forged, forger + "<|", "render/forged-turn could not be asked: check/forged-"},
		{repeats, `"add_generation_prompt": true`, "render/repeatable could not be asked: check/"},
	} {
		failing, want := c.failing, c.want
		e := &scripted{answer: func(r engine.Request) corpus.Outcome { return chat(r, failing) }}
		s := &Subject{Asker: NewAnswers(e, nil), ChatTemplate: "{{ '<|user|>' }}{{ '<|end|>' }}{{ '<|assistant|>' }}"}
		r, err := Check(t.Context(), s, []Law{c.law})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.NotChecked, "; "); (got == "") != (want == "") || !strings.HasPrefix(got, want) {
			t.Errorf("failing on %q: not checked %q, want %q", failing, got, want)
		}
		if held := r.Rules[0].Held; failing != "" && held > 0 {
			t.Errorf("failing on %q: held %d times", failing, held)
		}
		if (len(r.Findings) > 0) != (failing == "") {
			t.Errorf("failing on %q: findings %+v", failing, r.Findings)
		}
	}
}

// TestNoChatTemplate holds that a checkpoint that only reads replies is asked for
// no prompt.
func TestNoChatTemplate(t *testing.T) {
	e := &scripted{answer: echo}
	r, err := Check(t.Context(), &Subject{Asker: NewAnswers(e, nil)}, RenderLaws())
	if err != nil || len(r.Findings) > 0 || len(e.asked) > 0 || len(r.Rules) != len(RenderLaws()) {
		t.Errorf("asked %d times, %d rules, findings %v, %v", len(e.asked), len(r.Rules), r.Findings, err)
	}
}
