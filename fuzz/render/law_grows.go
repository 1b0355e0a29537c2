package render

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
)

// CheckGrows compares the prompts of all beginnings of a conversation: each begins
// with the one before it, and a turn of the model with the generation prompt. The
// instructions at the start are one beginning, since they are one message.
func CheckGrows(sub Subject, c *conversation.Conversation, tally Tally) *Violation {
	req := sub.decode(c)
	if req == nil {
		return nil
	}
	req.Continue = ""
	last := ""
	for n := range len(req.Messages) + 1 {
		if n < len(req.Messages) && instruction(&req.Messages[n]) && last == "" {
			continue // one more of the instructions at the start
		}
		text, err := sub.prompt(req, n, beam.Off)
		if err != nil {
			return nil // nothing grows from here on
		}
		if !strings.HasPrefix(text, last) {
			return &Violation{Grows, c, fmt.Sprintf("the prompt of %d messages\n  %q\n  does not begin with that of one fewer\n  %q", n, text, last)}
		}
		if n > 0 && req.Messages[n-1].Role == harmony.Assistant && !strings.HasPrefix(text[len(last):], assistantHead) {
			return &Violation{Grows, c, fmt.Sprintf("message %d is written %q, and does not begin with the generation prompt", n-1, text[len(last):])}
		}
		if prompt, err := sub.prompt(req, n, beam.On); err == nil && prompt != text+assistantHead {
			return &Violation{Grows, c, fmt.Sprintf("the prompt of %d messages is\n  %q\n  with a generation prompt\n  %q", n, text, prompt)}
		}
		tally("prompts that grow")
		last = text
	}
	return nil
}

func instruction(m *harmony.Message) bool {
	return m.Role == harmony.System || m.Role == harmony.Developer
}
