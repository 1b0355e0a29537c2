// Package openai makes replies in OpenAI Harmony and says where two readings of one
// differ for a reason that is known.
//
//  1. [Reply] makes a reply: messages with every variant of the header that is met,
//     and in one of three a marker or a word put somewhere.
//  2. A reader of another kind, such as OpenAI's library, reads it to [Message]s.
//  3. [Compare] reads it with harmony/openai and says how the two differ.
package openai

import (
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/openai"
)

// Reply makes a reply to a prompt that ends with <|start|>assistant.
func Reply(s *fuzz.Source) string {
	var b strings.Builder
	n := 1 + s.N(4)
	for i := range n {
		switch {
		case i > 0 && s.OneIn(5):
			b.WriteString(openai.MarkStart + fuzz.Pick(s, "functions.f", "python", "assistant:bob", "user") + " to=assistant" + openai.MarkChannel + "commentary" + openai.MarkMessage)
		case i > 0:
			b.WriteString(openai.MarkStart)
			fallthrough
		case s.OneIn(8):
			b.WriteString("assistant")
			fallthrough
		default:
			header(s, &b)
		}
		for range s.N(5) {
			b.WriteString(fuzz.Pick(s, `{"a":1}`, "{}", "Hi ", "<", "<|", "|>", "<|en", "to=", "\n", " x ", "é", "東京 🙂"))
		}
		if i < n-1 || !s.OneIn(5) {
			b.WriteString(fuzz.Pick(s, openai.MarkEnd, openai.MarkEnd, openai.MarkReturn, openai.MarkCall))
		}
		if s.OneIn(50) {
			b.WriteString(fuzz.Pick(s, " ", "junk", "\n", openai.MarkStart))
		}
	}
	if s.OneIn(3) {
		return damage(s, b.String())
	}
	return b.String()
}

// header makes what stands behind the author, up to the content.
func header(s *fuzz.Source, b *strings.Builder) {
	to := ""
	if s.OneIn(2) {
		to = fuzz.Pick(s, " to=functions.f", " to=functions.get_weather", " to=browser.search", " to=python", " to=all", " to=user", "  to=f", " to=東京")
	}
	before := s.OneIn(2)
	if before {
		b.WriteString(to)
	}
	if !s.OneIn(12) {
		b.WriteString(openai.MarkChannel + fuzz.Pick(s, "analysis", "commentary", "final", "commentary?", "x"))
	}
	if !before {
		b.WriteString(to)
	}
	if to != "" || s.OneIn(6) {
		b.WriteString(fuzz.Pick(s, "", " json", " json", " <|constrain|>json", " <|constrain|>json", " code", "<|constrain|>json", " text "))
	}
	if !s.OneIn(60) {
		b.WriteString(openai.MarkMessage)
	}
}

// damage puts a marker or a word somewhere.
func damage(s *fuzz.Source, reply string) string {
	at := s.N(len(reply) + 1)
	for at < len(reply) && !utf8.RuneStart(reply[at]) {
		at++
	}
	put := append(openai.Markers(), " json", " to=f", "assistant", "<|reserved_200015|>", "<|refusal|>", "<|endoftext|>")
	return reply[:at] + put[s.N(len(put))] + reply[at:]
}
