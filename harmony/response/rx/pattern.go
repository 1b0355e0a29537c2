// Package rx matches the patterns of response templates: the declared subset of
// the regex module's dialect (VERSION0, Unicode, DOTALL), with its meaning.
//
// A pattern goes through these steps:
//
//  1. The syntax is read into a tree ([Compile]). What the reference refuses is
//     a [SyntaxError], what only this package refuses an [UnsupportedError].
//     The tree is rearranged as the regex module rearranges it, which changes
//     what alternations of negated sets match (union.go).
//  2. The tree becomes a program for threads. Literals, classes, repeats and
//     assertions run on an automaton in linear time; look-around in the middle,
//     back-references and loops over what may be empty need backtracking, which
//     runs under a budget of steps ([BudgetError]); it goes on where it waited for
//     text, so that its steps are the same for every cut.
//     A pattern that leaves no choice (texts, runs of a class up to what is not
//     in it, a lazy stretch up to the next text) is matched by byte search
//     instead (chain.go), as a mere text is.
//  3. A [Scan] searches text that may still grow. It tells a match as soon as no
//     continuation can change it, and until then the first position at which a
//     match may still begin.
//  4. [Scan.Search], [Scan.MatchAt] and [Scan.Partial] answer for a text as it
//     stands, as the reference does for a prompt.
//
// Positions are bytes of UTF-8 text. A pattern is safe for concurrent use.
package rx

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Pattern is a compiled pattern, or a list of literals.
type Pattern struct {
	source string
	names  []string // named groups; the positions of name i are slots 2i, 2i+1
	prog   *prog    // nil for literals

	// A pattern that is nothing but a text is searched like a literal.
	texts []string  // longest first; nil for other patterns
	first [256]bool // the bytes that they begin with
	head  head      // all literals begin with it
}

// Compile reads a pattern; . matches every code point. The error is a
// *[SyntaxError] or an *[UnsupportedError].
func Compile(pattern string) (*Pattern, error) { return counted(pattern, new(int)) }

// counted is Compile, and adds to steps how many characters, nodes and instructions
// that takes. What prepares a program for speed is not counted: it takes those of
// [maxFast] instructions at most.
func counted(pattern string, steps *int) (*Pattern, error) {
	for i, r := range pattern {
		if r == utf8.RuneError && pattern[i] != '\xef' {
			return nil, &UnsupportedError{i, "a lone surrogate, or text that is not UTF-8,"}
		}
	}
	root, p, err := parse(pattern, flags{dot: true}, steps)
	if err != nil {
		return nil, err
	}
	keep := map[int]int{}
	for i, name := range p.order {
		keep[p.names[name]] = i
	}
	for _, r := range p.refs {
		if _, ok := keep[r.group]; !ok {
			keep[r.group] = len(keep)
		}
	}
	if set := gate(root); set != nil {
		root = sequenceOf([]*node{{op: opLook, subs: []*node{set}}, root})
	}
	prog, err := compile(root, keep)
	if err != nil {
		return nil, err
	}
	*steps += len(prog.insts)
	c := &Pattern{source: pattern, names: p.order, prog: prog}
	if text, all := appendPrefix(root, nil); all && len(text) > 0 && len(keep) == 0 && utf8.Valid(text) {
		c.setTexts(string(text))
	}
	return c, nil
}

// Literals makes the pattern that matches any of the texts: the leftmost, and
// there the longest. None of them may be empty.
func Literals(texts ...string) *Pattern {
	p := &Pattern{source: strings.Join(texts, "|")}
	p.setTexts(texts...)
	return p
}

func (p *Pattern) setTexts(texts ...string) {
	common := texts[0]
	seen := map[string]bool{}
	for _, t := range texts {
		if !seen[t] {
			seen[t] = true
			p.texts = append(p.texts, t)
		}
		p.first[t[0]] = true
		for !strings.HasPrefix(t, common) {
			common = common[:len(common)-1]
		}
	}
	p.head = newHead(common)
	slices.SortStableFunc(p.texts, func(a, b string) int { return len(b) - len(a) })
}

// Names are the named groups in order of appearance.
func (p *Pattern) Names() []string { return p.names }

// Literal tells whether the pattern was made by [Literals].
func (p *Pattern) Literal() bool { return p.prog == nil }

// Plain tells whether the pattern is nothing but one or more texts.
func (p *Pattern) Plain() bool { return p.texts != nil }

// Extends tells whether one literal is the beginning of another.
func (p *Pattern) Extends() bool {
	for _, a := range p.texts {
		for _, b := range p.texts {
			if a != b && strings.HasPrefix(a, b) {
				return true
			}
		}
	}
	return false
}

// Backtracks tells whether the pattern needs the backtracking matcher.
func (p *Pattern) Backtracks() bool { return p.prog != nil && !p.prog.regular }

// Lookback tells whether matching may look at text before the match.
func (p *Pattern) Lookback() bool { return p.prog != nil && p.prog.lookback }

func (p *Pattern) String() string { return p.source }

// Match is a match: its span, and the spans of the named groups.
type Match struct {
	Start, End int
	Groups     []int // two positions a name, -1 where it did not participate
}

// same tells whether two matches of one pattern are the same.
func (m *Match) same(o *Match) bool {
	return m.Start == o.Start && m.End == o.End && slices.Equal(m.Groups, o.Groups)
}

// Group gives the span of named group i, and whether it participated.
func (m *Match) Group(i int) (start, end int, ok bool) {
	if 2*i+1 >= len(m.Groups) || m.Groups[2*i] < 0 || m.Groups[2*i+1] < 0 {
		return 0, 0, false
	}
	return m.Groups[2*i], m.Groups[2*i+1], true
}
