package fuzz

import (
	"sort"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Input is a reply with all that it is read with.
type Input struct {
	Template *Template
	Reply    string
	Prefix   string
	Tools    []value.Value
	Stop     harmony.Stop
	// Cut is how the reply comes: positions in bytes, rising. Empty is whole.
	Cut Cut
	// Traits name what went into the input, sorted, each once.
	Traits []string

	pieces []piece
}

// piece is a stretch of a generated reply.
type piece struct {
	part part
	text string
}

type part uint8

const (
	between part = iota // text outside regions
	opener
	inside // the body of a region
	closer
)

// Generate makes a well-formed reply of up to six regions, its prefix and tools.
func Generate(s *Source, t *Template) *Input {
	return generate(s, t, 1+s.N(6))
}

// GenerateOne makes a reply of one region alone, mostly without a prefix and
// with nothing around it: what is wrong with one construct shows here, and
// cannot hide behind another.
func GenerateOne(s *Source, t *Template) *Input {
	return generate(s, t, 1)
}

func generate(s *Source, t *Template, regions int) *Input {
	in := &Input{Template: t}
	traits := map[string]bool{}
	m := &maker{s: s, t: t, seen: func(trait string) { traits[trait] = true }}
	if s.OneIn(2) {
		m.tools, in.Tools = makeTools(s)
		m.seen("tools")
	}
	m.careless = s.OneIn(4)
	m.near = markers(s, t, m.fill)
	in.Prefix = m.prefix()
	if m.begun != nil {
		in.pieces = m.rest(in.pieces, m.begun)
	}
	if regions == 1 {
		in.pieces = m.region(in.pieces, m.field(0))
	} else {
		for i := range regions {
			in.pieces = append(in.pieces, piece{between, m.between()})
			in.pieces = m.region(in.pieces, m.field(i))
		}
		switch s.N(4) {
		case 2:
			in.pieces = append(in.pieces, piece{between, m.between()})
		case 3:
			m.seen("between=text")
			in.pieces = append(in.pieces, piece{between, m.text()})
		}
	}
	in.Stop = Pick(s, harmony.StopUnknown(), harmony.StopUnknown(), harmony.StopLength(), harmony.StopToken("<|return|>"))
	in.join()
	for trait := range traits {
		in.Traits = append(in.Traits, trait)
	}
	sort.Strings(in.Traits)
	return in
}

// join makes the reply of its pieces.
func (in *Input) join() {
	var b strings.Builder
	for _, p := range in.pieces {
		b.WriteString(p.text)
	}
	in.Reply = b.String()
}

// fill proposes the name of a tool for what an anchor captures.
func (m *maker) fill(string) (string, bool) { return m.name(), true }

// markers writes one text for each anchor of the template.
func markers(s *Source, t *Template, fill func(string) (string, bool)) (texts []string) {
	add := func(m *Marker) {
		if m != nil {
			if text := m.write(s, fill); text != "" {
				texts = append(texts, text)
			}
		}
	}
	add(t.Shape.Start)
	for i := range t.Shape.Fields {
		add(t.Shape.Fields[i].Open)
		add(t.Shape.Fields[i].Close)
	}
	return texts
}

// field chooses the field of region i: one that the reply must have comes first.
func (m *maker) field(i int) *Field {
	fields := m.t.Shape.Fields
	if i == 0 && !m.s.OneIn(6) {
		for j := range fields {
			if fields[j].Required {
				return &fields[j]
			}
		}
	}
	f := &fields[m.s.N(len(fields))]
	if f.Open == nil && m.s.OneIn(2) {
		f = &fields[m.s.N(len(fields))]
	}
	return f
}

// region adds a region: opener, body, closer.
func (m *maker) region(pieces []piece, f *Field) []piece {
	if f.Open != nil {
		pieces = append(pieces, piece{opener, f.Open.write(m.s, m.fill)})
		m.seen("region=explicit")
	} else {
		m.seen("region=implicit")
	}
	return m.rest(pieces, f)
}

// rest adds a region behind its opener.
func (m *maker) rest(pieces []piece, f *Field) []piece {
	body := ""
	if f.Content.Kind == "json" && len(f.Wanted) > 0 && !m.s.OneIn(10) {
		m.seen("content=json")
		body = m.wantedJSON(f)
	} else {
		body = m.body(&f.Content)
	}
	pieces = append(pieces, piece{inside, body})
	if f.Close != nil {
		pieces = append(pieces, piece{closer, f.Close.write(m.s, m.fill)})
	}
	return pieces
}

// between writes what stands between regions: mostly nothing or the anchor of a
// new turn.
func (m *maker) between() string {
	switch m.s.N(8) {
	case 0, 1, 2:
		return ""
	case 3, 4:
		return m.t.Shape.Start.write(m.s, nil)
	case 5, 6:
		m.seen("between=space")
		return Pick(m.s, spaces...)
	}
	m.seen("between=text")
	return m.text()
}

// prefix writes a prompt: none, one that ends with the start anchor, one that
// begins the turn already, or any text.
func (m *maker) prefix() string {
	if !m.s.OneIn(3) {
		return ""
	}
	start := m.t.Shape.Start.write(m.s, nil)
	switch m.s.N(5) {
	case 0, 1:
		m.seen("prefix=anchor")
		return "Hi" + start
	case 2:
		f := m.field(1)
		if f.Open == nil {
			break
		}
		m.seen("prefix=open region")
		if m.begun = f; f.Content.Kind != "text" {
			return start + f.Open.write(m.s, m.fill)
		}
		return start + f.Open.write(m.s, m.fill) + Pick(m.s, "", "so ")
	case 3:
		m.seen("prefix=begun marker")
		return start + beginning(m.s, Pick(m.s, m.near...))
	}
	m.seen("prefix=text")
	return m.text()
}
