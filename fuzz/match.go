package fuzz

import "strings"

// matcher makes texts that a pattern matches, apart from what its assertions
// ask for.
type matcher struct {
	s *Source
	// fill proposes the text of a named group; it is taken where it fits.
	fill func(name string) (text string, ok bool)
	// groups are the texts so far, by number and by name.
	numbers map[int]string
	names   map[string]string
}

func match(s *Source, p *pattern, fill func(name string) (string, bool)) string {
	m := &matcher{s: s, fill: fill, numbers: map[int]string{}, names: map[string]string{}}
	var b strings.Builder
	m.write(&b, p)
	return b.String()
}

// classPool is where the characters of classes come from, plain ones first.
var classPool = []rune("aebcdf_01279 \n-.\t<>=\"{}[]xyzABCEF;:/|#\\'é٣漢ß\u00a0\u2028\u3000\U0001f600\U00010400,!?()\r\u0085²\u0301\u200d")

func (m *matcher) write(b *strings.Builder, p *pattern) {
	switch p.op {
	case patLiteral:
		b.WriteString(p.text)
	case patSet:
		b.WriteRune(m.one(p.set))
	case patSequence:
		for _, sub := range p.subs {
			m.write(b, sub)
		}
	case patChoice:
		m.write(b, p.subs[m.s.N(len(p.subs))])
	case patRepeat:
		n := p.min + m.s.N(4)
		if p.max >= 0 && n > p.max {
			n = p.max
		}
		if n == 0 && p.max < 0 && m.s.OneIn(2) {
			n = 1
		}
		for range n {
			m.write(b, p.subs[0])
		}
	case patLook: // mostly what it asks for
		if len(p.subs) > 0 && !m.s.OneIn(4) {
			m.write(b, p.subs[0])
		}
	case patGroup:
		m.group(b, p)
	case patBackref:
		if p.name != "" {
			b.WriteString(m.names[p.name])
		} else {
			b.WriteString(m.numbers[p.group])
		}
	}
}

func (m *matcher) one(s set) rune {
	// Half of the time among the plain characters.
	pool := classPool
	n := 12
	if m.s.OneIn(2) {
		n = len(pool)
	}
	at := m.s.N(n)
	for i := range pool {
		if r := pool[(at+i)%len(pool)]; s.has(r) {
			return r
		}
	}
	for _, r := range s.named {
		if s.has(r) {
			return r
		}
	}
	return 'a'
}

func (m *matcher) group(b *strings.Builder, p *pattern) {
	text, ok := "", false
	if p.name != "" && m.fill != nil {
		if text, ok = m.fill(p.name); ok {
			ok = p.accept != nil && p.accept.MatchString(text)
		}
	}
	if !ok {
		var inner strings.Builder
		m.write(&inner, p.subs[0])
		text = inner.String()
	}
	b.WriteString(text)
	m.numbers[p.group], m.names[p.name] = text, text
}
