package fuzz

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// Cut is a way in which a reply comes in chunks.
type Cut struct {
	Name string
	At   []int // positions in bytes, rising
}

// Pieces are the chunks.
func (c Cut) Pieces(reply string) []string {
	chunks := make([]string, 0, len(c.At)+1)
	from := 0
	for _, at := range c.At {
		chunks = append(chunks, reply[from:at])
		from = at
	}
	return append(chunks, reply[from:])
}

// Inside tells whether a cut stands inside a character: the reference, which
// takes text, cannot be fed so.
func (c Cut) Inside(reply string) bool {
	return slices.ContainsFunc(c.At, func(at int) bool { return at < len(reply) && !utf8.RuneStart(reply[at]) })
}

// cutters make one cut each.
var cutters = []struct {
	name string
	at   func(s *Source, in *Input) []int
}{
	{"one character at a time", func(_ *Source, in *Input) []int { return every(in.Reply, 1) }},
	{"a few characters at a time", func(s *Source, in *Input) []int { return every(in.Reply, 2+s.N(6)) }},
	{"few cuts", func(s *Source, in *Input) []int { return some(s, in.Reply, 1+s.N(3)) }},
	{"many cuts", func(s *Source, in *Input) []int { return some(s, in.Reply, len(in.Reply)/4) }},
	// A close and the next open come in one chunk.
	{"cut before closes", func(s *Source, in *Input) []int { return in.edges(false) }},
	{"inside markers", func(s *Source, in *Input) []int { return in.insideMarkers(s) }},
	{"around markers", func(s *Source, in *Input) []int { return in.edges(true) }},
}

// CutOf chooses a cut between characters.
func CutOf(s *Source, in *Input) Cut {
	c := cutters[s.N(len(cutters))]
	return Cut{c.name, tidy(c.at(s, in), in.Reply)}
}

// ByteCut chooses a cut between any bytes.
func ByteCut(s *Source, in *Input) Cut {
	if s.OneIn(3) {
		var at []int
		for i := 1; i < len(in.Reply); i++ {
			at = append(at, i)
		}
		return Cut{"one byte at a time", at}
	}
	var at []int
	for range 1 + s.N(8) {
		at = append(at, s.N(len(in.Reply)+1))
	}
	slices.Sort(at)
	return Cut{"between bytes", at}
}

// every cuts after each n characters.
func every(text string, n int) (at []int) {
	i := 0
	for pos := range text {
		if i > 0 && i%n == 0 {
			at = append(at, pos)
		}
		i++
	}
	return at
}

func some(s *Source, text string, n int) (at []int) {
	for range min(n, 64) {
		at = append(at, s.N(len(text)+1))
	}
	return at
}

// edges are the places before closers, and with both around every marker.
func (in *Input) edges(both bool) (at []int) {
	pos := 0
	for _, p := range in.pieces {
		end := pos + len(p.text)
		if p.part == closer || both && p.part == opener {
			at = append(at, pos)
			if both {
				at = append(at, end)
			}
		}
		pos = end
	}
	return at
}

// insideMarkers cuts every marker once or twice.
func (in *Input) insideMarkers(s *Source) (at []int) {
	pos := 0
	for _, p := range in.pieces {
		if p.part == opener || p.part == closer {
			for range 1 + s.N(2) {
				at = append(at, pos+s.N(len(p.text)))
			}
		}
		pos += len(p.text)
	}
	return at
}

// tidy sorts positions, moves them back to the start of a character and leaves
// out those at the ends and those that come twice.
func tidy(at []int, text string) []int {
	for i := range at {
		for at[i] > 0 && at[i] < len(text) && !utf8.RuneStart(text[at[i]]) {
			at[i]--
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	return slices.DeleteFunc(at, func(i int) bool { return i <= 0 || i >= len(text) })
}

func (c Cut) String() string {
	if len(c.At) > 40 {
		return fmt.Sprintf("%s: %v and %d more", c.Name, c.At[:40], len(c.At)-40)
	}
	return fmt.Sprintf("%s: %v", c.Name, c.At)
}
