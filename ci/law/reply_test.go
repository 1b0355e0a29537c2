package law

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// inline asks an engine of any checkpoint with a response template of its own. Every
// pattern that is timed takes cubed time, by a clock of the test's: what is predicted
// is to be found, whatever else the machine does.
type inline struct {
	Asker
	template value.Value
}

func (a inline) Ask(ctx context.Context, op engine.Op, cases []corpus.Case) ([]corpus.Outcome, error) {
	if op == "time" {
		var out []corpus.Outcome
		for _, c := range cases {
			in, _ := c.Input.Get("case")
			n := int64(len(text(in.Get("reply"))))
			ns := 1000 + n*n*n
			if !strings.Contains(value.Dumps(in), `"open`) { // the plain template, beside which streams are timed
				ns = 1000 + n
			}
			out = append(out, corpus.Outcome{Kind: corpus.OK, Value: value.Members(member("ns", value.List(value.Int(ns))))})
		}
		return out, nil
	}
	if op == engine.OpParse || op == engine.OpStream {
		own := make([]corpus.Case, len(cases))
		for i, c := range cases {
			own[i] = with(c, "inline", value.Member{Name: "response_template", Value: a.template})
		}
		cases = own
	}
	return a.Asker.Ask(ctx, op, cases)
}

// replySubject is the clean chat template with a response template.
func replySubject(t *testing.T, e engine.Engine, template value.Value) *Subject {
	s := Inline(e, "fixture", replyFile(t, "reply/chat.jinja"))
	s.Asker, s.ResponseTemplate = inline{s.Asker, template}, template
	s.Reader, s.ReaderError = response.Compile(template)
	return s
}

// replyFile is a fixture as text.
func replyFile(t *testing.T, name string) string {
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func replyFixture(t *testing.T, name string) value.Value {
	v, err := value.Loads(replyFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// set puts a value at a path of names in an object.
func set(o value.Value, path string, v value.Value) {
	name, rest, more := strings.Cut(path, ".")
	object, _ := o.AsObject()
	if !more {
		object.Set(name, v)
		return
	}
	set(object.Value().Get(name), rest, v)
}

// Each law is silent on the clean template, and asked something.
func TestReplyLawsSilent(t *testing.T) {
	s := replySubject(t, python(t), replyFixture(t, "reply/clean.json"))
	r, err := Check(t.Context(), s, ReplyLaws())
	if err != nil || len(r.NotChecked) > 0 {
		t.Fatal(err, r.NotChecked)
	}
	for _, rule := range r.Rules {
		if rule.Asked == 0 || rule.Held != rule.Asked {
			t.Errorf("%s held in %d of %d", rule.ID, rule.Held, rule.Asked)
		}
		if rule.Help == "" {
			t.Errorf("%s has no page", rule.ID)
		}
	}
	for _, f := range r.Findings {
		t.Errorf("%s %s: %s %v %+v", f.Level, f.Rule, f.Message, f.Cases, f.Smallest.Sides)
	}
}

// Each planted fault breaks its law, at its level, and the finding says what it is
// about.
func TestReplyLawsFire(t *testing.T) {
	e := python(t)
	faults, _ := replyFixture(t, "reply/faults.json").AsArray()
	fired := map[string]bool{}
	for _, fault := range faults.All() {
		t.Run(text(fault.Get("fault")), func(t *testing.T) {
			template := replyFixture(t, "reply/clean.json")
			set(template, text(fault.Get("at")), fault.Get("is"))
			id := text(fault.Get("law"))
			var laws []Law
			for _, l := range ReplyLaws() {
				if l.ID == id {
					laws = append(laws, l)
				}
			}
			r, err := Check(t.Context(), replySubject(t, e, template), laws)
			if err != nil || len(r.NotChecked) > 0 {
				t.Fatal(err, r.NotChecked)
			}
			for _, f := range r.Findings {
				if f.Level == report.Level(text(fault.Get("level"))) && strings.Contains(f.Message, text(fault.Get("says"))) {
					fired[id] = true
					return
				}
			}
			t.Errorf("%s does not fire: %+v", id, r.Findings)
		})
	}
	for _, l := range ReplyLaws() {
		if !fired[l.ID] {
			t.Errorf("no fault breaks %s", l.ID)
		}
	}
}

// Without a response template there is nothing to ask.
func TestReplyLawsWithout(t *testing.T) {
	s := Inline(nil, "nothing", "{{ messages }}")
	r, err := Check(t.Context(), s, ReplyLaws())
	if err != nil || len(r.Findings) > 0 {
		t.Errorf("%v %v", err, r.Findings)
	}
}
