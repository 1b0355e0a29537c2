package rx

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// atom reads one item without its quantifier; nil for a flag or a comment.
func (p *parser) atom() (*node, error) {
	start := p.at
	switch r := p.next(); r {
	case '.':
		if p.flags.dot {
			return anyOne(), nil
		}
		return &node{op: opSet, set: newClass(complement([]runeRange{{'\n', '\n'}}))}, nil
	case '^':
		if p.flags.multi {
			return &node{op: opAssert, assert: atStartOfLine}, nil
		}
		return &node{op: opAssert, assert: atStart}, nil
	case '$':
		if p.flags.multi {
			return &node{op: opAssert, assert: atEndOfLine}, nil
		}
		return &node{op: opAssert, assert: atEndOrNewline}, nil
	case '[':
		return p.brackets()
	case '(':
		return p.group(start)
	case '\\':
		return p.escape(start)
	case '*', '+', '?':
		p.at = start
		return nil, p.fail("nothing to repeat")
	case '{':
		p.at = start
		if _, _, ok, err := p.quantifier(); err != nil || ok {
			if err == nil {
				p.at = start
				err = p.fail("nothing to repeat")
			}
			return nil, err
		}
		p.at = start + 1
		return p.one('{'), nil
	default:
		return p.one(r), nil
	}
}

// anyOne matches any code point.
func anyOne() *node { return &node{op: opSet, set: newClass([]runeRange{{0, maxRune}})} }

func (p *parser) group(start int) (*node, error) {
	if !p.take("?") {
		p.groups++
		return p.capture(p.groups)
	}
	switch {
	case p.take(":"):
		return p.rest(&node{op: opGroup, group: -1})
	case p.take("="):
		return p.rest(&node{op: opLook})
	case p.take("!"):
		return p.rest(&node{op: opLook, neg: true})
	case p.take("<="):
		return p.rest(&node{op: opLook, behind: true})
	case p.take("<!"):
		return p.rest(&node{op: opLook, behind: true, neg: true})
	case p.take("#"):
		for p.at < len(p.src) {
			switch p.next() {
			case ')':
				return nil, nil
			case '\\':
				p.next()
			}
		}
		return nil, p.fail("missing )")
	case p.take("P="):
		name, err := p.reference(")")
		if err != nil {
			return nil, err
		}
		return p.namedRef(name, start)
	case p.take("P<"), p.take("<"):
		at := p.at
		name, err := p.name(">")
		if err != nil {
			return nil, err
		}
		group, known := p.names[name]
		if !known {
			p.groups++
			group = p.groups
			p.names[name] = group
			p.order = append(p.order, name)
		}
		if p.open[group] {
			return nil, p.refuse(at, "a group inside a group of the same name")
		}
		return p.capture(group)
	case p.take(">"):
		return nil, p.refuse(start, "an atomic group")
	case p.take("|"):
		return nil, p.refuse(start, "branch reset")
	case p.take("("):
		return nil, p.refuse(start, "a conditional")
	case p.take("P>"), p.take("&"), p.take("R"), '0' <= p.peek() && p.peek() <= '9':
		return nil, p.refuse(start, "recursion")
	}
	return p.inlineFlags(start)
}

// inlineFlags reads (?ims), (?i-s) and (?i:…).
func (p *parser) inlineFlags(start int) (*node, error) {
	on, err := p.flagSet(start)
	if err != nil {
		return nil, err
	}
	off := ""
	if p.take("-") {
		if off, err = p.flagSet(start); err != nil {
			return nil, err
		}
		switch {
		case off == "":
			return nil, p.fail("bad inline flags: no flags after '-'")
		case strings.ContainsAny(on, off):
			return nil, p.fail("bad inline flags: flag turned on and off")
		}
	}
	saved := p.flags
	p.flags.set(on, true)
	p.flags.set(off, false)
	switch {
	case p.take(")"): // to the end of the group that this one is in
		return nil, nil
	case p.take(":"):
		n, err := p.rest(&node{op: opGroup, group: -1})
		p.flags = saved
		return n, err
	}
	p.at = start + 1
	return nil, p.fail("unknown extension")
}

// flagSet reads letters of flags.
func (p *parser) flagSet(start int) (string, error) {
	from := p.at
	for ; strings.IndexByte("abefimsuwxLprV", p.peek()) >= 0; p.at++ {
		if strings.IndexByte("imsu", p.peek()) < 0 {
			return "", p.refuse(p.at, "the flag "+string(p.peek()))
		}
	}
	return p.src[from:p.at], nil
}

// set turns flags on or off; u, Unicode, is what text patterns have anyway.
func (f *flags) set(letters string, on bool) {
	for _, letter := range letters {
		switch letter {
		case 'i':
			f.fold = on
		case 'm':
			f.multi = on
		case 's':
			f.dot = on
		}
	}
}

func (p *parser) capture(group int) (*node, error) {
	p.open[group] = true
	n, err := p.rest(&node{op: opGroup, group: group})
	delete(p.open, group)
	return n, err
}

// rest reads the inside of a group and its closing parenthesis into n.
func (p *parser) rest(n *node) (*node, error) {
	sub, err := p.alternation()
	if err != nil {
		return nil, err
	}
	if !p.take(")") {
		return nil, p.fail("missing )")
	}
	if n.op == opGroup && n.group < 0 {
		return sub, nil
	}
	n.subs = []*node{sub}
	return n, nil
}

// name reads the name of a group up to end.
func (p *parser) name(end string) (string, error) {
	at := p.at
	name, err := p.reference(end)
	if err == nil && isNumber(name) {
		err = &SyntaxError{at, "bad character in group name"}
	}
	return name, err
}

// reference reads the name or the number of a group up to end.
func (p *parser) reference(end string) (string, error) {
	from := p.at
	to := from + strings.IndexFunc(p.src[from:], func(r rune) bool { *p.steps++; return !isNameRune(r) })
	switch {
	case to < from:
		return "", p.fail("missing " + end)
	case p.src[to] != ')' && p.src[to] != '>':
		return "", p.fail("bad character in group name")
	case to == from:
		return "", p.fail("missing group name")
	case p.src[to] != end[0]:
		return "", p.fail("missing " + end)
	}
	name := p.src[from:to]
	first, _ := utf8.DecodeRuneInString(name)
	isName := first == '_' || unicode.IsLetter(first)
	if !isName && (!isNumber(name) || groupNumber(name) == 0) {
		return "", p.fail("bad character in group name")
	}
	p.at = to + 1
	return name, nil
}

func isNameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || IsWord(r) }

func isNumber(name string) bool {
	return strings.IndexFunc(name, func(r rune) bool { return !digitClass.has(r) }) < 0
}

// groupNumber reads a number in the digits of any script; above any group's where
// it is too big.
func groupNumber(name string) (n int) {
	for _, r := range name {
		for _, d := range digitRanges {
			if d.lo <= r && r <= d.hi {
				n = min(10*n+int(r-d.lo)%10, 1<<20)
			}
		}
	}
	return n
}

func (p *parser) namedRef(name string, start int) (*node, error) {
	if isNumber(name) {
		return p.backref(groupNumber(name), start)
	}
	group, ok := p.names[name]
	if !ok { // it may come later
		n := &node{op: opBackref, fold: p.flags.fold}
		p.later = append(p.later, later{n, name, start})
		return n, nil
	}
	return p.backref(group, start)
}

func (p *parser) backref(group, start int) (*node, error) {
	if p.open[group] {
		return nil, &SyntaxError{start, "cannot refer to an open group"}
	}
	p.refs = append(p.refs, ref{group, start})
	return &node{op: opBackref, group: group, fold: p.flags.fold}, nil
}
