package corpus

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// byID gives the want of a shipped case.
func byID(t *testing.T, id string) value.Value {
	t.Helper()
	for _, c := range Embedded() {
		if c.ID == id {
			if c.Want.Kind != OK {
				t.Fatalf("%s wants an error", id)
			}
			return c.Want.Value
		}
	}
	t.Fatalf("no case is called %s", id)
	return value.Value{}
}

// Cases that say one thing in several ways want one answer.
func TestSameWants(t *testing.T) {
	for _, ids := range [][]string{
		{"bugs/render/25-content-null", "bugs/render/25-content-missing", "bugs/render/25-content-empty", "bugs/render/25-content-list"},
		{"bugs/render/18-call", "bugs/render/18-rendered-again"},
		{"bugs/parse/12-cut-1", "bugs/parse/12-cut-2", "bugs/parse/12-cut-3", "bugs/parse/12-cut-5", "bugs/parse/12-cut-8", "bugs/parse/12-close-and-open"},
		{"bugs/parse/45-truncated-open", "bugs/parse/45-truncated-open-characters"},
		{"documentation/stream/example", "documentation/stream/whole", "documentation/stream/characters", "documentation/parse/answer"},
		{"documentation/instructions/system", "documentation/instructions/developer"},
		{"documentation/reasoning/thinking", "documentation/reasoning/reasoning"},
		{"documentation/results/by-name", "documentation/results/by-id", "documentation/results/by-both"},
		{"documentation/effort/max", "documentation/effort/none", "documentation/system/example"},
		{"decisions/turns/empty-null", "decisions/turns/empty-missing", "decisions/turns/empty-empty", "decisions/turns/empty-no-parts"},
	} {
		for _, id := range ids[1:] {
			if !value.Equal(byID(t, ids[0]), byID(t, id)) {
				t.Errorf("%s and %s want different answers", ids[0], id)
			}
		}
	}
}

// A prompt goes on where the one before it and the model stopped.
func TestPrefixWants(t *testing.T) {
	for _, ids := range [][]string{
		{"bugs/render/16-before", "bugs/render/16-first", "bugs/render/16-third"},
		{"bugs/render/16-first", "bugs/render/16-second"},
		{"bugs/render/16-first", "bugs/render/16-first-prompted"},
		{"bugs/render/23-answering-second", "bugs/render/23-inside-loop", "bugs/render/23-third-turn"},
		{"bugs/render/30-append-before", "bugs/render/30-append-after"},
	} {
		for i, id := range ids[1:] {
			before, _ := byID(t, ids[i]).AsString()
			after, _ := byID(t, id).AsString()
			if !strings.HasPrefix(after, before) || len(after) == len(before) {
				t.Errorf("what %s wants does not go on from %s", id, ids[i])
			}
		}
	}
}

// What a parse case reads is what the render case beside it writes back.
func TestRoundTripWants(t *testing.T) {
	messages := func(id string) *value.Array {
		for _, c := range Embedded() {
			if c.ID == id {
				v, _ := c.Input.Get("messages")
				list, _ := v.AsArray()
				return list
			}
		}
		t.Fatalf("no case is called %s", id)
		return nil
	}
	for parse, render := range map[string]string{
		"documentation/parse/answer":    "documentation/reasoning/parsed-answer",
		"documentation/parse/tool-call": "documentation/reasoning/parsed-call",
	} {
		if got, want := messages(render).At(1), byID(t, parse); !value.Equal(got, want) {
			t.Errorf("%s does not send back what %s reads:\n%#v\n%#v", render, parse, got, want)
		}
	}
}
