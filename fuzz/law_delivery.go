package fuzz

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// CheckDelivery compares, after each character of the reply, what was told with
// what is certain: what the whole-reply answers for all continuations agree on.
// The continuations are made by brute force from the template's markers: the rest
// of each from every character on, and what then changes its meaning, with what a
// pattern that looks around denies. A pattern that backtracks is told as soon as no
// path of its search asks for more text, which for these templates is when it is
// certain; where a path asks in vain, as two looks that exclude each other do, it
// would be later. It is slow: tens of thousands of readings for a reply of a
// hundred characters.
func CheckDelivery(sub Subject, in *Input, _ ...Cut) *Violation {
	o := in.Options()
	o.Problems = false
	p, err := sub.Open(in.Template, o)
	if err != nil {
		return nil
	}
	told := facts(nil, p.InitialEvents())
	rests := continuations(&in.Template.Shape)
	whole := func(text string) []string {
		other := *in
		other.Reply = text
		return facts(nil, sub.Read(&other, o, Cut{}).Events)
	}
	for at := 0; at < len(in.Reply); {
		_, size := utf8.DecodeRuneInString(in.Reply[at:])
		events, err := p.Feed(in.Reply[at : at+size])
		told = facts(told, events)
		at += size
		certain := whole(in.Reply[:at])
		for _, rest := range rests {
			if len(certain) <= len(told) && at%8 != 0 {
				break // enough to show that nothing is late; each eighth time all is asked
			}
			certain = agreed(certain, whole(in.Reply[:at]+rest))
		}
		n := min(len(told), len(certain))
		late, early := len(certain) > n, len(told) > n && at%8 == 0 && err == nil
		if late || early || !slices.Equal(told[:n], certain[:n]) {
			return &Violation{InTime, in, Cut{Name: "one character at a time"},
				fmt.Sprintf("after %q\n  told    %q\n  certain %q", in.Reply[:at], tail(told), tail(certain))}
		}
		if err != nil {
			return nil
		}
	}
	return nil
}

func tail(facts []string) []string { return facts[max(0, len(facts)-20):] }

// facts takes events apart into what they tell, one character of text each.
func facts(to []string, events []harmony.Event) []string {
	for _, e := range events {
		switch e.Type {
		case harmony.RegionOpen:
			to = append(to, "open "+e.Field)
		case harmony.RegionClose:
			to = append(to, fmt.Sprintf("close %s %s closed=%t", e.Field, value.Dumps(e.Value), e.Closed))
		default:
			for _, r := range e.Text {
				to = append(to, string(r))
			}
		}
	}
	return to
}

// agreed is the common beginning.
func agreed(a, b []string) []string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// allDenied adds what the pattern's looks deny.
func (p *pattern) allDenied(to []*pattern) []*pattern {
	if p.denied != nil {
		to = append(to, p.denied)
	}
	for _, sub := range p.subs {
		to = sub.allDenied(to)
	}
	return to
}

// continuations are texts that complete or break every marker of the shape from
// every character on, with what may follow that changes which one it was.
func continuations(shape *Shape) []string {
	var literals []string
	add := func(m *Marker) {
		if m == nil {
			return
		}
		literals = append(literals, m.Literals...)
		seeds := uint64(4)
		if !m.Pattern.regular() {
			seeds = 12 // what it refers to has several forms
		}
		for seed := range seeds {
			if m.Pattern != nil {
				text := match(FromSeed(seed), m.Pattern, nil)
				literals = append(literals, text)
				for _, denied := range m.Pattern.allDenied(nil) {
					literals = append(literals, text+match(FromSeed(seed), denied, nil), match(FromSeed(seed), denied, nil))
				}
			}
		}
	}
	for i := range shape.Fields {
		add(shape.Fields[i].Open)
		add(shape.Fields[i].Close)
	}
	slices.Sort(literals)
	literals = slices.Compact(literals)
	rests := []string{"a", " ", "\n", "\u00e9", "7", "\x00"}
	for _, literal := range literals {
		for at := range literal {
			rests = append(rests, literal[at:], literal[at:]+"a")
		}
	}
	if len(literals) <= 8 { // then also two in a row
		n := len(rests)
		for _, first := range rests[6:n] {
			for _, second := range literals {
				rests = append(rests, first+second)
			}
		}
	}
	slices.Sort(rests)
	return slices.Compact(rests)
}
