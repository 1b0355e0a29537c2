package law

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// alike are two spellings of one thing, as the shapes that have them.
type alike struct{ one, other, cause, message, advice string }

var nothings = []alike{
	{"call-missing-content", "call", "null", "a call whose content is null is not written as one without content", "test content for truth, not for being there"},
	{"call-missing-content", "call-empty-content", "empty text", "a call whose content is an empty text is not written as one without content", "test content for truth"},
	{"call-missing-content", "call-empty-parts", "empty list", "a call whose content is an empty list is not written as one without content", "test content for truth"},
	{"calls-null", "calls-empty", "no calls", "an answer whose tool_calls is null is not written as one whose tool_calls is []", "test tool_calls for truth"},
	{"reasoning-null", "reasoning-empty", "no reasoning", "an answer whose reasoning_content is null is not written as one whose reasoning_content is empty", "test reasoning_content for truth"},
	{"tools-empty", "tools-null", "no tools", "an empty list of tools is not written as null", "test tools for truth"},
}

var nullAlike = Law{
	Rule: rule("render/nothing-alike", report.Warning, "The ways in which clients say nothing (no key, null, an empty text, an empty list) give one prompt"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		if random, err := s.random(ctx); err != nil || random {
			return err
		}
		for _, a := range nothings {
			one, err := s.shape(ctx, a.one)
			if err != nil {
				return err
			}
			other, err := s.shape(ctx, a.other)
			if err != nil {
				return err
			}
			s.compare(one, other, a, found)
		}
		return nil
	},
}

// compare holds the last prompts of two shapes against each other, where both
// were rendered.
func (s *Subject) compare(one, other *rendered, a alike, found Found) {
	p, ok := one.last()
	q, ok2 := other.last()
	if !ok || !ok2 {
		return
	}
	s.same(other.Last().Prompt, p, q, a, other.level(), found)
}

func (s *Subject) same(c corpus.Case, p, q string, a alike, level report.Level, found Found) {
	if p == q {
		found(c)
		return
	}
	at := common(p, q)
	found(c, Trouble{Level: level, Cause: a.cause, Message: a.message, Advice: a.advice, wrote: wrote(at),
		Witness: report.Witness{At: fmt.Sprintf("the prompt, byte %d", at), Sides: []report.Side{{Name: a.one, Text: window(p, at)}, {Name: a.other, Text: window(q, at)}}}})
}

var argumentsAlike = Law{
	Rule: rule("render/arguments-alike", report.Warning, "Arguments give one prompt whether they come as an object or as the text of its JSON"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		if random, err := s.random(ctx); err != nil || random {
			return err
		}
		shapes, err := s.rendered(ctx)
		if err != nil {
			return err
		}
		var cases []corpus.Case
		var of []*rendered
		for _, r := range shapes {
			if spelled, ok := asText(r.Last()); ok && !r.Advisory {
				if _, ok := r.last(); ok {
					cases, of = append(cases, spelled), append(of, r)
				}
			}
		}
		got, err := s.Asker.Ask(ctx, engine.OpRender, cases)
		if err != nil {
			return err
		}
		for i, c := range cases {
			p, _ := of[i].last()
			if q, ok := promptOf(got[i]); ok { // whether it is rendered at all is another law's
				s.same(c, p, q, alike{one: "object", other: "text", cause: "arguments as text",
					message: "arguments as a text of JSON are not written as the object that they say",
					advice:  "test whether arguments is a string; refuse it, or write it as it stands where JSON is written anyway"}, "", found)
			}
		}
		return nil
	},
}

// asText is a request with the arguments of its calls as text.
func asText(step *Step) (corpus.Case, bool) {
	changed := false
	c := with(step.Prompt, "as-text")
	messages, _ := c.Input.Get("messages")
	list, _ := messages.AsArray()
	for _, m := range list.All() {
		calls, ok := m.Get("tool_calls").AsArray()
		if !ok {
			continue
		}
		for _, call := range calls.All() {
			if f, ok := call.Get("function").AsObject(); ok {
				if arguments, ok := f.Get("arguments"); ok && arguments.Kind() == value.KindObject {
					f.Set("arguments", value.String(string(value.Append(nil, arguments, value.ToJSON))))
					changed = true
				}
			}
		}
	}
	return c, changed
}

var reasoningKept = Law{
	Rule: rule("render/reasoning-kept", report.Warning, "Reasoning of the turn that is still open stands in the prompt, under whichever name it was sent"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		shapes, err := s.rendered(ctx)
		if err != nil {
			return err
		}
		var read []string // the names under which it is read somewhere
		for _, key := range reasoningKeys {
			shown, err := s.shows(ctx, key)
			if err != nil {
				return err
			}
			if shown {
				read = append(read, key)
			}
		}
		if len(read) == 0 {
			r, err := s.shape(ctx, "reasoning-call")
			if err != nil {
				return err
			}
			if _, ok := r.last(); ok {
				found(r.Last().Prompt, Trouble{Level: report.Note, Cause: "no reasoning", Message: "the template writes no reasoning of the history, under any of the names " + strings.Join(reasoningKeys, ", "),
					Advice: "for a model that does not reason that is right"})
			}
			return nil
		}
		for _, key := range reasoningKeys[:2] {
			c := reasoningCase(key)
			if slices.Contains(read, key) {
				found(c)
				continue
			}
			found(c, Trouble{Cause: "name " + key, Message: fmt.Sprintf("reasoning is read from %s only; a client that sends %s loses it, and nothing says so", strings.Join(read, " and "), key),
				Advice: "read whichever of the names is there"})
		}
		for _, r := range shapes {
			for k := range r.prompts {
				if t, asked := r.forgotten(k, read); asked {
					found(r.Steps[k].Prompt, t...)
				}
			}
		}
		return nil
	},
}

// reasoningCase is a request in which reasoning, under one of its names, belongs to
// the turn that is still open.
func reasoningCase(key string) corpus.Case {
	call := value.Members(member("id", value.String("call_a1")), member("type", value.String("function")), member("function",
		value.Members(member("name", value.String("get_weather")), member("arguments", value.Members(member("town", value.String("Lisboa-Alfama")))))))
	return caseOf(corpus.Render, "check/reasoning-as-"+key, "Reasoning before a call, as "+key+".", member("messages", list(
		said("user", "How is Lisboa today?"),
		message("assistant", member(key, value.String("Needs fresh measurements.")), member("content", value.String("")), member("tool_calls", list(call))),
		message("tool", member("tool_call_id", value.String("call_a1")), member("name", value.String("get_weather")), member("content", value.String("Overcast."))))))
}

// shows tells whether reasoning of a name gets into a prompt.
func (s *Subject) shows(ctx context.Context, key string) (bool, error) {
	plainCase := caseOf(corpus.Render, "check/reasoning-last-as-"+key, "An answer with reasoning at the end.", member("messages", list(
		said("user", "Is ninetyone prime?"), message("assistant", member(key, value.String("Needs fresh measurements.")), member("content", value.String("No."))))),
		member("add_generation_prompt", value.Bool(false)))
	for _, c := range []corpus.Case{reasoningCase(key), plainCase} {
		o, err := s.ask(ctx, c)
		if err != nil {
			return false, err
		}
		if p, ok := promptOf(o); ok && strings.Contains(p, "measurements") {
			return true, nil
		}
	}
	return false, nil
}

// forgotten tells of reasoning that is not in the prompt although the user has not
// spoken since; asked is false where there is none.
func (r *rendered) forgotten(step int, read []string) (troubles []Trouble, asked bool) {
	p, ok := r.prompt(step)
	if !ok {
		return nil, false
	}
	messages := r.Steps[step].Messages
	open := 0
	for i, m := range messages {
		if text(m.Get("role")) == "user" {
			open = i
		}
	}
	for _, w := range wordsOf(messages) {
		if w.kind != kindReasoning || w.message < open || !slices.Contains(read, w.path[strings.LastIndexByte(w.path, '.')+1:]) {
			continue
		}
		asked = true
		if lost(p, w.text) && len(troubles) == 0 {
			troubles = append(troubles, Trouble{Level: r.level(), Cause: "open turn",
				Message: fmt.Sprintf("%s: %s is not in the prompt although the model is still at work on the same question", r.ID, w.path),
				Advice:  "keep the reasoning of a loop of calls until the user speaks again",
				Witness: report.Witness{At: w.path, Sides: []report.Side{{Name: "sent", Text: w.text}}}})
		}
	}
	return troubles, asked
}

var resultsTold = Law{
	Rule: rule("render/results-told", report.Warning, "Of two results of one tool it can be told which call each answers, in whatever order they came"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		r, err := s.shape(ctx, "results-out-of-order")
		if err != nil {
			return err
		}
		p, ok := r.last()
		if !ok {
			return nil
		}
		first, _ := find(p, "Drizzling.", 0)
		second, _ := find(p, "Scorching.", 0)
		for _, w := range wordsOf(r.Last().Messages) {
			if lost(p, w.text) { // which another law tells
				return nil
			}
		}
		inOrder := first.start < second.start
		byID := strings.Count(p, "call_1") > 1 && strings.Count(p, "call_2") > 1
		if inOrder || byID {
			found(r.Last().Prompt)
			return nil
		}
		found(r.Last().Prompt, Trouble{
			Cause:   "order of results",
			Message: "two results of one tool came in another order than their calls, and the prompt shows neither ids nor the order of the calls: the model takes each for the other's",
			Advice:  "write the results in the order of the calls, by tool_call_id, or write the ids",
			Witness: around("the prompt", p, second.start), wrote: wrote(second.start),
		})
		return nil
	},
}
