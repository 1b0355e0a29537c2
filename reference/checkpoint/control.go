package checkpoint

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// ControlTokens are those of the added tokens that a text of the caller may not
// become when a conversation is encoded with sanitize_control_tokens: the special
// ones, and those that the configuration names under chat_control_tokens, else
// those that the chat template itself writes. (Transformers 5.24.0,
// PreTrainedTokenizerBase._get_control_tokens.)
func (c *Checkpoint) ControlTokens(template string, added []token.Added) []string {
	named, isNamed := c.Config.Get("chat_control_tokens").AsArray()
	var written func(text string) bool
	if isNamed {
		written = func(text string) bool {
			for _, v := range named.All() {
				if s, ok := v.AsString(); ok && s == text {
					return true
				}
			}
			return false
		}
	} else {
		all := strings.Join(Literals(template), "\x00")
		written = func(text string) bool { return strings.Contains(all, text) && !blank(text) }
	}
	var out []string
	for _, a := range added {
		if a.Special || written(a.Text) {
			out = append(out, a.Text)
		}
	}
	return out
}

// blank is Python's isspace, but for the empty text.
func blank(text string) bool { return value.Strip(text) == "" }
