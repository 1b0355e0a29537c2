package law

import (
	"slices"
	"strings"
)

// pair matches what opens with what closes, by their names and by what else closes
// in their place.
func (m *markers) pair(shapes []*rendered) {
	partner := map[string]bool{}
	var opens []string
	for text := range m.known {
		opens = append(opens, text)
	}
	slices.Sort(opens)
	for _, open := range opens {
		p := pair{open: open}
		for _, c := range closers(open) {
			if m.known[c] && !slices.Contains(p.closes, c) {
				p.closes = append(p.closes, c)
			}
		}
		if p.closes != nil {
			p.tag = strings.HasPrefix(p.closes[0], "</")
			m.pairs = append(m.pairs, p)
			partner[open] = true
			for _, c := range p.closes {
				partner[c] = true
			}
		}
	}
	for i := range m.pairs {
		m.pairs[i].closes = append(m.pairs[i].closes, m.others(m.pairs[i], partner, shapes)...)
	}
}

// others are markers that end what a pair opens although their names do not say
// so: wherever one of them stands, the next turn opens or the text ends, and
// nothing else closes there.
func (m *markers) others(p pair, partner map[string]bool, shapes []*rendered) []string {
	if p.tag {
		return nil
	}
	count, good := map[string]int{}, map[string]int{}
	for _, r := range shapes {
		text, ok := promptOf(r.closed)
		if !ok || r.Quotes {
			continue
		}
		all := m.in(text)
		for i, x := range all {
			if partner[x.text] || !m.known[x.text] {
				continue
			}
			count[x.text]++
			rest := len(text)
			if i+1 < len(all) {
				rest = all[i+1].start
			}
			if strings.TrimSpace(text[x.end:rest]) == "" && (i+1 == len(all) || all[i+1].text == p.open) {
				good[x.text]++
			}
		}
	}
	var out []string
	for text, n := range count {
		if good[text] == n {
			out = append(out, text)
		}
	}
	slices.Sort(out)
	return out
}

// closers are the names that what closes a marker may have.
func closers(open string) []string {
	var out []string
	for _, swap := range [][2]string{{"start", "end"}, {"begin", "end"}, {"open", "close"}, {"START", "END"}, {"BEGIN", "END"}} {
		if strings.Contains(open, swap[0]) {
			out = append(out, strings.Replace(open, swap[0], swap[1], 1))
		}
	}
	switch {
	case strings.HasPrefix(open, "<|") && strings.HasSuffix(open, "|>"):
		name := open[2 : len(open)-2]
		out = append(out, "<|/"+name+"|>", "<|end_"+name+"|>", "<|end_of_"+name+"|>", "<|"+name+"_end|>")
	case strings.HasPrefix(open, "<|"):
		out = append(out, "<"+open[2:len(open)-1]+"|>")
	case strings.HasPrefix(open, "<<"):
		out = append(out, "<</"+open[2:])
	case strings.HasPrefix(open, "[") && !strings.HasPrefix(open, "[/"):
		out = append(out, "[/"+open[1:])
	case strings.HasPrefix(open, "<") && !strings.HasPrefix(open, "</") && !strings.HasSuffix(open, "|>"):
		out = append(out, "</"+open[1:])
	}
	return out
}
