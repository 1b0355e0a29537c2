package law

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Shape is a form of conversation that a client of the OpenAI API sends, as the
// requests that it sends one after the other.
type Shape struct {
	// ID is stable. Why says who sends this, and what goes wrong with it.
	ID, Why string
	// Fields are words of which a refusal has to say one: the names of the fields, or
	// the roles, that a model may not be able to take.
	Fields []string
	// Advisory shapes are those that models refuse with good reason, or that servers
	// bring into another form first: what breaks with one is a warning at most.
	Advisory bool
	// Quotes says that the caller's own texts look like what a law looks for.
	Quotes bool
	// Media says that there are parts that are no text.
	Media bool
	// Core shapes are asked what is asked of a few only.
	Core bool
	// lookalike says that the model's text looks like structure to some formats.
	lookalike bool
	// Steps are the requests: the messages of each begin with those of the one
	// before.
	Steps []Step
}

// Step is one request of a shape.
type Step struct {
	// Messages are all of the request, Tools the list of tools, null where there is
	// none.
	Messages []value.Value
	Tools    value.Value
	// Prompt renders the request for the model to answer; Closed the same without a
	// generation prompt; Mask asks which of it the model wrote.
	Prompt, Closed, Mask corpus.Case
}

// Last is the whole conversation.
func (s *Shape) Last() *Step { return &s.Steps[len(s.Steps)-1] }

//go:embed shapes
var shapeFiles embed.FS

// shapeOrder is the order of a report.
var shapeOrder = []string{"text", "roles", "parts", "calls", "arguments", "results", "declared", "reasoning", "hostile"}

// Shapes are all of them, in the order of a report. They are shared and must not
// be changed.
var Shapes = sync.OnceValue(func() []*Shape {
	tools := shapeFile("tools")
	var out []*Shape
	for _, name := range shapeOrder {
		list, _ := shapeFile(name).AsArray()
		for _, v := range list.All() {
			out = append(out, shapeOf(v, tools))
		}
	}
	return append(out, longHistory(), longLoop(tools.Get("weather")))
})

// shapeFile reads one of the embedded files, which tests hold well formed.
func shapeFile(name string) value.Value {
	data, err := shapeFiles.ReadFile("shapes/" + name + ".json")
	if err != nil {
		panic(err)
	}
	v, err := value.Loads(string(data))
	if err != nil {
		panic(fmt.Errorf("shapes/%s.json: %w", name, err))
	}
	return v
}

func shapeOf(v, shelf value.Value) *Shape {
	s := &Shape{ID: text(v.Get("id")), Why: text(v.Get("why")), Fields: texts(v.Get("fields"))}
	tags := texts(v.Get("tags"))
	s.Advisory, s.Quotes = slices.Contains(tags, "advisory"), slices.Contains(tags, "quotes")
	s.Media, s.Core = slices.Contains(tags, "media"), slices.Contains(tags, "core")
	o, _ := v.AsObject()
	tools, given := o.Get("tools")
	if names, ok := tools.AsArray(); ok {
		list := value.List()
		a, _ := list.AsArray()
		for _, name := range names.All() {
			a.Append(shelf.Get(text(name)))
		}
		tools = list
	}
	var more []value.Member
	if given {
		more = append(more, value.Member{Name: "tools", Value: tools})
	}
	if kwargs, ok := o.Get("template_kwargs"); ok {
		more = append(more, value.Member{Name: "template_kwargs", Value: kwargs})
	}
	steps, _ := v.Get("steps").AsArray()
	for _, added := range steps.All() {
		list, _ := added.AsArray()
		var messages []value.Value
		for _, m := range list.All() {
			messages = append(messages, m)
		}
		s.step(tools, more, messages...)
	}
	return s
}

// step adds a request: the messages of the last one, and those that were added.
func (s *Shape) step(tools value.Value, more []value.Member, added ...value.Value) {
	t := Step{Tools: tools}
	if len(s.Steps) > 0 {
		t.Messages = slices.Clone(s.Last().Messages)
	}
	t.Messages = append(t.Messages, added...)
	for _, m := range added {
		role := text(m.Get("role"))
		if role == "tool" || m.Get("tool_calls").Truthy() {
			s.Fields = append(s.Fields, "tool") // a model without tools may refuse any of these
		}
		if role != "user" && role != "assistant" {
			s.Fields = append(s.Fields, "role", strings.ToLower(role)) // and one without the role that
		}
	}
	id := fmt.Sprintf("check/%s/%d", s.ID, len(s.Steps)+1)
	members := append([]value.Member{{Name: "messages", Value: value.List(t.Messages...)}}, more...)
	t.Prompt = caseOf(corpus.Render, id, s.Why, members...)
	t.Mask = caseOf(corpus.Mask, id+"-mask", s.Why, members...)
	t.Closed = caseOf(corpus.Render, id+"-closed", s.Why, append(slices.Clone(members), value.Member{Name: "add_generation_prompt", Value: value.Bool(false)})...)
	s.Steps = append(s.Steps, t)
}

func caseOf(kind corpus.Kind, id, why string, members ...value.Member) corpus.Case {
	in, _ := value.Members(members...).AsObject()
	return corpus.Case{ID: id, Kind: kind, Why: why, Input: in}
}

// with is a case with members set, under another id.
func with(c corpus.Case, suffix string, members ...value.Member) corpus.Case {
	in, _ := c.Input.Value().Clone().AsObject()
	for _, m := range members {
		in.Set(m.Name, m.Value)
	}
	c.ID, c.Input = c.ID+"-"+suffix, in
	return c
}

// text is a string, or "" for what is none.
func text(v value.Value) string {
	s, _ := v.AsString()
	return s
}

func texts(v value.Value) []string {
	var out []string
	if a, ok := v.AsArray(); ok {
		for _, item := range a.All() {
			out = append(out, text(item))
		}
	}
	return out
}
