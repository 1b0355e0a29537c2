package law

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// markerForms are the spellings that model families give their markers. Nothing
// here is of one model: which of them count is found in the template's own words.
var markerForms = regexp.MustCompile(strings.Join([]string{
	`<\|[^|<>\s]{1,48}\|>`,                      // <|im_start|>
	`<｜[^｜<>]{1,48}｜>`,                          // <｜User｜>
	`<\|[^|<>\s]{1,48}>`,                        // <|turn>
	`<[^|<>\s/]{1,48}\|>`,                       // <turn|>
	`<</?[A-Z]{2,20}>>`,                         // <<SYS>>
	`\[\|[^|\[\]\s]{1,48}\|\]`,                  // [|endofturn|]
	`\[/?[A-Z][A-Z_]{1,24}\]`,                   // [INST]
	`</?[A-Za-z_][\w:.-]{0,47}>`,                // <think>
	`<[A-Za-z_][\w:.-]{0,47}[= ][^<>\n]{1,80}>`, // <parameter=query>
}, "|"))

// tagForm is a marker with the look of a tag of XML.
var tagForm = regexp.MustCompile(`^</?[A-Za-z_][\w:.-]*[^|]*>$`)

// mark is a marker in a prompt.
type mark struct {
	start, end int
	text       string // without attributes: <parameter> of <parameter=query>
}

// markers are those of one template.
type markers struct {
	forms *regexp.Regexp
	known map[string]bool // that the template writes
	pairs []pair
	// ends is which markers stand first between the texts of two roles, for each two
	// of joint.roles; learnt are those that core shapes have side by side, begins
	// what stands directly before the text of a user.
	ends           map[string]map[string]bool
	learnt, begins map[string]bool
	think          map[string]bool // what stands around reasoning
	alone          map[string]bool // closers that the generation prompt writes without what opens them
}

// pair is a marker that opens something and those that close it.
type pair struct {
	open   string
	closes []string
	tag    bool
}

// in are the markers in a text, in their order.
func (m *markers) in(prompt string) []mark {
	var out []mark
	for _, at := range m.forms.FindAllStringIndex(prompt, -1) {
		out = append(out, mark{at[0], at[1], plain(prompt[at[0]:at[1]])})
	}
	return out
}

// plain is a marker without its attributes.
func plain(text string) string {
	if tagForm.MatchString(text) {
		if i := strings.IndexAny(text, "= "); i > 0 {
			return text[:i] + ">"
		}
	}
	return text
}

// first is the first marker in a text, "" where there is none.
func (m *markers) first(text string) string {
	if all := m.in(text); len(all) > 0 {
		return all[0].text
	}
	return ""
}

// findMarkers finds what the template marks turns with: from the tokenizer's added
// tokens, from the template's own words and from the prompts of core shapes, whose
// texts hold no marker.
func (s *Subject) findMarkers(ctx context.Context) (*markers, error) {
	if s.marks != nil {
		return s.marks, nil
	}
	shapes, err := s.rendered(ctx)
	if err != nil {
		return nil, err
	}
	m := &markers{forms: markerForms, known: map[string]bool{}, ends: map[string]map[string]bool{}, begins: map[string]bool{}, learnt: map[string]bool{}, think: map[string]bool{}}
	var prompts []string
	for _, r := range shapes {
		for i := range r.prompts {
			if p, ok := r.prompt(i); ok && r.Core {
				prompts = append(prompts, p)
			}
		}
	}
	m.forms = withTokens(s.Added, prompts)
	atStart, elsewhere := map[string]bool{}, map[string]bool{}
	for _, p := range prompts {
		for _, x := range m.in(p) {
			m.known[x.text] = true
			if x.start == 0 {
				atStart[x.text] = true
			} else {
				elsewhere[x.text] = true
			}
		}
	}
	for _, l := range checkpoint.Literals(s.ChatTemplate) {
		for _, x := range m.in(l) {
			m.known[x.text] = true
		}
	}
	delete(m.known, s.Special["bos_token"])
	for text := range atStart { // what begins the whole text begins no turn
		if !elsewhere[text] {
			delete(m.known, text)
		}
	}
	m.learn(shapes)
	m.pair(shapes)
	m.closesAlone(shapes)
	s.marks = m
	return m, nil
}

// withTokens adds to the spellings the added tokens that prompts hold and that no
// spelling covers.
func withTokens(added, prompts []string) *regexp.Regexp {
	var more []string
	for _, a := range added {
		if len(a) > 1 && strings.TrimSpace(a) == a && strings.ContainsAny(a, "<>[]|") && markerForms.FindString(a) != a &&
			slices.ContainsFunc(prompts, func(p string) bool { return strings.Contains(p, a) }) {
			more = append(more, regexp.QuoteMeta(a))
		}
	}
	if more == nil {
		return markerForms
	}
	slices.SortFunc(more, func(a, b string) int { return len(b) - len(a) })
	return regexp.MustCompile(strings.Join(more, "|") + "|" + markerForms.String())
}

// learn looks at what stands between the texts of neighbouring messages, and
// around reasoning.
func (m *markers) learn(shapes []*rendered) {
	total, marked := map[string]int{}, map[string]int{}
	for _, r := range shapes {
		p, ok := r.last()
		if !ok || !r.Core {
			continue
		}
		for _, j := range joints(p, r.Last()) {
			if j.before.kind != kindContent || j.before.role == "system" && !r.Last().Tools.IsNull() {
				continue // tools may be declared between
			}
			total[j.roles()]++
			if marks := m.in(p[j.from:j.to]); len(marks) > 0 {
				if m.ends[j.roles()] == nil {
					m.ends[j.roles()] = map[string]bool{}
				}
				m.ends[j.roles()][marks[0].text] = true
				if j.after.role == "user" {
					m.begins[marks[len(marks)-1].text] = true
				}
				marked[j.roles()]++
			}
		}
		for i, step := range r.Steps {
			p, ok := r.prompt(i)
			for _, w := range wordsOf(step.Messages) {
				if at, found := find(p, w.text, 0); ok && found && w.kind == kindReasoning {
					if before := m.in(p[:at.start]); len(before) > 0 && strings.TrimSpace(p[before[len(before)-1].end:at.start]) == "" {
						m.think[before[len(before)-1].text] = true
					}
					if after := m.first(p[at.end:]); after != "" {
						m.think[after] = true
					}
				}
			}
		}
	}
	for roles, n := range total {
		m.learnt[roles] = true
		if 2*marked[roles] <= n { // the format has none there
			delete(m.ends, roles)
		}
	}
}

// closesAlone looks for closers in the generation prompt.
func (m *markers) closesAlone(shapes []*rendered) {
	m.alone = map[string]bool{}
	for _, r := range shapes {
		p, ok := r.last()
		if !ok || !r.Core {
			continue
		}
		open, end := map[string]bool{}, lastText(p, r.Last())
		for _, x := range m.in(p) {
			for _, pair := range m.pairs {
				switch {
				case x.text == pair.open:
					open[pair.open] = true
				case x.text == pair.closes[0]:
					if !open[pair.open] && x.start >= end {
						m.alone[x.text] = true
					}
					open[pair.open] = false
				}
			}
		}
	}
}

// roles name the two sides of a joint.
func (j joint) roles() string { return j.before.role + " before " + j.after.role }

// stops is what ends the model's turn before the user's: the first marker there,
// where the next turn's beginning is another.
func (m *markers) stops() map[string]bool {
	out := map[string]bool{}
	for text := range m.ends["assistant before user"] {
		if !m.begins[text] {
			out[text] = true
		}
	}
	return out
}

// joint is what stands between the last text of one message and the first of the
// next one that has any.
type joint struct {
	before, after words
	from, to      int
}

// joints are those of a prompt in which the texts stand in their order.
func joints(prompt string, step *Step) []joint {
	var out []joint
	var last words
	at := -1
	end := 0
	for _, w := range wordsOf(step.Messages) {
		p, ok := find(prompt, w.text, end)
		if !ok || w.kind == kindKey || w.kind == kindReasoning || p.form == altered {
			continue
		}
		if at >= 0 && w.message != last.message {
			out = append(out, joint{last, w, end, p.start})
		}
		at, end, last = p.start, p.end, w
	}
	return out
}
