package tokens

import (
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/fuzz/suite"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// forger is conversation i, mostly with markers written into some of its texts.
func forger(i int) *conversation.Conversation {
	s := source("law", i)
	c := conversation.Generate(s)
	if s.OneIn(3) {
		c = conversation.Mutate(s, c)
	}
	if s.OneIn(2) {
		return c
	}
	added := append(beam.Markers(), "<|", "<|en", "d|>", ">", "<")
	forged, _ := written(c.Input.Value(), func(text string) string {
		if !s.OneIn(4) {
			return text
		}
		return text[:len(text)*s.N(2)] + fuzz.Pick(s, added...) + text[len(text)*s.N(1):]
	}).AsObject()
	return &conversation.Conversation{Input: forged, Traits: c.Traits}
}

// written changes what callers write: the texts under keys that hold prose.
func written(v value.Value, change func(string) string) value.Value {
	switch v.Kind() {
	case value.KindArray:
		return each(list(v), func(item value.Value) value.Value { return written(item, change) })
	case value.KindObject:
		o, _ := v.AsObject()
		out := value.NewObject(o.Len())
		for name, member := range o.All() {
			s, isText := member.AsString()
			if isText && slices.Contains([]string{"content", "thinking", "reasoning_content", "text", "description", "a"}, name) {
				member = value.String(change(s))
			}
			out.Set(name, written(member, change))
		}
		return out.Value()
	}
	return v
}

// holds judges conversations, and fails for the first breaches. Where lossy is set
// the tokenizer has a character that it writes for a space, U+2581: that a text
// with one is another when it is decoded has to be found, and is no failure.
func (l Laws) holds(t *testing.T, n int, lossy bool, of func(i int) *conversation.Conversation) {
	t.Helper()
	rendered, markers, turns, forged, bad, lost := 0, 0, 0, 0, 0, 0
	for i := range n {
		c := of(i)
		v, err := l.Check(c)
		if err != nil {
			t.Fatal(err)
		}
		before := len(v.Breaches)
		if lossy {
			v.Breaches = slices.DeleteFunc(v.Breaches, func(f token.Finding) bool {
				return f.Law == token.LawIdentity && strings.Contains(f.Detail, "▁")
			})
		}
		lost += before - len(v.Breaches)
		if len(v.Breaches) > 0 {
			if bad++; bad <= 3 {
				t.Errorf("%s\n%v", value.Dumps(c.Input.Value()), v.Breaches)
			}
		}
		if v.Rendered {
			rendered++
		}
		for _, f := range v.Forged {
			if f.Path == "" {
				t.Errorf("%s\n%v has no path", value.Dumps(c.Input.Value()), f)
			}
		}
		markers, turns, forged = markers+v.Markers, turns+v.Turns, forged+len(v.Forged)
	}
	t.Logf("%d of %d conversations render, with %d markers and %d turns of the model's; %d markers are forged; %d texts are lost", rendered, n, markers, turns, forged, lost)
	if lossy != (lost > 0) || rendered < n/3 || turns < n/2 || forged < n/10 {
		t.Error("too few of a kind")
	}
}

// The laws hold of conversations, or tell of each marker who forged it.
func TestLaws(t *testing.T) {
	n := 4 * suite.Pairs(t)
	for _, name := range []string{"", "beam-special"} {
		p := shipped(t)[name]
		t.Run("checkpoint="+name, func(t *testing.T) {
			Laws{p.vocabulary, p.speller, beam.RenderSpans}.holds(t, n, false, forger)
		})
	}
}

// FuzzLaws holds conversations of the fuzzer's choices to the laws.
func FuzzLaws(f *testing.F) {
	p := spellingOf(f, checkpoint.Default())
	laws := Laws{p.vocabulary, p.speller, beam.RenderSpans}
	for i := range 64 {
		f.Add([]byte{byte(4 * i), byte(i), 1, 0, byte(7 * i), 2, 3, 1, byte(i), 200, 5, byte(31 * i), 1, 9, byte(i), 2, 77, byte(3 * i)})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := conversation.Structured(data)
		if v, err := laws.Check(c); err != nil || len(v.Breaches) > 0 {
			t.Fatalf("%s\n%v, %v", value.Dumps(c.Input.Value()), v.Breaches, err)
		}
	})
}

// faulty is an encoder with a fault in what it gives.
type faulty struct {
	token.Encoder
	fault func(*token.Encoding)
}

func (f faulty) Encode(text string) (token.Encoding, error) {
	e, err := f.Encoder.Encode(text)
	if err == nil && len(e.IDs) > 0 {
		f.fault(&e)
	}
	return e, err
}

// Each planted fault is found by the law that it breaks.
func TestLawsPlanted(t *testing.T) {
	p := spellingOf(t, checkpoint.Default())
	end, _ := p.vocabulary.ID(beam.MarkEnd)
	stop, _ := p.vocabulary.ID(beam.MarkReturn)
	encoder := func(fault func(e *token.Encoding)) Laws {
		return Laws{p.vocabulary, faulty{p.speller, fault}, beam.RenderSpans}
	}
	renderer := func(fault func(r *beam.Result)) Laws {
		return Laws{p.vocabulary, p.speller, func(req *beam.Request) (beam.Result, error) {
			r, err := beam.RenderSpans(req)
			if err == nil {
				fault(&r)
			}
			return r, err
		}}
	}
	drop := func(id token.ID) func(e *token.Encoding) {
		return func(e *token.Encoding) {
			if i := slices.Index(e.IDs, id); i >= 0 {
				e.IDs, e.Offsets = slices.Delete(e.IDs, i, i+1), slices.Delete(e.Offsets, i, i+1)
			}
		}
	}
	for what, c := range map[string]struct {
		laws Laws
		law  token.Law
	}{
		"a marker is lost":    {encoder(drop(end)), token.LawControl},
		"the stop is lost":    {encoder(drop(stop)), token.LawStop},
		"a marker is doubled": {encoder(func(e *token.Encoding) { e.IDs[len(e.IDs)/2] = end }), token.LawControl},
		"a letter is lost":    {encoder(func(e *token.Encoding) { e.IDs[len(e.IDs)/2] = e.IDs[0] }), token.LawIdentity},
		"offsets are off":     {encoder(func(e *token.Encoding) { e.Offsets[len(e.Offsets)-1].End++ }), token.LawIdentity},
		"the whole is not its pieces": {encoder(func(e *token.Encoding) {
			if n := len(e.IDs); n > 30 {
				e.IDs, e.Offsets = append(e.IDs, e.IDs[n-1]), append(e.Offsets, e.Offsets[n-1])
			}
		}), token.LawPieces},
		"spans begin early": {renderer(func(r *beam.Result) {
			for i := range r.Spans {
				r.Spans[i].Start -= 3
			}
		}), token.LawMask},
		"spans are without the stop": {renderer(func(r *beam.Result) {
			for i := range r.Spans {
				r.Spans[i].End -= int64(len(beam.MarkCall))
			}
		}), token.LawStop},
		"the renderer takes marks out":            {renderer(func(r *beam.Result) { r.Text = token.Unmark(r.Text) }), token.LawControl},
		"the renderer writes a marker for a text": {renderer(func(r *beam.Result) { r.Text = strings.ReplaceAll(r.Text, ")", "<|end|>)") }), token.LawControl},
	} {
		found := false
		for i := 0; i < 400 && !found; i++ {
			v, err := c.laws.Check(forger(i))
			if err != nil {
				t.Fatal(err)
			}
			found = slices.ContainsFunc(v.Breaches, func(f token.Finding) bool { return f.Law == c.law })
		}
		if !found {
			t.Errorf("%s: the law %v holds", what, c.law)
		}
	}
}

// stripped reads replies that were decoded without their special tokens.
func stripped(v *token.Vocabulary, p *Speller, s *fuzz.Source) ([]token.Finding, bool, error) {
	in := fuzz.Generate(s, fuzz.FindTemplate("beam"))
	ids, err := p.Spell(s, in.Reply)
	if err != nil {
		return nil, false, err
	}
	prefix := beam.MarkStart + "assistant"
	read := func(text string) (harmony.Reply, error) {
		return in.Template.Compiled.Parse(text, response.Options{Prefix: &prefix, Problems: true, Stop: in.Stop})
	}
	whole, err := read(in.Reply)
	return token.CheckStripped(v, ids, read), err == nil && len(whole.Regions) > 0, nil
}

// FuzzStripped reads replies of the fuzzer's choices without their markers.
func FuzzStripped(f *testing.F) {
	p := spellingOf(f, checkpoint.Named("beam-special"))
	for i := range 32 {
		f.Add([]byte{byte(i), 1, byte(3 * i), 0, byte(7 * i), 2, 30, 1, byte(i), 200, 5, byte(31 * i)})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if found, _, err := stripped(p.vocabulary, p.speller, fuzz.FromBytes(data)); err != nil || len(found) > 0 {
			t.Fatal(found, err)
		}
	})
}

// A reply without its markers is refused, or has a problem, or is what it was.
func TestStripped(t *testing.T) {
	p := spellingOf(t, checkpoint.Named("beam-special"))
	read := 0
	for i := range 4 * suite.Pairs(t) {
		found, something, err := stripped(p.vocabulary, p.speller, source("stripped", i))
		if err != nil || len(found) > 0 {
			t.Fatal(found, err)
		}
		if something {
			read++
		}
	}
	if read < suite.Pairs(t) {
		t.Errorf("only %d replies had something to lose", read)
	}
}
