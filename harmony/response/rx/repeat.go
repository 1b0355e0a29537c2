package rx

import "unicode"

func (p *parser) quantified(n *node, start int) (*node, error) {
	at := p.at
	min, max, ok, err := p.quantifier()
	if err != nil || !ok {
		return n, err
	}
	if n.op == opAssert {
		return nil, p.refuse(at, "a quantifier behind an assertion")
	}
	lazy := false
	switch {
	case p.take("?"):
		lazy = true
	case p.peek() == '+':
		return nil, p.refuse(p.at, "a possessive quantifier")
	}
	again := p.at
	if _, _, ok, err := p.quantifier(); err != nil || ok {
		if err == nil {
			p.at = again
			err = p.fail("multiple repeat")
		}
		return nil, err
	}
	if n.op == opLook {
		return nil, p.refuse(at, "a quantifier behind an assertion")
	}
	if n.op == opEmpty || min == 1 && max == 1 {
		return n, nil
	}
	return &node{op: opRepeat, subs: []*node{n}, min: min, max: max, lazy: lazy}, nil
}

// quantifier reads * + ? {m} {m,} {,n} {m,n}; other braces are literal text.
func (p *parser) quantifier() (min, max int, ok bool, err error) {
	switch {
	case p.take("*"):
		return 0, -1, true, nil
	case p.take("+"):
		return 1, -1, true, nil
	case p.take("?"):
		return 0, 1, true, nil
	case p.peek() != '{':
		return 0, 0, false, nil
	}
	start := p.at
	p.at++
	min, hasMin := p.count()
	max = min
	hasMax := hasMin
	if p.take(",") {
		if max, hasMax = p.count(); !hasMax {
			max, hasMax = -1, true
		}
	}
	if !hasMin && !hasMax || !p.take("}") {
		p.at = start
		if p.fuzzy(p.src[start:]) {
			return 0, 0, false, p.refuse(start, "fuzzy matching")
		}
		return 0, 0, false, nil
	}
	if max >= 0 && min > max {
		p.at = start + 1
		return 0, 0, false, p.fail("min repeat greater than max repeat")
	}
	return min, max, true, nil
}

func (p *parser) count() (n int, ok bool) {
	for ; '0' <= p.peek() && p.peek() <= '9'; *p.steps++ {
		n = n*10 + int(p.peek()-'0')
		if n > maxProgram {
			n = maxProgram + 1
		}
		ok = true
		p.at++
	}
	return n, ok
}

// fuzzy tells whether braces look like the regex module's fuzzy constraints:
// {e}, {i<=1}, {1<=e<=3}, {2i+2d+1s<=4}.
func (p *parser) fuzzy(s string) bool {
	letters := 0
	for i := 1; i < len(s); i++ {
		*p.steps++
		switch c := s[i]; {
		case c == '}':
			return letters > 0
		case c == 'i' || c == 'd' || c == 's' || c == 'e':
			if letters++; i > 1 && unicode.IsLetter(rune(s[i-1])) {
				return false
			}
		case '0' <= c && c <= '9', c == '<', c == '=', c == '+', c == ',', c == ' ':
		default:
			return false
		}
	}
	return false
}
