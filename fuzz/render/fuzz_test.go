package render

import (
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// The targets are glue: an input of the fuzzer's bytes, the oracles, a verdict.

func judge(t *testing.T, v *Violation) {
	if v != nil {
		t.Fatal(v)
	}
}

// FuzzConversation: conversations that the generators make of the fuzzer's choices.
func FuzzConversation(f *testing.F) {
	for i := range 64 {
		f.Add([]byte{byte(4 * i), byte(i), 1, 0, byte(7 * i), 2, 3, 1, byte(i), 200, 5, byte(31 * i), 1, 9, byte(i), 2, 77, byte(3 * i)})
	}
	f.Fuzz(func(t *testing.T, data []byte) { judge(t, Check(Native, conversation.Structured(data), nil)) })
}

// FuzzRequest: the requests of the corpus, and whatever becomes of them.
func FuzzRequest(f *testing.F) {
	for _, c := range corpus.Embedded() {
		if c.Kind != corpus.Parse {
			f.Add(value.Dumps(c.Input.Value()))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if why := CheckText(beam.ParseRequest, text); why != "" {
			t.Fatal(why)
		}
		v, err := value.Loads(text)
		if err != nil {
			return // CheckText has judged the error
		}
		if _, err := Native.Decode(v); err != nil {
			return
		}
		in, _ := v.AsObject()
		judge(t, Check(Native, &conversation.Conversation{Input: in}, nil))
	})
}

// FuzzAnswer: the replies of the corpus in the history, and whatever becomes of
// them. number chooses the tools.
func FuzzAnswer(f *testing.F) {
	for i, pair := range fuzz.Seeds() {
		f.Add(pair[0], uint64(i))
	}
	for i := range 32 {
		f.Add(makeAnswer(i).Reply, uint64(i))
	}
	f.Fuzz(func(t *testing.T, reply string, number uint64) {
		a := &Answer{Reply: reply}
		if number > 0 {
			a.Tools = fuzz.Generate(fuzz.FromSeed(number), fuzz.FindTemplate("beam")).Tools
		}
		judge(t, CheckAnswer(Native, a, nil))
	})
}
