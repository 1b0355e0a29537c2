package fuzz

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Token is a letter that generators do not write: where it goes, the text around
// it goes.
const Token = "\U00010280"

// PlantToken puts the token into the body of a region; false where there is none.
func PlantToken(s *Source, in *Input) bool {
	var at []int
	for i, p := range in.pieces {
		if p.part == inside {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return false
	}
	i := at[s.N(len(at))]
	head := beginning(s, in.pieces[i].text+"x")
	in.pieces[i].text = head + Token + in.pieces[i].text[len(head):]
	in.join()
	return true
}

// CheckInside looks for the token that [PlantToken] put into a region: it must be
// in the message, in a marker or in a problem, whatever the content parser made
// of the text around it.
func CheckInside(sub Subject, in *Input, _ ...Cut) *Violation {
	at := int64(strings.Index(in.Reply, Token))
	if at < 0 {
		return nil
	}
	o := in.Options()
	o.Lenient = true
	r := sub.Read(in, o, Cut{})
	message := string(value.Append(nil, r.Reply.Message, value.ToJSON))
	if class, _ := ErrorOf(r.Err); class == "LimitError" || strings.Contains(message, Token) {
		return nil
	}
	token := harmony.Span{Start: at, End: at + int64(len(Token))}
	for _, p := range r.Reply.Problems {
		if p.Span.Start <= token.Start && token.End <= p.Span.End {
			return nil
		}
	}
	for _, g := range r.Reply.Regions {
		if g.Span.Start <= token.Start && token.End <= g.Span.End && (token.Start < g.Body.Start || token.End > g.Body.End) {
			return nil
		}
	}
	return &Violation{Law: Nothing, Input: in, Why: fmt.Sprintf("%s at byte %d is in no value, no marker and no problem\n  message %s\n%s", Token, at, r.Message, told(r.Reply))}
}
