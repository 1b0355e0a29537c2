//go:build tokenizers && cgo

package token

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// texts for conversations: scripts, emoji, combining marks, spaces of many kinds,
// controls, and what looks like markers.
var lawTexts = []string{
	"Hello, world.", "Größe", "世界", "안녕", "👋🏽", "a\u0301\u0327", "\u200d", "\u00a0", "\u3000x", "\t", "\n\n", "\r\n", "  two", "x  ", "\u2028", "\ufeff", "𐐷", "\U0010ffff", "\x00", "\x7f",
	"don't", "12345", "ﬁ", "İ", "ß", "<", "<|", "<|en", "d|>", "|>", "<|unknown|>", "</rfl:parameter", "{\"a\": [1, 2]}", "def f(x):\n    return x\n", "",
}

// lawConversation makes a request of such texts.
func lawConversation(r *rand.Rand) value.Value {
	text := func() value.Value {
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteString(lawTexts[r.IntN(len(lawTexts))])
		}
		return value.String(b.String())
	}
	member := func(name string, v value.Value) value.Member { return value.Member{Name: name, Value: v} }
	var messages []value.Value
	add := func(role string, more ...value.Member) {
		messages = append(messages, value.Members(append([]value.Member{member("role", value.String(role))}, more...)...))
	}
	if r.IntN(2) == 0 {
		add("system", member("content", text()))
	}
	for range 1 + r.IntN(4) {
		add("user", member("content", text()))
		if r.IntN(3) == 0 {
			call := value.Members(member("type", value.String("function")), member("function", value.Members(
				member("name", value.String("f")), member("arguments", value.Members(member("a", text()), member("b", value.List(text(), value.Int(7))))))))
			add("assistant", member("thinking", text()), member("tool_calls", value.List(call)))
			add("tool", member("name", value.String("f")), member("content", text()))
			continue
		}
		add("assistant", member("thinking", text()), member("content", text()))
	}
	return value.Members(member("messages", value.List(messages...)))
}

// The laws hold of many conversations, with the real encoder of each shipped
// tokenizer; of those that a SentencePiece-like one cannot keep, it is said where.
func TestLawsOfEncoder(t *testing.T) {
	for _, name := range []string{"beam", "beam-special", "beam-byte-fallback"} {
		t.Run(name, func(t *testing.T) {
			v := shippedVocabulary(t, name)
			encoder, err := NewEncoder(readFile(t, name+"/tokenizer.json"))
			if err != nil {
				t.Fatal(err)
			}
			defer encoder.Close()
			if found := CheckMarkers(v, beam.Markers()); found != nil {
				t.Fatal(says(found))
			}
			r := rand.New(rand.NewPCG(11, 12))
			rendered, forged := 0, 0
			for range 600 {
				request := lawConversation(r)
				req, err := beam.DecodeRequest(request)
				if err != nil {
					t.Fatal(err)
				}
				result, err := beam.RenderSpans(req)
				if err != nil { // a text with a tag of the format, say
					continue
				}
				rendered++
				e, err := encoder.Encode(result.Text)
				if err != nil {
					t.Fatal(err)
				}
				pieces, err := CheckPieces(v, encoder, result.Text)
				if err != nil {
					t.Fatal(err)
				}
				found := slices.Concat(CheckEncoding(v, result.Text, e), pieces, CheckMask(v, e, Mask(e, result.Spans), result.Spans, beam.StopTokens()))
				if len(found) > 0 {
					t.Fatalf("%s\n%s", value.Dumps(request), says(found))
				}
				// What the request forges is what the prompt has too many.
				trace := traced(t, v, request)
				if trace.Text != result.Text {
					t.Fatalf("the marks changed the prompt of %s", value.Dumps(request))
				}
				control := CheckControl(v, trace, e)
				if len(control) != len(trace.Foreign) {
					t.Fatalf("%s\n%s", value.Dumps(request), says(control))
				}
				forged += len(control)
			}
			t.Logf("%d conversations; %d markers that callers' texts made together", rendered, forged)
			if rendered < 400 || forged == 0 {
				t.Error("too few conversations, or none that forges a marker")
			}
		})
	}
}
