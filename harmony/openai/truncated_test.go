package openai

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// TestTruncated: what the limit of tokens leaves of a reply is a beginning of what the
// whole reply says, is told to be cut off where a message is open, and runs no call
// whose end was not seen (reply-syntaxes-spec.md, section 3, rule 6). Tokens are not
// cut inside a marker.
func TestTruncated(t *testing.T) {
	for _, row := range readings {
		reply := long(row.reply)
		whole, err := Parse(reply, options(row))
		if err != nil {
			t.Fatal(err)
		}
		for k := range len(reply) {
			if m, _, _ := nextMark(reply[lastMark(reply[:k]):k]); m == partMark || !utf8.RuneStart(reply[k]) {
				continue
			}
			o := options(row)
			o.Stop = harmony.StopLength()
			cut, err := Parse(reply[:k], o)
			if err != nil {
				t.Fatal(err)
			}
			for _, field := range [...]string{fieldThinking, fieldContent} {
				part, _ := cut.Message.Get(field).AsString()
				all, _ := whole.Message.Get(field).AsString()
				if !strings.HasPrefix(all, part) {
					t.Errorf("%s, cut at %d: %s %q, whole %q", row.name, k, field, part, all)
				}
			}
			for i, c := range cut.Calls {
				if c.Runnable != c.Closed || c.Runnable && (i >= len(whole.Calls) || !value.Equal(c.Value, whole.Calls[i].Value)) {
					t.Errorf("%s, cut at %d: call %d is %+v", row.name, k, i, c)
				}
			}
			if !strings.Contains(problems(cut.Reply), "cut_off") {
				t.Errorf("%s, cut at %d: no problem says so: %s", row.name, k, problems(cut.Reply))
			}
		}
	}
}

// lastMark is where the last < of s stands, or its end.
func lastMark(s string) int {
	if at := strings.LastIndexByte(s, '<'); at >= 0 {
		return at
	}
	return len(s)
}
