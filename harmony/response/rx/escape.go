package rx

import "strings"

// escape reads what stands behind a backslash outside brackets.
func (p *parser) escape(start int) (*node, error) {
	if p.at >= len(p.src) {
		return nil, p.fail("bad escape (end of pattern)")
	}
	r := p.next()
	switch r {
	case 'A':
		return &node{op: opAssert, assert: atStart}, nil
	case 'Z', 'z':
		return &node{op: opAssert, assert: atEnd}, nil
	case 'b':
		return &node{op: opAssert, assert: atWordEdge}, nil
	case 'B':
		return &node{op: opAssert, assert: notAtWordEdge}, nil
	case 'g':
		if !p.take("<") {
			return nil, p.fail("missing <")
		}
		name, err := p.name(">")
		if err != nil {
			return nil, p.refuse(start, `a reference \g<…> by number`)
		}
		return p.namedRef(name, start)
	case 'G', 'K', 'L', 'M', 'N', 'R', 'X', 'h', 'm', 'p', 'P':
		return nil, p.refuse(start, `the escape \`+string(r))
	}
	if '1' <= r && r <= '9' {
		n := int(r - '0')
		for '0' <= p.peek() && p.peek() <= '9' && n < 1000 {
			if n >= 10 {
				return nil, p.refuse(start, "an escape of three digits")
			}
			n = 10*n + int(p.next()-'0')
		}
		return p.backref(n, start)
	}
	if ranges := escapeRanges(r); ranges != nil {
		return p.set(ranges), nil
	}
	c, err := p.character(r, start)
	if err != nil {
		return nil, err
	}
	return p.one(c), nil
}

// character is the code point of an escape that stands for one.
func (p *parser) character(r rune, start int) (rune, error) {
	switch r {
	case 'a':
		return '\a', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'v':
		return '\v', nil
	case 'x':
		return p.hex(2, start)
	case 'u':
		return p.hex(4, start)
	case 'U':
		return p.hex(8, start)
	case '0':
		c := rune(0)
		for range 2 {
			if d := p.peek(); '0' <= d && d <= '7' {
				c = c*8 + rune(d-'0')
				p.at++
			}
		}
		return c, nil
	}
	if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
		return 0, p.fail(`bad escape \` + string(r))
	}
	return r, nil
}

func (p *parser) hex(digits, start int) (rune, error) {
	var c rune
	for range digits {
		d := strings.IndexByte("0123456789abcdef", p.peek()|0x20)
		if p.at >= len(p.src) || d < 0 || p.peek() < '0' {
			return 0, &SyntaxError{start, "incomplete escape"}
		}
		if c = c<<4 | rune(d); c > maxRune {
			return 0, &SyntaxError{start, "bad hex escape"}
		}
		p.at++
	}
	return c, nil
}

// brackets reads a set; p.at stands behind its [.
func (p *parser) brackets() (*node, error) {
	negated := p.take("^")
	var ranges []runeRange
	for first := true; first || p.peek() != ']'; first = false {
		if p.at >= len(p.src) {
			return nil, p.fail("unterminated character set")
		}
		at := p.at
		if strings.HasPrefix(p.src[at:], "[:") && strings.Contains(p.src[at:], ":]") {
			return nil, p.refuse(at, "a POSIX class")
		}
		lo, members, err := p.member()
		if err != nil {
			return nil, err
		}
		if p.peek() == '-' && p.at+1 < len(p.src) && p.src[p.at+1] != ']' && members == nil {
			dash := p.at
			p.at++
			hi, more, err := p.member()
			if err != nil {
				return nil, err
			}
			if more == nil {
				if hi < lo {
					return nil, p.fail("bad character range")
				}
				ranges = append(ranges, runeRange{lo, hi})
				continue
			}
			p.at = dash // [a-\d]: the dash is a member
		}
		if members == nil {
			members = []runeRange{{lo, lo}}
		}
		ranges = append(ranges, members...)
	}
	p.at++
	if p.flags.fold {
		ranges = foldRanges(ranges)
	}
	if negated {
		ranges = complement(ranges)
	}
	return &node{op: opSet, set: newClass(ranges)}, nil
}

// member reads one code point of a set, or an escape for several.
func (p *parser) member() (rune, []runeRange, error) {
	start := p.at
	if p.at >= len(p.src) {
		return 0, nil, p.fail("unterminated character set")
	}
	r := p.next()
	if r != '\\' {
		return r, nil, nil
	}
	if p.at >= len(p.src) {
		return 0, nil, p.fail("unterminated character set")
	}
	r = p.next()
	switch {
	case r == 'b':
		return '\b', nil, nil
	case r == 'N' || r == 'h' || r == 'p' || r == 'P' || r == 'L':
		return 0, nil, p.refuse(start, `the escape \`+string(r))
	case '1' <= r && r <= '7':
		c := r - '0'
		for range 2 {
			if d := p.peek(); '0' <= d && d <= '7' {
				c = c*8 + rune(d-'0')
				p.at++
			}
		}
		return c, nil, nil
	}
	if ranges := escapeRanges(r); ranges != nil {
		return 0, ranges, nil
	}
	c, err := p.character(r, start)
	return c, nil, err
}
