package beam_test

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// everyText is a request that has a text of the caller's own, <x>, in each place.
const everyText = `{"messages": [
	{"role": "<x>", "content": "<x>", "name": "<x>", "tool_call_id": "<x>", "<k>": "<x>"},
	{"role": "user", "content": [{"type": "text", "text": "<x>", "<k>": ["<x>"]}, {"type": "<x>"}]},
	{"role": "assistant", "thinking": "<x>", "reasoning_content": "<x>", "content": {"<k>": "<x>"}, "tool_calls": [
		{"id": "<x>", "type": "<x>", "function": {"name": "<x>", "arguments": {"<k>": ["<x>", 1, null, true]}, "<k>": "<x>"}, "<k>": "<x>"}]}],
	"tools": [{"type": "<x>", "function": {"name": "<x>", "parameters": {"<k>": {"enum": ["<x>"]}}}}],
	"reasoning_effort": "<x>", "model_identity": "<x>", "builtin_tools": ["<x>"], "template_kwargs": {"<k>": "<x>"}}`

// MapText reaches each text and no name of a member, and leaves the request as
// it was.
func TestMapText(t *testing.T) {
	req, err := beam.ParseRequest(everyText)
	if err != nil {
		t.Fatal(err)
	}
	req.Messages[0].Raw = "<x>"
	shown := func(r *beam.Request) string {
		var b strings.Builder
		for i := range r.Messages {
			b.WriteString(value.Dumps(r.Messages[i].Value()))
		}
		for _, tool := range r.Tools {
			b.WriteString(value.Dumps(tool.Def))
		}
		b.WriteString(value.Dumps(r.Effort.Value()) + r.Identity + strings.Join(r.BuiltinTools, ",") + value.Dumps(r.Args.Value()))
		return b.String()
	}
	before := shown(req)
	mapped := req.MapText(func(s string) string { return strings.ReplaceAll(s, "<x>", "<y>") })
	if got, want := shown(mapped), strings.ReplaceAll(before, "<x>", "<y>"); got != want || strings.Count(want, "<y>") != 24 {
		t.Errorf("%d texts:\n got %s\nwant %s", strings.Count(want, "<y>"), got, want)
	}
	if shown(req) != before || mapped.Messages[0].Raw != "<x>" {
		t.Error("the request itself, or what the model wrote, has changed")
	}
}

// What marks its texts is rendered with the marks; text and masks cannot be safe.
func TestSanitize(t *testing.T) {
	const refused = "ValueError: `sanitize_control_tokens=True` requires"
	for _, tt := range []struct{ request, err string }{
		{`{"messages": [{"role": "user", "content": "<x>"}], "sanitize_control_tokens": true}`, refused},
		{`{"messages": [{"role": "user", "content": "<x>"}], "template_kwargs": {"sanitize_control_tokens": 1}}`, refused},
		{`{"messages": [{"role": "nobody"}], "sanitize_control_tokens": true}`, refused},
		{`{"messages": [{"role": "user", "content": "<x>"}], "sanitize_control_tokens": false}`, ""},
		{`{"messages": [], "sanitize_control_tokens": true}`, "ValueError: Cannot apply chat template to an empty"},
		{`{"messages": [{"role": "assistant"}], "sanitize_control_tokens": true, "continue_final_message": true, "add_generation_prompt": true}`, "ValueError: continue_final_message and"},
	} {
		req, err := beam.ParseRequest(tt.request)
		if err != nil {
			t.Fatal(err)
		}
		_, renderErr := beam.Render(req)
		_, maskErr := beam.RenderSpans(req)
		for _, err := range []error{renderErr, maskErr} {
			if (err == nil) != (tt.err == "") || err != nil && !strings.HasPrefix(err.Error(), tt.err) {
				t.Errorf("%s: %v, want %s", tt.request, err, tt.err)
			}
		}
		if tt.err != refused || strings.Contains(tt.request, "nobody") {
			continue
		}
		text, err := beam.RenderMarked(req, func(s string) string { return strings.ReplaceAll(s, "<x>", "[<x>]") })
		if err != nil || !strings.Contains(text, "<|message|>[<x>]<|end|>") {
			t.Errorf("%s: %q %v", tt.request, text, err)
		}
	}
	if _, err := beam.RenderMarked(nil, nil); err == nil {
		t.Error("a request that is nil is no error")
	}
}
