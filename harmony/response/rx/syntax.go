package rx

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// SyntaxError is a pattern that the reference refuses too (regex.error).
type SyntaxError struct {
	Offset int // bytes from the start of the pattern
	Msg    string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Msg, e.Offset) }

// UnsupportedError is a construct that the reference accepts and this package
// does not.
type UnsupportedError struct {
	Offset    int    // bytes from the start of the pattern
	Construct string // its name in words
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%s is not supported, at byte %d", e.Construct, e.Offset)
}

type op uint8

const (
	opEmpty   op = iota
	opSet        // one code point of set
	opConcat     // subs one after another
	opAlt        // subs, the first that leads to a match
	opRepeat     // subs[0], min to max times (max -1: no bound)
	opGroup      // subs[0], captured as group
	opAssert     // assert
	opLook       // subs[0] looked at: neg, behind
	opBackref    // the text of group
)

type node struct {
	op          op
	set         *class
	written     *written // opSet: as the regex module holds it, nil for a dot
	subs        []*node
	min, max    int
	lazy        bool
	group       int
	assert      assertion
	neg, behind bool
	fold        bool // opSet, opBackref: ignore case
}

type assertion uint8

const (
	atStart        assertion = iota + 1 // ^ \A
	atStartOfLine                       // ^ with flag m
	atEnd                               // \Z \z
	atEndOrNewline                      // $
	atEndOfLine                         // $ with flag m
	atWordEdge                          // \b
	notAtWordEdge                       // \B
)

type flags struct{ fold, multi, dot bool }

type parser struct {
	src    string
	at     int
	flags  flags
	depth  int
	groups int            // how many groups so far
	names  map[string]int // name to group
	order  []string       // names in order of appearance
	refs   []ref          // back-references to check at the end
	later  []later        // those by a name that was not known where they stand
	open   map[int]bool   // groups that are being read
	posix  int            // where the last :] is, that may end a POSIX class
	steps  *int           // how many characters were looked at
}

type ref struct{ group, at int }

type later struct {
	node *node
	name string
	at   int
}

// maxNest bounds how deep groups nest, so that no pattern exhausts the stack.
const maxNest = 200

func parse(src string, f flags, steps *int) (*node, *parser, error) {
	p := &parser{src: src, flags: f, names: map[string]int{}, open: map[int]bool{}, posix: strings.LastIndex(src, ":]"), steps: steps}
	n, err := p.alternation()
	if err != nil {
		return nil, nil, err
	}
	if p.at < len(src) {
		return nil, nil, p.fail("unbalanced parenthesis")
	}
	for _, l := range p.later {
		group, ok := p.names[l.name]
		if !ok {
			return nil, nil, &SyntaxError{l.at, "unknown group"}
		}
		l.node.group = group
		p.refs = append(p.refs, ref{group, l.at})
	}
	for _, r := range p.refs {
		if r.group > p.groups {
			return nil, nil, &SyntaxError{r.at, "invalid group reference"}
		}
	}
	return arranger{steps}.arranged(n, false), p, nil
}

func (p *parser) fail(msg string) error { return &SyntaxError{p.at, msg} }

func (p *parser) refuse(at int, construct string) error { return &UnsupportedError{at, construct} }

func (p *parser) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

func (p *parser) next() rune {
	r, size := utf8.DecodeRuneInString(p.src[p.at:])
	p.at += size
	*p.steps++
	return r
}

func (p *parser) take(s string) bool {
	if len(p.src)-p.at >= len(s) && p.src[p.at:p.at+len(s)] == s {
		p.at += len(s)
		return true
	}
	return false
}

// alternation reads up to the end of the group, or of the pattern. Flags that
// are set inside hold to its end.
func (p *parser) alternation() (*node, error) {
	if p.depth++; p.depth > maxNest {
		return nil, p.refuse(p.at, fmt.Sprintf("nesting deeper than %d groups", maxNest))
	}
	saved := p.flags
	defer func() { p.flags = saved; p.depth-- }()
	alt := &node{op: opAlt}
	for {
		n, err := p.sequence()
		if err != nil {
			return nil, err
		}
		alt.subs = append(alt.subs, n)
		if !p.take("|") {
			break
		}
	}
	if len(alt.subs) == 1 {
		return alt.subs[0], nil
	}
	return alt, nil
}

func (p *parser) sequence() (*node, error) {
	var items []*node
	open := false // the last item may be repeated
	for p.at < len(p.src) && p.peek() != '|' && p.peek() != ')' {
		start := p.at
		n, err := p.atom()
		if err != nil {
			return nil, err
		}
		if n != nil {
			items, open = append(items, n), true
		}
		// Behind a flag or a comment, it is the item before them that is repeated.
		if before := p.at; open {
			last := len(items) - 1
			if items[last], err = p.quantified(items[last], start); err != nil {
				return nil, err
			}
			open = p.at == before
		}
	}
	items = slices.DeleteFunc(items, func(n *node) bool { return n.op == opEmpty })
	return sequenceOf(items), nil
}

// one makes the node of a code point, with folding where the flag is set.
func (p *parser) one(r rune) *node { return setOf(codePoint(r), p.flags.fold) }
