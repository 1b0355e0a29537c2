package law

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// turn is a turn of the model as the chat template writes it: what the model would
// have generated, behind the prompt that it answers.
type turn struct {
	id, why string
	prompt  string
	text    string // up to where the model stops, the stop token with it
	after   string // what the template writes behind that
	stop    string // the stop token, "" where the text ends with none
	message value.Value
	tools   value.Value
	quotes  bool        // the caller's own text is structure
	alike   bool        // its text looks like structure to some formats
	got     value.Value // what was read of it
}

//go:embed turns/turns.json
var turnFile string

// turnShapes are turns that try values: each behind one question.
var turnShapes = sync.OnceValue(func() []*Shape {
	file, err := value.Loads(turnFile)
	if err != nil {
		panic(err) // the file is a part of this package
	}
	tools := value.List(file.Get("tool"))
	name := file.Get("tool").Get("function").Get("name")
	list, _ := file.Get("turns").AsArray()
	var out []*Shape
	for _, v := range list.All() {
		s := &Shape{ID: text(v.Get("id")), Why: text(v.Get("why"))}
		s.lookalike, _ = v.Get("lookalike").AsBool()
		answer := message("assistant")
		members, _ := answer.AsObject()
		given, _ := v.Get("message").AsObject()
		for key, part := range given.All() {
			members.Set(key, part)
		}
		calls := value.List()
		for i, key := range []string{"call", "second"} {
			of, _ := v.AsObject()
			if args, ok := of.Get(key); ok {
				a, _ := calls.AsArray()
				a.Append(value.Members(member("id", str(fmt.Sprintf("call_a%d", i+1))), member("type", str("function")),
					member("function", value.Members(member("name", name), member("arguments", args)))))
			}
		}
		var more []value.Member
		offered := value.Value{}
		if a, _ := calls.AsArray(); a.Len() > 0 {
			members.Set("tool_calls", calls)
			offered = tools
			more = append(more, member("tools", tools))
		}
		s.step(offered, more, said("user", "Sound the harbour."))
		s.step(offered, more, answer)
		out = append(out, s)
	}
	return out
})

// turned are the turns of a subject, and the shapes of which the turn does not
// follow its own prompt.
type turned struct {
	turns     []turn
	unaligned []string
}

// turns are those that the template writes so that they can be cut out: each
// assistant's message that ends one of the shapes' conversations. They are asked
// for once, and must not be changed.
func (s *Subject) turns(ctx context.Context) (*turned, error) {
	if s.turned != nil {
		return s.turned, nil
	}
	var of []*Shape
	var at []int
	var cases []corpus.Case
	for _, shape := range append(slices.Clone(Shapes()), turnShapes()...) {
		if shape.Media || shape.Advisory {
			continue
		}
		last := shape.Last()
		i := len(last.Messages) - 1
		for i >= 0 && text(last.Messages[i].Get("role")) != "assistant" {
			i--
		}
		if i < 1 {
			continue
		}
		before, after := cutConversation(last, i), cutConversation(last, i+1)
		of, at = append(of, shape), append(at, i)
		cases = append(cases,
			with(before, "turn-prompt", member("add_generation_prompt", value.Bool(true))),
			with(after, "turn", member("add_generation_prompt", value.Bool(false))),
			with(before, "turn-closed", member("add_generation_prompt", value.Bool(false))))
	}
	got, err := s.Asker.Ask(ctx, engine.OpRender, cases)
	if err != nil {
		return nil, err
	}
	out := &turned{}
	for i, shape := range of {
		prompt, ok := promptOf(got[3*i])
		whole, ok2 := promptOf(got[3*i+1])
		closed, _ := promptOf(got[3*i+2])
		if !ok || !ok2 {
			continue // it is refused: a law of prompts tells it
		}
		if !strings.HasPrefix(whole, prompt) {
			if prompt = s.header(closed, whole); prompt == "" {
				out.unaligned = append(out.unaligned, shape.ID)
				continue
			}
		}
		last := shape.Last()
		t := turn{id: "check/" + shape.ID + "/turn", why: shape.Why, prompt: prompt, message: last.Messages[at[i]], tools: last.Tools, quotes: shape.Quotes, alike: shape.lookalike}
		t.end(whole[len(prompt):], append(slices.Clone(s.Added), slices.Sorted(maps.Values(s.Special))...))
		out.turns = append(out.turns, t)
	}
	s.turned = out
	return out, nil
}

// cutConversation is a render case of the first n messages.
func cutConversation(step *Step, n int) corpus.Case {
	return with(step.Prompt, fmt.Sprint(n), member("messages", value.List(step.Messages[:n]...)))
}

// header finds where the turn begins that whole adds to a conversation: behind the
// start anchor of the response template. "" where it is not found.
func (s *Subject) header(closed, whole string) string {
	if !strings.HasPrefix(whole, closed) {
		return ""
	}
	p := startAnchor(s.ResponseTemplate)
	if p == nil {
		return ""
	}
	m, ok, err := p.NewScan().Search(whole, len(closed))
	if err != nil || !ok {
		return ""
	}
	return whole[:m.End]
}

// startAnchor is the pattern of a turn's start, nil where it cannot be read.
func startAnchor(template value.Value) *rx.Pattern {
	if src, ok := template.Get("start_anchor_pattern").AsString(); ok {
		p, err := rx.Compile(src)
		if err != nil {
			return nil
		}
		return p
	}
	v := template.Get("start_anchor")
	literals := texts(v)
	if one, ok := v.AsString(); ok {
		literals = []string{one}
	}
	if len(literals) == 0 || slices.Contains(literals, "") {
		return nil
	}
	return rx.Literals(literals...)
}

// markerLike is what special tokens look like.
var markerLike = regexp.MustCompile(`(?:<[^<>\s]{1,40}>|\[/?[A-Z_]{2,20}\])$`)

// end takes a turn's text apart at where the model stops: with the last marker,
// before the white space that the template adds.
func (t *turn) end(written string, known []string) {
	t.text = strings.TrimRight(written, " \t\r\n")
	for _, token := range known {
		if token != "" && strings.HasSuffix(t.text, token) && len(token) > len(t.stop) {
			t.stop = token
		}
	}
	if found := markerLike.FindString(t.text); t.stop == "" && (!strings.HasPrefix(found, "</") || found == "</s>") {
		t.stop = found
	}
	if t.stop == "" {
		t.text = written
	}
	t.after = written[len(t.text):]
}

// read is the turn's text as a parse case.
func (t *turn) read(suffix, prefix, reply string) corpus.Case {
	o := value.NewObject(3)
	o.Set("reply", value.String(reply))
	o.Set("prefix", value.String(prefix))
	if t.tools.Kind() == value.KindArray {
		o.Set("tools", t.tools)
	}
	return corpus.Case{ID: t.id + "-" + suffix, Kind: corpus.Parse, Why: t.why, Input: o}
}
