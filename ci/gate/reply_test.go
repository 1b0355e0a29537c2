package gate

import (
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

func ok(t *testing.T, text string) corpus.Outcome {
	t.Helper()
	v, err := value.Loads(text)
	if err != nil {
		t.Fatal(err)
	}
	return corpus.Outcome{Kind: corpus.OK, Value: v}
}

// The rule of two messages is the gravest that holds.
func TestReplyRule(t *testing.T) {
	refused := corpus.Outcome{Kind: corpus.Raised, Class: "ValueError", Message: "a"}
	const call = `{"tool_calls": [{"function": {"name": "f", "arguments": {"n": 2, "s": "x"}}}]}`
	for _, tt := range []struct {
		name       string
		base, cand corpus.Outcome
		rule, path string
	}{
		{"the same", ok(t, call), ok(t, call), "", ""},
		{"an argument that is gone", ok(t, call), ok(t, `{"tool_calls": [{"function": {"name": "f", "arguments": {"n": 2}}}]}`), ruleValueLost, "$.tool_calls.function.arguments"},
		{"a call that is gone", ok(t, call), ok(t, `{"tool_calls": []}`), ruleValueLost, "$.tool_calls.function.name"},
		{"a number as text", ok(t, call), ok(t, `{"tool_calls": [{"function": {"name": "f", "arguments": {"n": "2", "s": "x"}}}]}`), ruleTypeLost, "$.tool_calls.function.arguments"},
		{"arguments as text", ok(t, call), ok(t, `{"tool_calls": [{"function": {"name": "f", "arguments": "{\"n\": 2}"}}]}`), ruleTypeLost, "$.tool_calls.function.arguments"},
		{"a number that is nought now", ok(t, call), ok(t, `{"tool_calls": [{"function": {"name": "f", "arguments": {"n": 0, "s": "x"}}}]}`), ruleReply, "$.tool_calls.function.arguments"},
		{"another text", ok(t, `{"content": "a"}`), ok(t, `{"content": "b"}`), ruleReply, "$.content"},
		{"a text that is empty now", ok(t, `{"content": "a"}`), ok(t, `{"content": ""}`), ruleValueLost, "$.content"},
		{"what was read is refused", ok(t, call), refused, ruleUnread, "$error"},
		{"what was refused is read", refused, ok(t, call), ruleRead, "$error"},
		{"another text of an error", refused, corpus.Outcome{Kind: corpus.Raised, Class: "ValueError", Message: "b"}, "", ""},
		{"another error", refused, corpus.Outcome{Kind: corpus.Raised, Class: "KeyError", Message: "a"}, ruleReply, "$error"},
		{"no answer", ok(t, call), corpus.Outcome{Kind: corpus.Failed, Why: "timed out"}, ruleEngine, "$error"},
		{"no answer of the base", corpus.Outcome{Kind: corpus.Failed}, ok(t, call), "", ""},
	} {
		rule, where := replyRule(&change{base: tt.base, cand: tt.cand})
		path := ""
		if where != nil {
			path = fieldOf(where.Path)
		}
		if rule != tt.rule || path != tt.path {
			t.Errorf("%s: %s at %q, want %s at %q", tt.name, rule, path, tt.rule, tt.path)
		}
	}
}

// Each rule has a page, and advice.
func TestRules(t *testing.T) {
	for _, u := range Rules() {
		if u.Help == "" || u.Title == "" || advice[u.ID] == "" {
			t.Errorf("%s: title %q, page %q, advice %q", u.ID, u.Title, u.Help, advice[u.ID])
		}
	}
}
