package law

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony/value"
)

func message(role string, members ...value.Member) value.Value {
	return value.Members(append([]value.Member{{Name: "role", Value: value.String(role)}}, members...)...)
}

func member(name string, v value.Value) value.Member { return value.Member{Name: name, Value: v} }

func said(role, text string) value.Value { return message(role, member("content", value.String(text))) }

// longHistory is sixteen exchanges: what a template does to each turn adds up.
func longHistory() *Shape {
	s := &Shape{ID: "long-history", Why: "Sixteen exchanges: what is rewritten once a turn is rewritten sixteen times.", Fields: []string{"role"}}
	s.step(value.Null(), nil, said("user", "What is query00next?"))
	for i := 1; i <= 16; i++ {
		s.step(value.Null(), nil, said("assistant", fmt.Sprintf("That is reply%02dgiven.", i)), said("user", fmt.Sprintf("What is query%02dnext?", i)))
	}
	return s
}

// longLoop is eight rounds of calls with reasoning and no user between them.
func longLoop(tool value.Value) *Shape {
	s := &Shape{ID: "long-loop", Why: "Eight rounds of reasoning and calls, as an agent works on a task alone.", Fields: []string{"reasoning", "content", "tool"}}
	tools := value.List(tool)
	more := []value.Member{member("tools", tools)}
	s.step(tools, more, said("user", "Survey eight portcities."))
	for i := 1; i <= 8; i++ {
		id := value.String(fmt.Sprintf("call_%d", i))
		call := value.Members(member("id", id), member("type", value.String("function")), member("function", value.Members(
			member("name", value.String("get_weather")), member("arguments", value.Members(member("town", value.String(fmt.Sprintf("village%02dside", i))))))))
		s.step(tools, more,
			message("assistant", member("reasoning_content", value.String(fmt.Sprintf("Look at place%02dfirst.", i))), member("content", value.String("")), member("tool_calls", value.List(call))),
			message("tool", member("tool_call_id", id), member("name", value.String("get_weather")), member("content", value.String(fmt.Sprintf("It has gauge%02dread.", i)))))
	}
	return s
}

func list(items ...value.Value) value.Value { return value.List(items...) }
