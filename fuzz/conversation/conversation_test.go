package conversation

import (
	"fmt"
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// One seed makes one conversation, and no other seed the same.
func TestSeeds(t *testing.T) {
	seen := map[string]bool{}
	for i := range 500 {
		c, again := Generate(fuzz.FromSeed(uint64(i))), Generate(fuzz.FromSeed(uint64(i)))
		if c.String() != again.String() || !slices.Equal(c.Traits, again.Traits) {
			t.Fatalf("seed %d makes\n%v\n%v", i, c, again)
		}
		seen[c.String()] = true
	}
	if len(seen) < 495 {
		t.Errorf("500 seeds make %d conversations", len(seen))
	}
}

// Bytes that are used up make a conversation too, the simplest one.
func TestBytes(t *testing.T) {
	for n := range 40 {
		for _, b := range []byte{0, 1, 2, 7, 128, 254, 255} {
			data := make([]byte, n)
			for i := range data {
				data[i] = b * byte(i+1)
			}
			if c := Structured(data); c.Request() == nil {
				t.Fatalf("%q makes %v", data, c)
			}
		}
	}
	if got, want := Structured(nil).String(), `{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "reasoning_content": "Hi", "content": "Hi"}]}`; got != want {
		t.Errorf("no bytes make %s", got)
	}
}

// A conversation is a case of the corpus: what is written reads back.
func TestCase(t *testing.T) {
	for i := range 300 {
		c := Generate(fuzz.FromSeed(uint64(i)))
		kind := []corpus.Kind{corpus.Render, corpus.Mask}[i%2]
		one := c.Case(kind, fmt.Sprintf("generated/%d", i))
		text, err := corpus.EncodeOne(one)
		if err != nil {
			if !c.Has("value=not finite") {
				t.Fatalf("%v: %v", c, err)
			}
			continue // JSON cannot say it
		}
		read, err := corpus.Decode(text, "x.json")
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got, want := value.Dumps(read[0].Input.Value()), c.String(); got != want || read[0].Kind != kind {
			t.Fatalf("%s: got %s, want %s", read[0].Kind, got, want)
		}
	}
}

// What is damaged is a copy, is another, and is still a request.
func TestMutate(t *testing.T) {
	same, decoded := 0, 0
	for i := range 600 {
		s := fuzz.FromSeed(uint64(i))
		c := Generate(s)
		before := c.String()
		other := Mutate(s, c)
		if c.String() != before {
			t.Fatalf("%s has become %v", before, c)
		}
		if other.String() == before {
			same++
		}
		if other.Request() != nil {
			decoded++
		}
		if !other.Has("careless") {
			t.Fatalf("%v is careful", other)
		}
	}
	if same > 60 || decoded < 600 {
		t.Errorf("%d of 600 are the same, %d are requests", same, decoded)
	}
}
