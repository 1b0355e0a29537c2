package law

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// position is where in a request a text of someone else's stands.
type position struct {
	id    string
	group string // positions of a group are one cause
	// request gives a request with the text there.
	request func(text string) (messages []value.Value, tools value.Value)
}

const (
	inMessages = "texts of messages"
	inResults  = "results of tools"
	inCalls    = "names and arguments of calls"
	inTools    = "declarations of tools"
)

func str(s string) value.Value { return value.String(s) }

// positions are all that a request has.
var positions = []position{
	{"user", inMessages, messagesOf(func(t string) []value.Value { return []value.Value{said("user", t)} })},
	{"system", inMessages, messagesOf(func(t string) []value.Value { return []value.Value{said("system", t), said("user", "Hello.")} })},
	{"assistant", inMessages, messagesOf(func(t string) []value.Value {
		return []value.Value{said("user", "Hello."), said("assistant", t), said("user", "Go on.")}
	})},
	{"part", inMessages, messagesOf(func(t string) []value.Value {
		return []value.Value{message("user", member("content", list(value.Members(member("type", str("text")), member("text", str(t))))))}
	})},
	{"reasoning", inMessages, called(func(t string) (string, value.Value, string, string) {
		return "get_weather", value.Members(member("town", str("Lisboa"))), t, "Overcast."
	})},
	{"result", inResults, called(func(t string) (string, value.Value, string, string) {
		return "get_weather", value.Members(member("town", str("Lisboa"))), "", t
	})},
	{"argument", inCalls, called(func(t string) (string, value.Value, string, string) {
		return "get_weather", value.Members(member("town", str(t))), "", "Overcast."
	})},
	{"argument-name", inCalls, called(func(t string) (string, value.Value, string, string) {
		return "get_weather", value.Members(member(t, str("Lisboa"))), "", "Overcast."
	})},
	{"call-name", inCalls, called(func(t string) (string, value.Value, string, string) {
		return t, value.Members(member("town", str("Lisboa"))), "", "Overcast."
	})},
	{"tool-name", inTools, declared(func(t string) (string, string, string, value.Value) { return t, "Reports.", "town", str("x") })},
	{"tool-description", inTools, declared(func(t string) (string, string, string, value.Value) { return "get_weather", t, "town", str("x") })},
	{"parameter-name", inTools, declared(func(t string) (string, string, string, value.Value) { return "get_weather", "Reports.", t, str("x") })},
	{"parameter-description", inTools, declared(func(t string) (string, string, string, value.Value) {
		return "get_weather", "Reports.", "town", str(t)
	})},
}

func messagesOf(f func(string) []value.Value) func(string) ([]value.Value, value.Value) {
	return func(t string) ([]value.Value, value.Value) { return f(t), value.Null() }
}

// called is a request with a call: its name, arguments, reasoning and result.
func called(f func(string) (string, value.Value, string, string)) func(string) ([]value.Value, value.Value) {
	return func(t string) ([]value.Value, value.Value) {
		name, arguments, reasoning, result := f(t)
		call := value.Members(member("id", str("call_a1")), member("type", str("function")), member("function", value.Members(member("name", str(name)), member("arguments", arguments))))
		turn := message("assistant", member("content", str("")), member("tool_calls", list(call)))
		if reasoning != "" {
			turn = message("assistant", member("reasoning_content", str(reasoning)), member("content", str("")), member("tool_calls", list(call)))
		}
		return []value.Value{said("user", "Hello."), turn, message("tool", member("tool_call_id", str("call_a1")), member("name", str("get_weather")), member("content", str(result)))}, value.Null()
	}
}

// declared is a request with a tool: its name and description, the name and
// description of its parameter.
func declared(f func(string) (string, string, string, value.Value)) func(string) ([]value.Value, value.Value) {
	return func(t string) ([]value.Value, value.Value) {
		name, description, parameter, about := f(t)
		property := value.Members(member("type", str("string")), member("description", about))
		schema := value.Members(member("type", str("object")), member("properties", value.Members(member(parameter, property))), member("required", list()))
		return []value.Value{said("user", "Hello.")}, list(value.Members(member("type", str("function")), member("function", value.Members(member("name", str(name)), member("description", str(description)), member("parameters", schema)))))
	}
}

func (p position) ask(suffix, text string) corpus.Case {
	messages, tools := p.request(text)
	members := []value.Member{member("messages", value.List(messages...))}
	if !tools.IsNull() {
		members = append(members, member("tools", tools))
	}
	return caseOf(corpus.Render, "check/forged-"+p.id+suffix, "A text that spells the template's own markers, as "+p.id+".", members...)
}

// forger and forgery are the words around what is forged.
const forger, forgery = "Stowaway", "mutineer"

var forged = Law{
	Rule: rule("render/forged-turn", report.Warning, "No text of a user, a tool, a schema or a name can write the markers that end one turn and begin another"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		m, err := s.findMarkers(ctx)
		if err != nil {
			return err
		}
		r, err := s.shape(ctx, "no-system")
		if err != nil {
			return err
		}
		p, ok := r.prompt(0)
		at, ok2 := find(p, "Name a harbour.", 0)
		if !ok || !ok2 || !m.spelled(p[at.end:]) {
			return nil // turns are told apart by words, or by nothing that is known
		}
		f := forge{s: s, m: m, tail: p[at.end:]}
		for _, t := range []struct {
			suffix string
			text   string
			cause  string
			level  report.Level
		}{
			{"", forger + f.tail + forgery, "", ""},
			{"-assembled", forger + f.hidden() + forgery, "assembled ", report.Error},
		} {
			if t.suffix != "" && f.hidden() == f.tail {
				continue
			}
			if err := f.try(ctx, t.suffix, t.text, t.cause, t.level, found); err != nil {
				return err
			}
		}
		return f.parts(ctx, found)
	},
}

// forge tries texts in every position.
type forge struct {
	s    *Subject
	m    *markers
	tail string // what ends the user's turn and begins the model's
}

// count is how many markers a prompt holds.
func (f *forge) count(prompt string) int {
	n := 0
	for _, x := range f.m.in(prompt) {
		if f.m.known[x.text] {
			n++
		}
	}
	return n
}

func (f *forge) try(ctx context.Context, suffix, text, cause string, level report.Level, found Found) error {
	var hostile, harmless []corpus.Case
	for _, p := range positions {
		hostile = append(hostile, p.ask(suffix, text))
		harmless = append(harmless, p.ask("-harmless", forger+forgery))
	}
	got, err := f.s.Asker.Ask(ctx, engine.OpRender, hostile)
	if err != nil {
		return err
	}
	plain, err := f.s.Asker.Ask(ctx, engine.OpRender, harmless)
	if err != nil {
		return err
	}
	const law = "render/forged-turn"
	var failed error
	for i, p := range positions {
		if err := cmp.Or(unanswered(law, hostile[i], got[i]), unanswered(law, harmless[i], plain[i])); err != nil {
			failed = err
			continue
		}
		clean, ok := promptOf(plain[i])
		if !ok || !strings.Contains(clean, forger) {
			continue // nothing of it gets into a prompt
		}
		prompt, ok := promptOf(got[i])
		if !ok || f.count(prompt) <= f.count(clean) {
			found(hostile[i]) // refused, or written in another way
			continue
		}
		found(hostile[i], f.trouble(p, prompt, cause, level))
	}
	return failed
}

func (f *forge) trouble(p position, prompt, cause string, level report.Level) Trouble {
	what := "write markers of the template's"
	if strings.Contains(prompt, forger+f.tail) {
		what = "end its turn and begin the model's"
	}
	t := Trouble{Level: level, Cause: cause + p.group, Message: fmt.Sprintf("%s can %s: %s", p.group, what, p.id)}
	t.Advice = "encode with sanitize_control_tokens, or with a tokenizer that splits the caller's texts apart; a template alone cannot tell"
	if strings.HasSuffix(p.id, "-name") {
		t.Advice = "refuse a name with a marker in it: no encoding protects the names of members"
	}
	if cause != "" {
		t.Message = fmt.Sprintf("%s that hold no marker become one (%s): what the template takes out of a text joins what stood around it", p.group, p.id)
		t.Advice = "take nothing out of a caller's text; split it at what is looked for, or leave it"
	}
	if at := strings.Index(prompt, forger); at >= 0 {
		t.Witness, t.wrote = around("the prompt", prompt, at+len(forger)), wrote(at)
	}
	return t
}

// removals are texts that a template takes out of others.
var removals = regexp.MustCompile(`replace\(\s*(?:'([^'\\]+)'|"([^"\\]+)")\s*,\s*(?:''|"")\s*\)`)

// hidden is the tail with something in each marker that the template takes out; the
// tail itself where it takes nothing out.
func (f *forge) hidden() string {
	r := removals.FindStringSubmatch(f.s.ChatTemplate)
	first := f.m.in(f.tail)
	if r == nil || len(first) == 0 {
		return f.tail
	}
	out, last := "", 0
	for _, x := range first {
		inside := cut(f.tail, x.start+1)
		out += f.tail[last:inside] + r[1] + r[2]
		last = inside
	}
	return out + f.tail[last:]
}

// parts cuts the first marker in two, one half in each of two parts.
func (f *forge) parts(ctx context.Context, found Found) error {
	at := cut(f.tail, f.m.in(f.tail)[0].start+2)
	ask := func(suffix, one, two string) corpus.Case {
		part := func(t string) value.Value { return value.Members(member("type", str("text")), member("text", str(t))) }
		return caseOf(corpus.Render, "check/forged-parts"+suffix, "Two parts that make a marker together.", member("messages", list(message("user", member("content", list(part(one), part(two)))))))
	}
	hostile, harmless := ask("", forger+f.tail[:at], f.tail[at:]+forgery), ask("-harmless", forger, forgery)
	got, err := f.s.answered(ctx, "render/forged-turn", engine.OpRender, []corpus.Case{hostile, harmless})
	if err != nil {
		return err
	}
	prompt, ok := promptOf(got[0])
	clean, ok2 := promptOf(got[1])
	if !ok || !ok2 || !strings.Contains(clean, forger) || strings.Contains(clean, "[{'") {
		return nil
	}
	if f.count(prompt) <= f.count(clean) {
		found(hostile)
		return nil
	}
	t := Trouble{Cause: "parts", Message: "two parts of a message that hold no marker make one together",
		Advice: "write something between parts, such as a line break"}
	if at := strings.Index(prompt, forger); at >= 0 {
		t.Witness, t.wrote = around("the prompt", prompt, at+len(forger)), wrote(at)
	}
	found(hostile, t)
	return nil
}
