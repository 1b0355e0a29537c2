package chat

import (
	"hash/maphash"
	"iter"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Stream shows one reply as it comes. It belongs to one goroutine. The zero
// Stream is that of the zero [View].
type Stream struct {
	// Withheld are the calls that may not run and were not sent; set by Finish.
	Withheld []harmony.Call
	// Differences tell where the message is not what was sent; set by Finish.
	Differences []Difference

	view    *View
	deltas  []Delta
	started bool // a delta was made
	region  region
	closed  []int   // how many regions of each field are over, by field.index
	sent    [2]sent // content, reasoning

	seen, given int  // calls that were read, and those of them that were sent
	waits       bool // a call waits for the end, and all behind it
}

// Difference is a text of the message that is not what the deltas hold.
type Difference struct {
	Use  Use    // Content or Reasoning
	Sent int    // bytes that the deltas hold
	Text string // what the message holds
}

// region is the region that is open.
type region struct {
	field  *field // nil for none
	begun  bool   // what stands before its text was sent
	shown  bool   // some of its text was
	markup bool   // its chunks are markup
	space  space  // that waits for text behind it
}

// sent is the text that was sent for one use.
type sent struct {
	n    int
	hash maphash.Hash
}

// Stream begins a reply.
func (v *View) Stream() *Stream {
	s := &Stream{}
	s.begin(v)
	return s
}

func (s *Stream) begin(v *View) {
	v = v.made()
	s.view, s.closed = v, make([]int, len(v.fields))
	for i := range s.sent {
		s.sent[i].hash.SetSeed(v.seed)
	}
}

// Add takes the events of one feed and gives the deltas that they make, often
// none. The slice is valid until the next call. The events of the prefix may be
// added first: the client then sees what the prompt held of the turn, as the
// message has it.
func (s *Stream) Add(events []harmony.Event) []Delta {
	if s.view == nil {
		s.begin(nil)
	}
	s.deltas = s.deltas[:0]
	for i := range events {
		s.add(&events[i])
	}
	return s.deltas
}

// Finish takes the events of the end and the reply, and gives the last deltas:
// text that only the end decided, calls that waited, and the finish reason.
func (s *Stream) Finish(events []harmony.Event, r harmony.Reply, stop harmony.Stop) []Delta {
	s.Add(events)
	if !r.Message.IsNull() { // else the reader discards values
		s.complete(Reasoning, r.Message)
		s.complete(Content, r.Message)
	}
	s.decide(r.Calls)
	s.append(Delta{FinishReason: finishReason(stop, s.given)})
	return s.deltas
}

// Deltas reads a reply from chunks and gives its deltas, one by one; see
// [harmony.Events] for chunks, end and errors. A reply that cannot be read has
// no finish reason.
func (v *View) Deltas(r harmony.Reader, chunks iter.Seq[string], end *harmony.Ending) iter.Seq2[Delta, error] {
	if end == nil {
		end = &harmony.Ending{}
	}
	return func(yield func(Delta, error) bool) {
		s := v.Stream()
		for e, err := range harmony.Events(r, chunks, end) {
			if err != nil {
				yield(Delta{}, err)
				return
			}
			s.deltas = s.deltas[:0]
			s.add(&e)
			for _, d := range s.deltas {
				if !yield(d, nil) {
					return
				}
			}
		}
		for _, d := range s.Finish(nil, end.Reply, end.Stop) {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func (s *Stream) add(e *harmony.Event) {
	switch e.Type {
	case harmony.RegionOpen:
		s.open(e.Field)
	case harmony.RegionChunk:
		if s.region.field == nil || s.region.field.Name != e.Field {
			s.open(e.Field)
		}
		s.chunk(e)
	case harmony.RegionClose:
		if s.region.field == nil || s.region.field.Name != e.Field {
			s.open(e.Field)
		}
		s.close(e)
	}
}

// hidden stands for fields that a view does not know.
var hidden field

func (s *Stream) open(name string) {
	f := s.view.fields[name]
	if f == nil {
		f = &hidden
	}
	s.region.space.reset()
	s.region = region{field: f, space: s.region.space}
}

// chunk sends the text of a region, as far as it is certain to be in the
// message.
func (s *Stream) chunk(e *harmony.Event) {
	r := &s.region
	if r.markup = r.markup || e.Dirty; r.markup || r.field.byValue() || !r.field.use.isText() {
		return
	}
	text := e.Text
	if r.field.Strip {
		if !r.shown {
			text = trimLeft(text)
		}
		inner := trimRight(text)
		if inner != "" {
			for _, space := range r.space.pieces {
				s.send(r.field.use, space)
			}
			s.send(r.field.use, string(r.space.more))
			r.space.reset()
		}
		r.space.add(text[len(inner):])
		text = inner
	}
	if text != "" {
		s.lead()
		r.shown = true
		s.send(r.field.use, text)
	}
}

// lead sends, once a region, what stands before its text in the message.
func (s *Stream) lead() {
	f := s.region.field
	if s.region.begun {
		return
	}
	s.region.begun = true
	first := s.closed[f.index] == 0
	if first && f.Repeats {
		s.send(f.use, f.text(f.Default))
	}
	if f.Join != nil && (!first || !f.Default.IsNull()) {
		s.send(f.use, *f.Join)
	}
}

// close ends a region. White space that waited is not in the message.
func (s *Stream) close(e *harmony.Event) {
	f := s.region.field
	switch {
	case f.use == Calls:
		callsIn(e.Value, func(c value.Value) {
			s.seen++
			if s.waits = s.waits || !e.Closed; !s.waits {
				s.give(c)
			}
		})
	case f.use.isText():
		s.lead()
		if s.region.markup || f.byValue() {
			s.send(f.use, f.regionText(e.Value))
		}
	}
	if f != &hidden {
		s.closed[f.index]++
	}
	s.region.field = nil
}

// give sends a call.
func (s *Stream) give(c value.Value) {
	call := s.view.call(s.given, c)
	s.given++
	s.append(Delta{Call: &call})
}

// decide sends those of the calls that waited that may run.
func (s *Stream) decide(calls []harmony.Call) {
	var shown []harmony.Call
	for _, c := range calls {
		if s.view.isCall(c) {
			shown = append(shown, c)
		}
	}
	waiting := min(s.seen-s.given, len(shown))
	for _, c := range shown[len(shown)-waiting:] {
		if c.Runnable {
			s.give(c.Value)
		} else {
			s.Withheld = append(s.Withheld, c)
		}
	}
}

// complete sends what the message's text has behind what was sent.
func (s *Stream) complete(use Use, message value.Value) {
	whole, sent := s.view.text(message, use), s.of(use)
	if len(whole) < sent.n || maphash.String(s.view.seed, whole[:sent.n]) != sent.hash.Sum64() {
		s.Differences = append(s.Differences, Difference{Use: use, Sent: sent.n, Text: whole})
		return
	}
	s.send(use, whole[sent.n:])
}

func (u Use) isText() bool { return u == Content || u == Reasoning }

func (s *Stream) of(use Use) *sent { return &s.sent[use-Content] }

// send makes a delta of text, if there is any.
func (s *Stream) send(use Use, text string) {
	if text == "" {
		return
	}
	sent := s.of(use)
	sent.n += len(text)
	sent.hash.WriteString(text)
	if use == Content {
		s.append(Delta{Content: text})
	} else {
		s.append(Delta{Reasoning: text})
	}
}

func (s *Stream) append(d Delta) {
	if !s.started {
		s.started = true
		d.Role = harmony.Assistant
	}
	s.deltas = append(s.deltas, d)
}
