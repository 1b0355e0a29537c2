package beam

import (
	"bytes"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// FuzzRender renders any request: no panic, the same twice and in both forms,
// spans that lie in the text where a turn begins and ends, requests that are
// not changed, messages that decode and encode to themselves.
func FuzzRender(f *testing.F) {
	for _, tt := range renderTests {
		f.Add(tt.request)
	}
	for _, tt := range errorTests {
		f.Add(tt.request)
	}
	for _, tt := range checkTests {
		f.Add(tt.request)
	}
	for _, tt := range continueTests {
		f.Add(`{"messages":[` + tt.message + `],"continue_final_message":` + tt.field + `}`)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := value.Loads(text)
		if err != nil {
			t.Skip()
		}
		req, err := DecodeRequest(v)
		if err != nil {
			t.Skip()
		}
		before := value.Dumps(v)
		Check(req)
		prompt, err := Render(req)
		again, err2 := AppendRender([]byte("x"), req)
		if text2 := string(again[1:]); text2 != prompt || !sameError(err, err2) || again[0] != 'x' {
			t.Fatalf("Render gives %q, %v; AppendRender %q, %v", prompt, err, text2, err2)
		}
		checkSpans(t, req, prompt, err)
		for i := range req.Messages {
			m, err := harmony.DecodeMessage(req.Messages[i].Value(), "")
			if err != nil || !value.Equal(m.Value(), req.Messages[i].Value()) {
				t.Fatalf("message %d: %#v becomes %#v, %v", i, req.Messages[i].Value(), m.Value(), err)
			}
			req.Messages[i] = m
		}
		if encoded, err2 := Render(req); encoded != prompt || !sameError(err, err2) {
			t.Fatalf("decoded %q, %v; encoded %q, %v", prompt, err, encoded, err2)
		}
		if after := value.Dumps(v); after != before {
			t.Fatalf("the request has changed from %s to %s", before, after)
		}
	})
}

func sameError(a, b error) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error())
}

// checkSpans renders the conversation as a finished one. Its spans lie each
// behind an assistant's header and end with a stop token, and nothing of the
// rest is the model's.
func checkSpans(t *testing.T, req *Request, prompt string, err error) {
	r, err2 := RenderSpans(req)
	if err2 != nil || req.Continue != "" {
		return
	}
	if err == nil && req.GenerationPrompt == Auto {
		r.Text += assistantHead
	}
	if err == nil && r.Text != prompt {
		t.Fatalf("with spans the text is %q, without %q", r.Text, prompt)
	}
	end, turns := int64(0), 0
	for _, s := range r.Spans {
		if s.Start < end || s.End < s.Start || s.End > int64(len(r.Text)) {
			t.Fatalf("spans %v of a text of %d bytes", r.Spans, len(r.Text))
		}
		span := r.Text[s.Start:s.End]
		if !strings.HasSuffix(r.Text[:s.Start], assistantHead) || !strings.HasPrefix(span, analysisHead) ||
			!strings.HasSuffix(span, MarkReturn) && !strings.HasSuffix(span, MarkCall) {
			t.Fatalf("span %q", span)
		}
		end = s.End
	}
	for i := range req.Messages {
		if req.Messages[i].Role == harmony.Assistant {
			turns++
		}
	}
	if turns != len(r.Spans) {
		t.Fatalf("%d turns, %d spans", turns, len(r.Spans))
	}
}

// FuzzName compares with Python's name.split() == [name] and "<" not in name.
func FuzzName(f *testing.F) {
	for _, name := range []string{"f", "", "a b", "a\u2003", "\x1c", "<", "日本", "a\x85", "a\u0085", "\xed\xa0\x80"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		fields := bytes.FieldsFunc([]byte(name), value.IsSpace)
		want := len(fields) == 1 && string(fields[0]) == name && !strings.Contains(name, "<")
		if isName(name) != want {
			t.Fatalf("%q: %v", name, !want)
		}
	})
}
