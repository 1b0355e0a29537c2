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
		return p.groupRef(start)
	case 'G', 'K', 'L', 'M', 'N', 'R', 'X', 'h', 'm', 'p', 'P':
		return nil, p.refuse(start, `the escape \`+string(r))
	}
	if '1' <= r && r <= '9' {
		return p.numeric(start)
	}
	if w, ok := property(r); ok {
		return setOf(w, false), nil
	}
	c, err := p.character(r, start)
	if err != nil {
		return nil, err
	}
	if strings.ContainsRune("afnrtv", r) {
		return setOf(codePoint(c), false), nil
	}
	return p.one(c), nil
}

// numeric reads a number behind a backslash, of which one digit is behind p.at:
// three octal digits are a code point, else up to two are the number of a group.
func (p *parser) numeric(start int) (*node, error) {
	digits := p.src[p.at-1:]
	if len(digits) >= 3 && isOctal(digits[0]) && isOctal(digits[1]) && isOctal(digits[2]) {
		p.at += 2
		return p.one(rune(digits[0]-'0')<<6 | rune(digits[1]-'0')<<3 | rune(digits[2]-'0')), nil
	}
	group := int(digits[0] - '0')
	if len(digits) >= 2 && '0' <= digits[1] && digits[1] <= '9' {
		p.at++
		group = 10*group + int(digits[1]-'0')
	}
	return p.backref(group, start)
}

func isOctal(c byte) bool { return '0' <= c && c <= '7' }

// groupRef reads \g<…>, a reference; what is none is the letter g.
func (p *parser) groupRef(start int) (*node, error) {
	at := p.at
	if p.take("<") {
		if name, err := p.reference(">"); err == nil {
			return p.namedRef(name, start)
		}
	}
	p.at = at
	return p.one('g'), nil
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
			if d := p.peek(); isOctal(d) {
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
	var items, parts []written // parts: what a dash joins is a union in the set
	for first := true; first || p.peek() != ']'; first = false {
		if p.at >= len(p.src) {
			return nil, p.fail("unterminated character set")
		}
		at := p.at
		if strings.HasPrefix(p.src[at:], "[:") && at < p.posix {
			return nil, p.refuse(at, "a POSIX class")
		}
		w, err := p.member()
		if err != nil {
			return nil, err
		}
		more := []written{w}
		if w.kind == aCodePoint && p.peek() == '-' {
			if more, err = p.dash(w); err != nil {
				return nil, err
			}
		}
		items = append(items, more...)
		parts = append(parts, oneOf(more))
	}
	p.at++
	w := oneOf(items)
	if len(parts) > 1 && !(negated && p.flags.fold) {
		w.union = unionOf(parts).union
	}
	if all(items) {
		return anyOne(), nil // the regex module forgets the ^
	}
	w.negated = w.negated != negated
	return setOf(w, p.flags.fold), nil
}

// dash reads what a code point in a set and a dash behind it are: a range, or
// members of their own where no code point follows, as in [a-] and [a-\d].
func (p *parser) dash(from written) ([]written, error) {
	p.at++
	if p.peek() == ']' {
		return []written{from, codePoint('-')}, nil
	}
	to, err := p.member()
	switch {
	case err != nil:
		return nil, err
	case to.kind != aCodePoint:
		return []written{from, codePoint('-'), to}, nil
	case to.lo < from.lo:
		return nil, p.fail("bad character range")
	}
	return []written{span(from.lo, to.lo)}, nil
}

// member reads one code point of a set, or an escape for several.
func (p *parser) member() (written, error) {
	start := p.at
	if p.at >= len(p.src) {
		return written{}, p.fail("unterminated character set")
	}
	r := p.next()
	if r != '\\' {
		return codePoint(r), nil
	}
	if p.at >= len(p.src) {
		return written{}, p.fail("unterminated character set")
	}
	r = p.next()
	switch {
	case r == 'b':
		return codePoint('\b'), nil
	case r == 'N' || r == 'h' || r == 'p' || r == 'P':
		return written{}, p.refuse(start, `the escape \`+string(r))
	case '1' <= r && r <= '7':
		c := r - '0'
		for range 2 {
			if d := p.peek(); isOctal(d) {
				c = c*8 + rune(d-'0')
				p.at++
			}
		}
		return codePoint(c), nil
	case r == '8' || r == '9':
		return written{}, p.fail(`bad escape \` + string(r))
	}
	if w, ok := property(r); ok {
		return w, nil
	}
	c, err := p.character(r, start)
	return codePoint(c), err
}
