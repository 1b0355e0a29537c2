package law

import (
	"context"
	"fmt"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

var unprepared = Law{
	Rule: rule("render/unprepared", report.Warning, "A request gives the same prompt in runtimes that hand it to the template as it came, with null for what is not there and reasoning under the name that the client chose"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		if random, err := s.random(ctx); err != nil || random {
			return err
		}
		probe := caseOf(corpus.Render, "check/template", "", member("messages", list(said("user", "."))),
			member("template_kwargs", value.Members(member(rawName, str("as it came")))), member("chat_template", str("{{ "+rawName+" }}")))
		o, err := s.ask(ctx, probe)
		if err != nil {
			return err
		}
		if p, _ := promptOf(o); p != "as it came" {
			return &Unasked{Law: "render/unprepared", Why: "the engine takes no chat template but its own"}
		}
		shapes, err := s.rendered(ctx)
		if err != nil {
			return err
		}
		var cases []corpus.Case
		var of []*rendered
		for _, r := range shapes {
			if _, ok := r.last(); ok && r.prepared() != "" {
				cases, of = append(cases, s.raw(r.Last().Prompt)), append(of, r)
			}
		}
		got, err := s.Asker.Ask(ctx, engine.OpRender, cases)
		if err != nil {
			return err
		}
		var failed error
		for i, r := range of {
			p, _ := r.last()
			q, ok := promptOf(got[i])
			if ok {
				s.same(r.Last().Prompt, p, q, alike{one: "prepared", other: "as it came", cause: "another prompt " + r.prepared(),
					message: fmt.Sprintf("%s: without the preparation of Transformers, which leaves out null and copies reasoning to reasoning_content, the prompt is another", r.ID),
					advice:  "treat null like absence, and read reasoning under each of its names"}, r.level(), found)
				continue
			}
			o := got[i]
			if err := unanswered("render/unprepared", cases[i], o); err != nil {
				failed = err
				continue
			}
			if o.Kind != corpus.Raised || o.Class == "TemplateError" && names(o.Message, r.Fields) {
				found(r.Last().Prompt)
				continue
			}
			t, err := s.raised(ctx, cases[i], o)
			if err != nil {
				return err
			}
			t.Message = fmt.Sprintf("%s: without the preparation of Transformers, which leaves out null, the template raises %s: %s", r.ID, o.Class, o.Message)
			t.Advice = "test content for truth, not for being there: the API itself returns null beside calls"
			found(r.Last().Prompt, t)
		}
		return failed
	},
}

// prepared says for what Transformers changes the messages before the template sees
// them (5.24.0, chat_template_utils.py: _normalize_chat_messages and
// _alias_reasoning_fields); "" where it does not.
func (r *Shape) prepared() string {
	for _, m := range r.Last().Messages {
		o, _ := m.AsObject()
		for name, v := range o.All() {
			if v.IsNull() {
				return "for null"
			}
			if name == "reasoning" || name == "thinking" {
				return "for " + name
			}
		}
	}
	return ""
}

// rawName is the argument of the template under which raw messages go in.
const rawName = "beamdiff_messages"

// raw is a case whose messages reach the template as they are: as an argument of
// their own, which takes the place of messages on the template's first line. What
// follows the set block keeps the line break from being trimmed.
func (s *Subject) raw(c corpus.Case) corpus.Case {
	messages, _ := c.Input.Get("messages")
	kwargs := value.Members(member(rawName, messages))
	if more, ok := c.Input.Get("template_kwargs"); ok {
		o, _ := more.AsObject()
		into, _ := kwargs.AsObject()
		for name, v := range o.All() {
			into.Set(name, v)
		}
	}
	return with(c, "raw", member("messages", list(said("user", "."))), member("template_kwargs", kwargs),
		member("chat_template", str("{% set messages = "+rawName+" %}{{ '' }}"+s.ChatTemplate)))
}
