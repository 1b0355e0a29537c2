package render

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
)

// assistantHead is the generation prompt.
const assistantHead = beam.MarkStart + "assistant"

// CheckMask compares the spans of a finished conversation with what prompts of its
// beginnings show: a turn of the model is what the prompt of all messages up to it
// has more than the generation prompt before it.
func CheckMask(sub Subject, c *conversation.Conversation, tally Tally) *Violation {
	req := sub.decode(c)
	if req == nil || req.Continue != "" {
		return nil
	}
	req.GenerationPrompt = beam.Off
	text, err := sub.Render(req)
	r, err2 := sub.Spans(req)
	if fmt.Sprint(err) != fmt.Sprint(err2) || r.Text != text {
		return &Violation{RightMask, c, fmt.Sprintf("the prompt is %q, %v; with spans %q, %v", text, err, r.Text, err2)}
	}
	if err != nil {
		return nil
	}
	next := 0
	for i := range req.Messages {
		if req.Messages[i].Role != harmony.Assistant {
			continue
		}
		before, err := sub.prompt(req, i, beam.On)
		after, err2 := sub.prompt(req, i+1, beam.Off)
		if classOf(err) != "" && err2 == nil { // the check of missing reasoning is made with a generation prompt only
			before, err = sub.prompt(req, i, beam.Off)
			before += assistantHead
		}
		want := harmony.Span{Start: int64(len(before)), End: int64(len(after))}
		switch {
		case err != nil || err2 != nil:
			return &Violation{RightMask, c, fmt.Sprintf("the conversation renders, its first %d messages do not: %v, %v", i+1, err, err2)}
		case next >= len(r.Spans) || r.Spans[next] != want:
			return &Violation{RightMask, c, fmt.Sprintf("message %d is at %v, and the spans are %v", i, want, r.Spans)}
		}
		turn := r.Text[want.Start:want.End]
		if !strings.HasPrefix(turn, beam.MarkChannel) || !strings.HasSuffix(turn, beam.MarkReturn) && !strings.HasSuffix(turn, beam.MarkCall) {
			return &Violation{RightMask, c, fmt.Sprintf("message %d is %q", i, turn)}
		}
		next++
		tally("turns in a mask")
	}
	if next != len(r.Spans) {
		return &Violation{RightMask, c, fmt.Sprintf("%d turns, and the spans are %v", next, r.Spans)}
	}
	return nil
}
