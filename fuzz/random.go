package fuzz

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// RandomTemplate makes a template whose anchors overlap, begin one another and
// look ahead, over a small alphabet, so that a short reply of that alphabet
// reaches what no template that somebody wrote would. No anchor matches nothing:
// the reference never returns from a region that opens and closes on nothing.
func RandomTemplate(s *Source, name string) (*Template, error) {
	fields := value.NewObject(4)
	n := 1 + s.N(4)
	sink := s.N(n + 1) // one field at most has no open
	for i := range n {
		f := value.NewObject(4)
		if i != sink {
			randomAnchor(s, f, "open")
		}
		if !s.OneIn(8) {
			randomAnchor(s, f, "close")
		}
		if s.OneIn(2) {
			f.Set("repeats", value.Bool(true))
			if s.OneIn(3) {
				f.Set("join", value.String(Pick(s, "", "|")))
			}
		}
		if s.OneIn(3) {
			f.Set("content_args", value.Members(value.Member{Name: "strip", Value: value.Bool(false)}))
		}
		fields.Set([]string{"m", "a", "z", "k"}[i], f.Value())
	}
	spec := value.Members(
		value.Member{Name: "start_anchor", Value: value.String(Pick(s, "@", "ab", "<x>"))},
		value.Member{Name: "fields", Value: fields.Value()})
	return NewTemplate(name, spec)
}

var randomLiterals = []string{"a", "b", "<", "<x>", "x>", "</x>", "ab", "aba", "END", "ENDX", "bEND", "\n", "é", "<<", "y"}

func randomAnchor(s *Source, f *value.Object, key string) {
	switch s.N(4) {
	case 0:
		f.Set(key, value.String(Pick(s, randomLiterals...)))
	case 1:
		list := make([]value.Value, 1+s.N(3))
		for i := range list {
			list[i] = value.String(Pick(s, randomLiterals...))
		}
		f.Set(key, value.List(list...))
	default:
		p := randomPattern(s, 0)
		f.Set(key+"_pattern", value.String(p))
		if strings.Contains(p, "?P<") {
			f.Set("transform", value.Members(
				value.Member{Name: "v", Value: value.String("{content}")}, value.Member{Name: "s", Value: value.String("text")}))
		}
	}
}

// randomPattern makes a pattern that matches one character or more.
func randomPattern(s *Source, depth int) string {
	var b strings.Builder
	if s.OneIn(4) {
		b.WriteString(Pick(s, `\s*`, `\n?`, `[^<]*`, `a?`, `(?:ab)*`, `.*?`, `\b`, `\B`, `(?<=a)`, `(?<!b)`, `^`, `\w*?`))
	}
	if s.OneIn(8) {
		b.WriteString(randomSets(s))
	} else {
		b.WriteString(Pick(s, "a", "b", "<", "x", "END", "y", "[ab]", "[^b]", `\w`, "é", "<x"))
	}
	for range s.N(4) {
		switch s.N(9) {
		case 0, 1:
			b.WriteString(Pick(s, "a", "b", "<", "x", ">", "y", "END", `\s`, `\d`, "[^<]", "[b-y]", "."))
		case 2:
			b.WriteString(Pick(s, "a", "b", ".", `\w`, "[^<]", "(?:ab)", "x", `\s`) + Pick(s, "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{,2}"))
		case 3:
			if depth < 2 {
				fmt.Fprintf(&b, "(?:%s|%s)", randomPattern(s, depth+1), randomPattern(s, depth+1))
			}
		case 4:
			if depth < 2 {
				fmt.Fprintf(&b, "(?:%s)?", randomPattern(s, depth+1))
			}
		case 5:
			b.WriteString(Pick(s, "(?!a)", "(?!<x>)", "(?=b)", "(?=.*y)", `\b`, `\B`, "(?!END)"))
		case 6:
			if depth == 0 && !strings.Contains(b.String(), "?P<") {
				b.WriteString(Pick(s, `(?P<n>\w+)`, `(?P<n>[^<]*?)`, `(?P<n>.+?)`, `(?P<n>a|ab)`))
			}
		case 7:
			b.WriteString(Pick(s, `\Z`, "$", "(?i:X)", "(?i)e", `[\s\S]`))
		case 8:
			b.WriteString(randomSets(s))
		}
	}
	return b.String()
}

// randomSets makes an alternation of sets, many of them negated: the regex module
// makes one set of those, and not the one that is written.
func randomSets(s *Source) string {
	var branches []string
	for range 2 + s.N(3) {
		branches = append(branches, Pick(s, "", "", "", "x", "[^b]", "(?i:b)?")+
			Pick(s, "[^a]", "[^b]", "[^<]", "[^ab]", "[^a-c]", "[^<b]", "[^<>]", `\S`, `\W`, "[ab]", "b", "x", "(?i:B)", "(?i:[^x])", "(?:[^a]|[^b])"))
	}
	return "(?:" + strings.Join(branches, "|") + ")"
}

// lazy finds a lazy repeat. The regex module's partial search, which decides how
// much of a prompt counts before the reply comes, answers wrongly for those of one
// character: too early for \w*?b on "x>", too late for x.+?\B on "xa". The native
// reader has the right answer there, so that a prompt that ends in the middle of
// such a match is read otherwise. No template that is known has one that begins so.
var lazy = regexp.MustCompile(`[*+?}]\?`)

// RandomInput makes a reply of the template's alphabet.
func RandomInput(s *Source, t *Template) *Input {
	in := &Input{Template: t}
	near := markers(s, t, nil)
	for range 1 + s.N(14) {
		p := piece{inside, Pick(s, "a", "b", "<", "x", ">", "y", "END", "X", " ", "\n", "é", "<x>", "</x>", "ab", "c", "7")}
		if s.OneIn(3) {
			p = piece{opener, Pick(s, near...)}
		}
		in.pieces = append(in.pieces, p)
	}
	if s.OneIn(4) && !lazy.MatchString(value.Dumps(t.Spec)) {
		in.Prefix = Pick(s, "", "q") + Pick(s, "@", "ab", "<x>") + Pick(s, near...)
	}
	in.join()
	in.Cut = CutOf(s, in)
	return in
}
