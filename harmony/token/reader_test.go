package token

import (
	"errors"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// merged writes events as lines, chunks of one region in one.
func merged(lines []string, events []harmony.Event) []string {
	for _, e := range events {
		line := value.Dumps(e.Object())
		if e.Type == harmony.RegionChunk {
			line = e.Field + ": " + e.Text
			if n := len(lines); n > 0 && strings.HasPrefix(lines[n-1], e.Field+": ") {
				lines[n-1] += e.Text
				continue
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// A reply from ids is that of the text, however many ids come at once, also where
// characters are broken.
func TestReader(t *testing.T) {
	template := beamTemplate(t)
	v := shippedVocabulary(t, "beam")
	encoded, err := newSpeller(t, v).Encode(testReply)
	if err != nil {
		t.Fatal(err)
	}
	whole := encoded.IDs
	broken := make([]ID, 0, len(whole))
	for i, id := range whole { // each fifth byte of many is lost
		if i%5 != 0 || v.isAdded(id) || i < 30 {
			broken = append(broken, id)
		}
	}
	for _, ids := range [][]ID{whole, broken, whole[:len(whole)-3], nil} {
		text, err := v.Decode(ids, DecodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		p := newParser(t, template)
		events, bad := p.Feed(text)
		want := merged(nil, events)
		events, reply, err := p.Finalize(harmony.StopUnknown())
		want = merged(want, events)
		if bad != nil || err != nil {
			t.Fatal(bad, err)
		}
		for _, n := range []int{1, 2, 3, 7, len(ids) + 1} {
			r := NewReader(v, newParser(t, template), ReaderOptions{})
			var got []string
			for rest := ids; len(rest) > 0; rest = rest[min(n, len(rest)):] {
				events, err := r.Feed(rest[:min(n, len(rest))]...)
				if err != nil {
					t.Fatal(err)
				}
				got = merged(got, events)
			}
			events, from, err := r.Finalize(harmony.StopUnknown())
			got = merged(got, events)
			if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") || !value.Equal(from.Message, reply.Message) || len(from.Problems) != len(reply.Problems) {
				t.Errorf("%d ids at once of %q: %v\n got %q\nwant %q", n, text, err, got, want)
			}
		}
	}
}

// An unknown id ends the reading, and what was read is there; or it is left out.
func TestReaderUnknownID(t *testing.T) {
	template := beamTemplate(t)
	v := shippedVocabulary(t, "beam")
	encoded, err := newSpeller(t, v).Encode("<|channel|>final<|message|>ab")
	if err != nil {
		t.Fatal(err)
	}
	ids := encoded.IDs
	ids = append(ids[:len(ids)-1:len(ids)-1], 9999, ids[len(ids)-1])
	r := NewReader(v, newParser(t, template), ReaderOptions{})
	events, err := r.Feed(ids...)
	var unknown *UnknownIDError
	if !errors.As(err, &unknown) || unknown.Index != len(ids)-2 || len(events) == 0 {
		t.Fatalf("%v, %d events", err, len(events))
	}
	if _, again := r.Feed(ids[0]); again != err {
		t.Errorf("the reader goes on: %v", again)
	}
	_, reply, err := r.Finalize(harmony.StopUnknown())
	if content, _ := reply.Message.Get("content").AsString(); content != "a" || !errors.As(err, &unknown) {
		t.Errorf("%q, %v", content, err)
	}
	r.Reset(newParser(t, template), ReaderOptions{SkipUnknown: true})
	if _, err := r.Feed(ids...); err != nil {
		t.Fatal(err)
	}
	_, reply, err = r.Finalize(harmony.StopUnknown())
	if content, _ := reply.Message.Get("content").AsString(); content != "ab" || err != nil {
		t.Errorf("%q, %v", content, err)
	}
}

// A stop id is the stop token of its text.
func TestStop(t *testing.T) {
	v := shippedVocabulary(t, "beam")
	id, _ := v.ID("<|call|>")
	stop, err := v.Stop(id)
	if text, ok := stop.Token(); err != nil || !ok || text != "<|call|>" {
		t.Errorf("%q, %v, %v", text, ok, err)
	}
	var unknown *UnknownIDError
	if _, err := v.Stop(9999); !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
}

// A reply that was decoded without its markers is told, and gives no content.
func TestStripped(t *testing.T) {
	template := beamTemplate(t)
	prefix := testPrefix
	read := func(text string) (harmony.Reply, error) {
		return template.Parse(text, response.Options{Prefix: &prefix, Problems: true})
	}
	v := shippedVocabulary(t, "beam-special")
	encoded, err := newSpeller(t, v).Encode(testReply)
	if err != nil {
		t.Fatal(err)
	}
	stripped, err := v.Decode(encoded.IDs, DecodeOptions{SkipSpecial: true})
	if err != nil || strings.Contains(stripped, "<|") {
		t.Fatalf("%q, %v", stripped, err)
	}
	var missing *StrippedError
	if err := v.CheckText(encoded.IDs, stripped); !errors.As(err, &missing) || *missing != (StrippedError{"<|channel|>", 0, 0}) {
		t.Errorf("%v", err)
	}
	if err := v.CheckText(encoded.IDs, testReply); err != nil {
		t.Errorf("the whole text: %v", err)
	}
	var other *TextError
	if err := v.CheckText(encoded.IDs, testReply+"x"); !errors.As(err, &other) || other.Offset != len(testReply) {
		t.Errorf("another text: %v", err)
	}
	// Where the text alone is left.
	for _, c := range []struct {
		text string
		want bool
	}{{stripped, true}, {testReply, false}, {"", false}, {" \n", false}, {"<|end|>x", false}} {
		reply, err := read(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.CheckReply(c.text, &reply); errors.As(err, &missing) != c.want || (err != nil) != c.want {
			t.Errorf("%q: %v", c.text, err)
		}
		if c.want && (!reply.Message.Get("content").IsNull() || !reply.Message.Get("thinking").IsNull() || len(reply.Calls) > 0 || len(reply.Problems) == 0) {
			t.Errorf("%q was read as %s, with the problems %v", c.text, value.Dumps(reply.Message), reply.Problems)
		}
	}
	// As a law, with a reader that tells and one that does not.
	if found := CheckStripped(v, encoded.IDs, read); found != nil {
		t.Errorf("%s", says(found))
	}
	silent := func(text string) (harmony.Reply, error) { return harmony.Reply{Message: value.String(text)}, nil }
	if got := says(CheckStripped(v, encoded.IDs, silent)); !strings.HasPrefix(got, "stripped: byte 0: without <|channel|> the reply is read as another") {
		t.Errorf("%s", got)
	}
	// In the middle: the index and place of the first token that is missing.
	encoded, _ = newSpeller(t, v).Encode("é<|end|>x")
	stripped, _ = v.Decode(encoded.IDs, DecodeOptions{SkipSpecial: true})
	if err := v.CheckText(encoded.IDs, stripped); !errors.As(err, &missing) || *missing != (StrippedError{"<|end|>", 2, 2}) {
		t.Errorf("%v", err)
	}
}
