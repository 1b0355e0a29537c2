package token

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Tracer tells, of a rendered prompt, which of its added tokens the renderer
// wrote, and which text of the request wrote each of the others.
//
//  1. Mark marks, in the strings of a request, what could become an added token.
//  2. The marked request is rendered, by any renderer that copies texts.
//  3. Trace reads the marks and takes them out again.
//
// Equal texts are marked alike, since templates compare texts: the id of a call
// with that of its result, say. The first of them in the prompt is told as the
// first in the request, and so on.
//
// A Tracer is for one request.
type Tracer struct {
	v       *Vocabulary
	sources []source               // by the number of a mark
	texts   map[string]*markedText // by the text
}

// markedText is a text of the request, marked, and its places in order.
type markedText struct {
	marked string
	paths  []string
}

// source is a place in a text of the request: an added token, or an end.
type source struct {
	of  *markedText
	at  int64
	end bool // of the text
}

// NewTracer makes a Tracer for the added tokens of a vocabulary.
func NewTracer(v *Vocabulary) *Tracer { return &Tracer{v: v, texts: map[string]*markedText{}} }

// Marks have a number behind them, in private-use digits.
const (
	digitZero = '\U000f0010'
	digitNine = '\U000f0019'
)

// Mark gives the request with marks in its strings, names of members included:
// around each added token that one spells, and at an end with which, together with
// what is put beside it, an added token could begin or end. Most strings are
// nothing like that and stay as they are. Marks that are there already are taken
// out. The error is a *ScanError.
func (t *Tracer) Mark(request value.Value) (value.Value, error) {
	m := tracing{t: t}
	out := m.value(request, "")
	return out, m.err
}

// tracing is one walk of Mark.
type tracing struct {
	t   *Tracer
	err error
}

func (m *tracing) value(v value.Value, path string) value.Value {
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		return value.String(m.text(s, path))
	case value.KindArray:
		list, _ := v.AsArray()
		items := make([]value.Value, 0, list.Len())
		for i, item := range list.All() {
			items = append(items, m.value(item, fmt.Sprintf("%s[%d]", path, i)))
		}
		return value.List(items...)
	case value.KindObject:
		o, _ := v.AsObject()
		out := value.NewObject(o.Len())
		for name, member := range o.All() {
			at := memberPath(path, name)
			out.Set(m.text(name, at), m.value(member, at))
		}
		return out.Value()
	}
	return v
}

func (m *tracing) text(text, path string) string {
	t := m.t
	text = unnumbered(text)
	if same := t.texts[text]; same != nil {
		same.paths = append(same.paths, path)
		return same.marked
	}
	found, err := t.v.Scan(text)
	if err != nil && m.err == nil {
		m.err = err
	}
	begins, ends := t.v.touches(text)
	if len(found) == 0 && !begins && !ends {
		return text
	}
	var b strings.Builder
	from := int64(0)
	of := &markedText{paths: []string{path}}
	if begins {
		t.mark(&b, markEnd, source{of: of})
	}
	for _, match := range found {
		b.WriteString(text[from:match.Text.Start])
		t.mark(&b, markStart, source{of: of, at: match.Text.Start})
		b.WriteString(text[match.Text.Start:match.Text.End])
		from = match.Text.End
	}
	b.WriteString(text[from:])
	if ends {
		t.mark(&b, markEnd, source{of: of, at: int64(len(text)), end: true})
	}
	of.marked = b.String()
	t.texts[text] = of
	return of.marked
}

// mark writes a mark and its number.
func (t *Tracer) mark(b *strings.Builder, mark string, s source) {
	b.WriteString(mark)
	for _, digit := range fmt.Sprint(len(t.sources)) {
		b.WriteRune(digitZero + digit - '0')
	}
	t.sources = append(t.sources, s)
}

// unnumbered takes marks and their digits out of a text.
func unnumbered(text string) string {
	if !strings.Contains(text, markStart[:3]) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r >= digitZero && r <= digitNine {
			return -1
		}
		return r
	}, Unmark(text))
}

// touches tells whether a text begins with the end of an added token, and whether
// it ends with the start of one.
func (v *Vocabulary) touches(text string) (begins, ends bool) {
	for _, a := range v.added {
		for n := 1; n < len(a.Text) && n <= len(text); n++ {
			begins = begins || text[:n] == a.Text[len(a.Text)-n:]
			ends = ends || text[len(text)-n:] == a.Text[:n]
		}
	}
	return begins, ends
}

// Trace is where the added tokens of a rendered text come from.
type Trace struct {
	Text    string  // the rendered text
	Written []Match // the renderer wrote these
	Foreign []Foreign
}

// Foreign is an added token that texts of the request wrote: one of them, or
// several together, or one together with what the renderer put beside it.
type Foreign struct {
	Match
	Sources []Source // in the order of the prompt
}

// Source is a text of the request that has a token, or a part of one.
type Source struct {
	Path   string // JSON path
	Offset int64  // of the token or its part, in bytes of the text
}

// Trace reads the prompt of a marked request. The error is a *ScanError.
func (t *Tracer) Trace(marked string) (Trace, error) {
	text, marks := t.marks(marked)
	tr := Trace{Text: text}
	found, err := t.v.Scan(text)
	if err != nil {
		return tr, err
	}
	k := 0
	for _, m := range found {
		for k < len(marks) && marks[k].at < m.Text.Start {
			k++
		}
		if sources := t.sourcesOf(marks[k:], m.Text); len(sources) > 0 {
			tr.Foreign = append(tr.Foreign, Foreign{m, sources})
		} else {
			tr.Written = append(tr.Written, m)
		}
	}
	return tr, nil
}

// mark is where a mark stood in the text.
type mark struct {
	at     int64
	start  bool // of a token
	number int
	nth    int // of those with this number, from 0
}

// marks takes the marks out of a text.
func (t *Tracer) marks(marked string) (string, []mark) {
	var b strings.Builder
	var out []mark
	seen := make([]int, len(t.sources))
	for marked != "" {
		i := strings.Index(marked, markStart[:3]) // all of them begin alike
		if i < 0 || i+len(markStart) > len(marked) {
			b.WriteString(marked)
			break
		}
		b.WriteString(marked[:i])
		kind := marked[i : i+len(markStart)]
		marked = marked[i+len(markStart):]
		if kind != markStart && kind != markEnd {
			b.WriteString(kind)
			continue
		}
		m := mark{at: int64(b.Len()), start: kind == markStart}
		for {
			r, n := utf8.DecodeRuneInString(marked)
			if r < digitZero || r > digitNine {
				break
			}
			m.number = min(10*m.number+int(r-digitZero), len(t.sources))
			marked = marked[n:]
		}
		if m.number < len(t.sources) {
			m.nth = seen[m.number]
			seen[m.number]++
			out = append(out, m)
		}
	}
	return b.String(), out
}

// sourcesOf are the texts that marks tell to have written a token: one that
// starts it, else those that end or begin inside it; none where it is the
// renderer's.
func (t *Tracer) sourcesOf(marks []mark, at harmony.Span) []Source {
	var out []Source
	for _, m := range marks {
		if m.at >= at.End {
			break
		}
		s := t.sources[m.number]
		path := s.of.paths[min(m.nth, len(s.of.paths)-1)]
		switch {
		case m.start && m.at == at.Start:
			return []Source{{path, s.at}}
		case m.at > at.Start:
			if s.end { // the part before the mark is this text's
				s.at = max(0, s.at-(m.at-at.Start))
			}
			out = append(out, Source{path, s.at})
		}
	}
	return out
}
