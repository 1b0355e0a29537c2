package response

import (
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/bench/replies"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

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
			name, v := p.field.name, value.String(p.field.content.trim(kept.string()))
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
			kept.reset()
		}
		at = end
	}
	return harmony.Reply{Message: out.Value(), Calls: calls[:l.calls]}
}

func (b *body) string() string { text, _ := b.text(); return text }

// The bare loop builds the message that the engine does.
func TestBareLoop(t *testing.T) {
	tpl := beamTemplate(t)
	for _, kind := range replies.Kinds {
		text := kind.Make(4 << 10)
		want, err := tpl.Parse(text, Options{Prefix: &noPrefix})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cuts {
			got := newBareLoop(t, tpl, text).read(replies.Cut(text, c.size))
			if !value.Equal(got.Message, want.Message) || len(got.Calls) != len(want.Calls) {
				t.Errorf("%s, cut %s: the message differs", kind.Name, c.name)
			}
		}
	}
}
