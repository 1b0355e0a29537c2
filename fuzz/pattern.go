package fuzz

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// pattern is a pattern's syntax, as far as a text that it matches can be made
// from it. It is read apart from harmony/response/rx, which it helps to test.
type pattern struct {
	op       patternOp
	subs     []*pattern
	set      set
	text     string   // patLiteral
	min, max int      // patRepeat; max -1: no bound
	group    int      // patGroup, patBackref: its number, 0 for none
	name     string   // patGroup, patBackref: its name
	denied   *pattern // patLook: what must not be there
	// accept, of a group with a name, tells which texts it matches; nil where
	// Go's regexp package cannot tell.
	accept *regexp.Regexp
}

type patternOp uint8

const (
	patNothing patternOp = iota // matches at a place and takes no text
	patLook                     // so does looking ahead or behind; subs: what must be there
	patLiteral
	patSet
	patSequence
	patChoice
	patRepeat
	patGroup
	patBackref
)

// set is a set of characters, as a class of Go's regexp package that means the
// same within the alphabet of the generators.
type set struct {
	re    *regexp.Regexp
	named []rune // characters that the class names
}

func newSet(class string) (set, error) {
	re, err := regexp.Compile("^(?s:" + class + ")$")
	return set{re, []rune(class)}, err
}

func (s set) has(r rune) bool { return s.re.MatchString(string(r)) }

// regular tells whether the pattern has neither references nor looks around, so
// that it can be searched in linear time.
func (p *pattern) regular() bool {
	return p == nil || p.op != patBackref && p.op != patLook && !slices.ContainsFunc(p.subs, func(sub *pattern) bool { return !sub.regular() })
}

// patternReader reads one pattern.
type patternReader struct {
	src    string
	at     int
	groups int
}

func readPattern(src string) (*pattern, error) {
	r := &patternReader{src: src}
	p, err := r.choice()
	if err == nil && r.at < len(src) {
		err = fmt.Errorf("unexpected %q", src[r.at:])
	}
	if err != nil {
		return nil, fmt.Errorf("pattern %q at byte %d: %w", src, r.at, err)
	}
	return p, nil
}

func (r *patternReader) take(s string) bool {
	if strings.HasPrefix(r.src[r.at:], s) {
		r.at += len(s)
		return true
	}
	return false
}

func (r *patternReader) choice() (*pattern, error) {
	c := &pattern{op: patChoice}
	for {
		s := &pattern{op: patSequence}
		for r.at < len(r.src) && r.src[r.at] != '|' && r.src[r.at] != ')' {
			p, err := r.item()
			if err != nil {
				return nil, err
			}
			s.subs = append(s.subs, p)
		}
		c.subs = append(c.subs, s)
		if !r.take("|") {
			return c, nil
		}
	}
}

// item reads one atom with its quantifier.
func (r *patternReader) item() (*pattern, error) {
	p, err := r.atom()
	if err != nil {
		return nil, err
	}
	low, high := 1, 1
	switch {
	case r.take("*"):
		low, high = 0, -1
	case r.take("+"):
		high = -1
	case r.take("?"):
		low = 0
	default:
		if low, high, err = r.counts(); err != nil {
			return nil, err
		}
	}
	if low == 1 && high == 1 {
		return p, nil
	}
	r.take("?") // lazy or not, the texts are the same
	return &pattern{op: patRepeat, subs: []*pattern{p}, min: low, max: high}, nil
}

var braces = regexp.MustCompile(`^\{(\d*)(,?)(\d*)\}`)

func (r *patternReader) counts() (low, high int, err error) {
	m := braces.FindStringSubmatch(r.src[r.at:])
	if m == nil || m[1] == "" && m[3] == "" {
		return 1, 1, nil
	}
	r.at += len(m[0])
	if m[1] != "" {
		if low, err = strconv.Atoi(m[1]); err != nil {
			return 0, 0, err
		}
	}
	switch {
	case m[3] != "":
		high, err = strconv.Atoi(m[3])
	case m[2] == "":
		high = low
	default:
		high = -1
	}
	return low, high, err
}

func (r *patternReader) atom() (*pattern, error) {
	start := r.at
	c, size := utf8.DecodeRuneInString(r.src[r.at:])
	r.at += size
	switch c {
	case '(':
		return r.parenthesis()
	case '[':
		return r.class(start)
	case '.':
		return r.asSet("(?s:.)")
	case '^', '$':
		return &pattern{op: patNothing}, nil
	case '\\':
		return r.escape()
	}
	return &pattern{op: patLiteral, text: r.src[start:r.at]}, nil
}

func (r *patternReader) asSet(class string) (*pattern, error) {
	s, err := newSet(class)
	return &pattern{op: patSet, set: s}, err
}

// class reads a class in brackets; \s, \w and \d inside keep Go's narrower
// meaning, which generators of text that matches may use.
func (r *patternReader) class(start int) (*pattern, error) {
	r.take("^")
	r.take("]")
	for r.at < len(r.src) && r.src[r.at] != ']' {
		if r.src[r.at] == '\\' {
			r.at++
		}
		r.at++
	}
	if !r.take("]") {
		return nil, fmt.Errorf("a class without end")
	}
	return r.asSet(strings.ReplaceAll(r.src[start:r.at], `\s`, `\s\v\x{85}\x{a0}\x{2028}\x{3000}`))
}

func (r *patternReader) escape() (*pattern, error) {
	if r.at == len(r.src) {
		return nil, fmt.Errorf("a backslash at the end")
	}
	c := r.src[r.at]
	r.at++
	switch {
	case strings.IndexByte("AZzbB", c) >= 0:
		return &pattern{op: patNothing}, nil
	case c == 's':
		return r.asSet(`[\s\v\x{85}\x{a0}\x{2028}\x{3000}]`)
	case c == 'd':
		return r.asSet(`\p{Nd}`)
	case c == 'w':
		return r.asSet(`[\w\p{L}\p{Nd}]`)
	case c == 'S':
		return r.asSet(`[^\s\v\x{85}\x{a0}\p{Z}]`)
	case c == 'D':
		return r.asSet(`\P{Nd}`)
	case c == 'W':
		return r.asSet(`[^\w\p{L}\p{M}\p{N}]`)
	case '1' <= c && c <= '9':
		return &pattern{op: patBackref, group: int(c - '0')}, nil
	case strings.IndexByte("nrtfv", c) >= 0:
		return &pattern{op: patLiteral, text: map[byte]string{'n': "\n", 'r': "\r", 't': "\t", 'f': "\f", 'v': "\v"}[c]}, nil
	case c < 0x80 && !('a' <= c|0x20 && c|0x20 <= 'z'):
		return &pattern{op: patLiteral, text: string(rune(c))}, nil
	}
	return nil, fmt.Errorf("the escape \\%c is not known", c)
}

var inlineFlags = regexp.MustCompile(`^\?[ims]+([):])`)

// parenthesis reads what follows an opening parenthesis, up to its end.
func (r *patternReader) parenthesis() (*pattern, error) {
	p := &pattern{op: patGroup}
	flags := inlineFlags.FindStringSubmatch(r.src[r.at:])
	look, positive := false, false
	switch {
	case flags != nil:
		r.at += len(flags[0])
		if flags[1] == ")" {
			return &pattern{op: patNothing}, nil
		}
	case r.take("?:"):
	case r.take("?="), r.take("?<="):
		look, positive = true, true
	case r.take("?!"), r.take("?<!"):
		look = true
	case r.take("?P="):
		end := strings.IndexByte(r.src[r.at:], ')')
		if end < 0 {
			return nil, fmt.Errorf("a reference without end")
		}
		p.op, p.name = patBackref, r.src[r.at:r.at+end]
		r.at += end + 1
		return p, nil
	default:
		r.groups++
		p.group = r.groups
		if r.take("?P<") || r.take("?<") {
			end := strings.IndexByte(r.src[r.at:], '>')
			if end < 0 {
				return nil, fmt.Errorf("a name without end")
			}
			p.name = r.src[r.at : r.at+end]
			r.at += end + 1
		}
	}
	start := r.at
	sub, err := r.choice()
	if err != nil {
		return nil, err
	}
	if !r.take(")") {
		return nil, fmt.Errorf("a group without end")
	}
	if look {
		p.op = patLook
	}
	if look && !positive {
		p.denied = sub
		return p, nil
	}
	p.subs = []*pattern{sub}
	if p.name != "" {
		p.accept, _ = regexp.Compile("^(?s:" + r.src[start:r.at-1] + ")$")
	}
	return p, nil
}
