package response

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// The two yardsticks that the engine's speed is a ratio to, so that the figures
// of different machines can be compared.

// limit finds every < of a reply: no reader of markers that begin with one can
// look at the text less.
func limit(text []byte) (found int) {
	for at := 0; ; found++ {
		i := bytes.IndexByte(text[at:], '<')
		if i < 0 {
			return found
		}
		at += i + 1
	}
}

// splitter is the bare splitter: what a server would write by hand for one fixed
// format. It holds back what may become a marker and accumulates the text
// between markers, of one part for each opening marker. It knows no patterns,
// no arguments, no problems, and tells no events.
type splitter struct {
	held  []byte
	part  int // of parts; -1 outside
	parts [2][]byte
}

// The first two markers open a part, the others close it.
var splitterMarkers = [...]string{openThinking, openFinal, "<|end|>", "<|return|>", "<|call|>", "<|start|>assistant"}

func (s *splitter) reset() {
	s.held, s.part = s.held[:0], -1
	for i := range s.parts {
		s.parts[i] = s.parts[i][:0]
	}
}

func (s *splitter) feed(chunk string) {
	for chunk != "" {
		if len(s.held) == 0 {
			i := strings.IndexByte(chunk, '<')
			if i < 0 {
				s.text(chunk)
				return
			}
			s.text(chunk[:i])
			chunk = chunk[i:]
		}
		s.held = append(s.held, chunk[0])
		marker, begins := match(s.held)
		switch {
		case marker >= 0:
			s.held = s.held[:0]
			s.part = -1
			if marker < len(s.parts) {
				s.part = marker
			}
		case !begins: // the byte may begin a marker itself
			s.text(string(s.held[:len(s.held)-1]))
			s.held = s.held[:0]
			if chunk[0] == '<' {
				continue
			}
			s.text(chunk[:1])
		}
		chunk = chunk[1:]
	}
}

// match tells which marker a text is, -1 for none, and whether one begins so.
func match(held []byte) (marker int, begins bool) {
	for i, m := range splitterMarkers {
		if len(held) <= len(m) && string(held) == m[:len(held)] {
			if len(held) == len(m) {
				return i, true
			}
			begins = true
		}
	}
	return -1, begins
}

func (s *splitter) text(text string) {
	if s.part >= 0 {
		s.parts[s.part] = append(s.parts[s.part], text...)
	}
}

// end gives the text of the parts.
func (s *splitter) end() (thinking, final []byte) {
	s.text(string(s.held))
	s.held = s.held[:0]
	return s.parts[0], s.parts[1]
}

// bareLoop is what building a message costs where everything is known before: it
// takes the chunks, keeps the text of each region, and puts the values into the
// message. It looks at no byte.
type bareLoop struct {
	tpl   *Template
	parts []barePart
	calls int
}

// barePart is one region: its body in bytes of the reply, and its value.
type barePart struct {
	field      *field
	start, end int
	value      value.Value // of what is no text
}

// newBareLoop reads a reply once, to know it.
func newBareLoop(tb testing.TB, tpl *Template, text string) *bareLoop {
	p, err := tpl.NewParser(Options{Prefix: &noPrefix, Problems: true})
	if err != nil {
		tb.Fatal(err)
	}
	events, err := p.Feed(text)
	if err != nil {
		tb.Fatal(err)
	}
	events = slices.Clone(events)
	last, reply, err := p.Finalize(harmony.Stop{})
	if err != nil {
		tb.Fatal(err)
	}
	l := &bareLoop{tpl: tpl, calls: len(reply.Calls)}
	for _, e := range append(events, last...) {
		if e.Type == harmony.RegionClose {
			f, r := tpl.field(e.Field), reply.Regions[len(l.parts)]
			l.parts = append(l.parts, barePart{f, int(r.Body.Start), int(r.Body.End), e.Value})
		}
	}
	return l
}

func (l *bareLoop) read(chunks []string) harmony.Reply {
	var (
		out    value.Object
		calls  []harmony.Call
		kept   body
		joined = map[*field]*strings.Builder{}
		at, i  int
	)
	for name, v := range l.tpl.defaults.All() {
		out.Set(name, v.Clone())
	}
	for _, chunk := range chunks {
		end := at + len(chunk)
		for ; i < len(l.parts) && l.parts[i].start <= end; i++ {
			p := &l.parts[i]
			kept.add(chunk[min(max(p.start-at, 0), len(chunk)):min(p.end-at, len(chunk))])
			if p.end > end {
				break
			}
			name, v := p.field.name, value.String(p.field.content.trim(kept.String()))
			if !p.field.isText() {
				v = p.value.Clone()
				calls = append(calls, harmony.Call{Field: name, Value: v})
			}
			list, has := out.Get(name)
			switch a, _ := list.AsArray(); {
			case p.field.join != nil && has:
				b := joined[p.field]
				if b == nil {
					b = &strings.Builder{}
					joined[p.field] = b
					first, _ := list.AsString()
					b.WriteString(first)
				}
				text, _ := v.AsString()
				b.WriteString(*p.field.join)
				b.WriteString(text)
				out.Set(name, value.String(b.String()))
			case p.field.join != nil || !p.field.repeats:
				out.Set(name, v)
			case has:
				a.Append(v)
			default:
				out.Set(name, value.List(v))
			}
			kept = body{}
		}
		at = end
	}
	return harmony.Reply{Message: out.Value(), Calls: calls[:l.calls]}
}

// The bare loop builds the message that the engine does.
func TestBareLoop(t *testing.T) {
	tpl := beamTemplate(t)
	for name, g := range replies {
		text := g.make(4 << 10)
		want, err := tpl.Parse(text, Options{Prefix: &noPrefix})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cuts {
			got := newBareLoop(t, tpl, text).read(cut(text, c.size))
			if !value.Equal(got.Message, want.Message) || len(got.Calls) != len(want.Calls) {
				t.Errorf("%s, cut %s: the message differs", name, c.name)
			}
		}
	}
}

// The yardsticks read the replies as the engine does.
func TestYardsticks(t *testing.T) {
	tpl := beamTemplate(t)
	for _, name := range []string{"ordinary", "ordinary-han"} {
		text := replies[name].make(64 << 10)
		if got, want := limit([]byte(text)), strings.Count(text, "<"); got != want {
			t.Errorf("%s: the limit found %d of %d", name, got, want)
		}
		reply, err := tpl.Parse(text, Options{Prefix: &noPrefix})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 4, 0} {
			s := splitter{}
			s.reset()
			for _, chunk := range cut(text, size) {
				s.feed(chunk)
			}
			thinking, final := s.end()
			if want, _ := reply.Message.Get("thinking").AsString(); string(thinking) != want {
				t.Errorf("%s, %d characters a feed: the splitter's thinking differs", name, size)
			}
			if want, _ := reply.Message.Get("content").AsString(); string(final) != want {
				t.Errorf("%s, %d characters a feed: the splitter's content differs", name, size)
			}
		}
	}
}
