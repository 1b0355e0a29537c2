package chat

import (
	"reflect"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
)

const (
	greeting = "<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>Hi!<|return|>"
	head     = "<|start|>assistant to=f<|channel|>analysis <|constrain|>xml<|message|>"
	paramA   = "<rfl:parameter name=\"a\">\n1\n</rfl:parameter>"
	lookup   = head + paramA + "<|call|>"
	plan     = "<|channel|>analysis<|message|>plan<|end|>"
)

// What public servers got wrong (bug-reports.md, by number), for every cut.
func TestBugReports(t *testing.T) {
	length, token, unknown := harmony.StopLength(), harmony.StopToken("<|call|>"), harmony.StopUnknown()
	call := func(i int, name, arguments string) Call {
		return Call{Index: i, ID: []string{"id1", "id2"}[i], Name: name, Arguments: arguments}
	}
	second := "<|start|>assistant to=g<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name=\"b\">\n2\n</rfl:parameter><|call|>"
	for _, c := range []struct {
		name, reply string
		stop        harmony.Stop
		want        Message
		reason      string
		withheld    int
	}{
		{"8: recipient behind the channel", "<|channel|>analysis to=grep code<|message|>{\"p\":\"x\"}<|call|>", token, Message{}, Stop, 0},
		{"8: recipient before it", " to=grep<|channel|>analysis <|constrain|>xml<|message|>" + paramA + "<|call|>", token,
			Message{Calls: []Call{call(0, "grep", `{"a": "1"}`)}}, ToolCalls, 0},
		{"12: several tokens a step", plan + lookup, token, Message{Reasoning: "plan", Calls: []Call{call(0, "f", `{"a": "1"}`)}}, ToolCalls, 0},
		{"15: a JSON body", head + `{"a":1}]<|call|>`, token, Message{Calls: []Call{call(0, "f", "{}")}}, ToolCalls, 0},
		{"38: no parameters", head + "<|call|>", token, Message{Calls: []Call{call(0, "f", "{}")}}, ToolCalls, 0},
		{"45: a cut header", plan + "<|start|>assistant to=f<|chan", unknown, Message{Reasoning: "plan"}, Stop, 0},
		{"46: cut in an argument", plan + head + paramA + "<rfl:parameter name=\"b\">hal", length, Message{Reasoning: "plan"}, Length, 1},
		{"46: stopped in an argument", plan + head + paramA + "<rfl:parameter name=\"b\">hal", token, Message{Reasoning: "plan"}, Stop, 1},
		{"46: cut behind an argument", plan + head + paramA, length, Message{Reasoning: "plan"}, Length, 1},
		{"46: the stop token stripped", plan + head + paramA, token, Message{Reasoning: "plan", Calls: []Call{call(0, "f", `{"a": "1"}`)}}, ToolCalls, 0},
		{"46: cut in the second call", lookup + head + paramA, length, Message{Calls: []Call{call(0, "f", `{"a": "1"}`)}}, Length, 1},
		{"46: cut in an answer behind a call", lookup + "<|start|>assistant<|channel|>final<|message|>So", length,
			Message{Content: "So", Calls: []Call{call(0, "f", `{"a": "1"}`)}}, Length, 0},
		{"47: two calls and a newline", lookup + second + "\n", token, Message{Calls: []Call{call(0, "f", `{"a": "1"}`), call(1, "g", `{"b": "2"}`)}}, ToolCalls, 0},
	} {
		c.want.Role = harmony.Assistant
		o := response.Options{Prefix: new(string), Stop: c.stop}
		for name, chunks := range cuts(c.reply) {
			got := read(beam(t), o, chunks, nil)
			if got.err != nil || !reflect.DeepEqual(got.Message, c.want) || got.FinishReason != c.reason || len(got.Withheld) != c.withheld {
				t.Fatalf("%s, cut by %s:\ngot  %+v\nwant %+v %s", c.name, name, got, c.want, c.reason)
			}
			if err := law(beam(t), o, c.reply, got); err != nil {
				t.Fatalf("%s, cut by %s: %v", c.name, name, err)
			}
		}
	}
}
