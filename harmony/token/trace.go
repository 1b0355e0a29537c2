package token

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
)

// Tracer tells, of a rendered text, which markers the renderer wrote: its Mark
// goes over the caller's texts (beam.RenderMarked), and Trace reads the marks.
// Names of members, which stay as they are, count as the renderer's: [Forged]
// looks at them, too.
type Tracer struct{ v *Vocabulary }

// NewTracer makes a Tracer for the added tokens of a vocabulary.
func NewTracer(v *Vocabulary) Tracer { return Tracer{v} }

// Mark marks what of a caller's text could become an added token: the tokens that
// it spells, and an end with which, together with what the renderer or another
// text puts beside it, one could begin or end. Text that is nothing like that
// stays as it is. What cannot be looked at stays too.
func (t Tracer) Mark(text string) string {
	text = Unmark(text)
	found, err := t.v.Scan(text)
	if err != nil {
		return text
	}
	var b strings.Builder
	from := int64(0)
	if t.begins(text) {
		b.WriteString(markEnd)
	}
	for _, m := range found {
		b.WriteString(text[from:m.Text.Start] + markStart + text[m.Text.Start:m.Text.End] + markEnd)
		from = m.Text.End
	}
	b.WriteString(text[from:])
	if t.ends(text) {
		b.WriteString(markEnd)
	}
	return b.String()
}

// begins tells whether the text begins with the end of an added token.
func (t Tracer) begins(text string) bool {
	for _, a := range t.v.added {
		for n := 1; n < len(a.Text) && n <= len(text); n++ {
			if text[:n] == a.Text[len(a.Text)-n:] {
				return true
			}
		}
	}
	return false
}

// ends tells whether the text ends with the start of an added token.
func (t Tracer) ends(text string) bool {
	for _, a := range t.v.added {
		for n := 1; n < len(a.Text) && n <= len(text); n++ {
			if text[len(text)-n:] == a.Text[:n] {
				return true
			}
		}
	}
	return false
}

// Trace is where the added tokens of a rendered text come from.
type Trace struct {
	Text    string  // the rendered text
	Written []Match // the renderer wrote these
	Foreign []Match // a caller's text wrote these, alone or together with its neighbours
}

// Trace reads a text that was rendered from texts that went through Mark. The
// error is a *ScanError.
func (t Tracer) Trace(marked string) (Trace, error) {
	var b strings.Builder
	var marks []mark
	for marked != "" {
		i := strings.Index(marked, markStart[:3]) // both begin alike
		if i < 0 || i+4 > len(marked) {
			b.WriteString(marked)
			break
		}
		b.WriteString(marked[:i])
		if m := marked[i : i+4]; m == markStart || m == markEnd {
			marks = append(marks, mark{int64(b.Len()), m == markStart})
		} else {
			b.WriteString(m)
		}
		marked = marked[i+4:]
	}
	tr := Trace{Text: b.String()}
	found, err := t.v.Scan(tr.Text)
	if err != nil {
		return tr, err
	}
	k := 0
	for _, m := range found {
		for k < len(marks) && marks[k].at < m.Text.Start {
			k++
		}
		if foreign(marks[k:], m.Text) {
			tr.Foreign = append(tr.Foreign, m)
		} else {
			tr.Written = append(tr.Written, m)
		}
	}
	return tr, nil
}

// mark is where a mark stood in the text.
type mark struct {
	at    int64
	start bool // of a token
}

// foreign tells whether marks say that a token is a caller's: one that starts it,
// or one inside it.
func foreign(marks []mark, at harmony.Span) bool {
	for _, m := range marks {
		if m.at >= at.End {
			return false
		}
		if m.start || m.at > at.Start {
			return true
		}
	}
	return false
}

// CheckControl looks whether the ids of a rendered text hold as many control
// tokens as the renderer wrote markers ([LawControl]): each further one is found
// where it stands. [Forged] tells which text of the request wrote it.
func CheckControl(v *Vocabulary, tr Trace, e Encoding) []Finding {
	var out []Finding
	for _, m := range tr.Foreign {
		token := v.name(m.ID)
		out = append(out, Finding{Law: LawControl, Offset: m.Text.Start, Token: token,
			Detail: fmt.Sprintf("the control token %s stands in the prompt, and a caller's text wrote it", token)})
	}
	n := 0
	for _, id := range e.IDs {
		if v.isAdded(id) && !v.tokens[id].model {
			n++
		}
	}
	if want := len(tr.Written) + len(tr.Foreign); n != want && len(out) == 0 {
		out = append(out, Finding{Law: LawControl, Offset: -1, Detail: fmt.Sprintf("%d control ids stand for the %d markers that were written", n, want)})
	}
	return out
}
