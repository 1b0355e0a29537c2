package fuzz

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// CheckLoss accounts for every byte of the reply: it is in a region with its
// markers, in a problem, or syntax between regions (see syntax). It reads on where the reference raises, so that the
// rest of the reply is accounted for too.
func CheckLoss(sub Subject, in *Input, _ ...Cut) *Violation {
	o := in.Options()
	o.Lenient = true
	r := sub.Read(in, o, Cut{})
	end := int64(len(in.Reply))
	if class, _ := ErrorOf(r.Err); class == "LimitError" || class == "UTF8Error" {
		// Nothing behind it was read, and the region it is in was not ended.
		end = 0
		for _, g := range r.Reply.Regions {
			end = max(end, g.Span.End)
		}
	}
	// The prefix needs no account, but a marker may begin in there.
	text, origin := in.Prefix+in.Reply, int64(len(in.Prefix))
	accounted := make([]bool, len(text))
	mark := func(s harmony.Span) {
		for i := max(0, s.Start+origin); i < min(s.End+origin, int64(len(text))); i++ {
			accounted[i] = true
		}
	}
	for _, g := range r.Reply.Regions {
		mark(g.Span)
	}
	for _, p := range r.Reply.Problems {
		mark(p.Span)
	}
	for i := int64(0); i < end+origin; {
		if accounted[i] {
			i++
			continue
		}
		rest := text[i : end+origin]
		char, size := utf8.DecodeRuneInString(rest)
		switch n := in.syntax(rest); {
		case n > 0:
			i += int64(n)
		case value.IsSpace(char) || i < origin:
			i += int64(size)
		default:
			return &Violation{Law: Nothing, Input: in, Why: fmt.Sprintf("byte %d, at %.40q, is in no region, no marker and no problem\n%s", i-origin, rest, told(r.Reply))}
		}
	}
	return nil
}

// syntax is the length of what may stand between regions at the start of text: a
// start anchor, the close of the implicit region though that has not begun, or
// the stop token at the end.
func (in *Input) syntax(text string) int {
	if token, ok := in.Stop.Token(); ok && text == token {
		return len(token)
	}
	n := in.Template.Shape.Start.at(text)
	for _, f := range in.Template.Shape.Fields {
		if f.Open == nil && f.Close != nil {
			n = max(n, f.Close.at(text))
		}
	}
	return n
}

// at is the length of the marker at the start of a text, 0 for none.
func (m *Marker) at(text string) (longest int) {
	for _, literal := range m.Literals {
		if strings.HasPrefix(text, literal) {
			longest = max(longest, len(literal))
		}
	}
	if m.accept != nil {
		if at := m.accept.FindStringIndex(text); at != nil {
			longest = max(longest, at[1])
		}
	}
	return longest
}
