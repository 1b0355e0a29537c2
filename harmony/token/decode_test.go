package token

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// testdata/decoders.json holds a tokenizer.json whose tokens make trouble for one
// decoder or other, and decoders of every kind to put into it. The reference is
// asked about the same in package reference.
var testDecoders = sync.OnceValue(func() *value.Object {
	data, err := os.ReadFile("testdata/decoders.json")
	if err != nil {
		panic(err)
	}
	v, err := value.Loads(string(data))
	if err != nil {
		panic(err)
	}
	o, _ := v.AsObject()
	return o
})

// withDecoder makes a tokenizer.json with one of the decoders.
func withDecoder(decoder value.Value) string {
	v, _ := testDecoders().Get("tokenizer")
	o := &value.Object{}
	base, _ := v.AsObject()
	for name, member := range base.All() {
		o.Set(name, member)
	}
	o.Set("decoder", decoder)
	return value.Dumps(o.Value())
}

func testVocabulary(t testing.TB, name string) (*Vocabulary, value.Value) {
	t.Helper()
	all, _ := testDecoders().Get("decoders")
	v, err := Load([]byte(withDecoder(all.Get(name))))
	if err != nil {
		t.Fatal(err)
	}
	return v, all.Get(name)
}

// Decoding, whole and in pieces, gives what the plain oracle gives.
func TestDecodeOracle(t *testing.T) {
	all, _ := testDecoders().Get("decoders")
	list, _ := all.AsObject()
	for name := range list.All() {
		t.Run(name, func(t *testing.T) {
			v, decoder := testVocabulary(t, name)
			r := rand.New(rand.NewPCG(1, 2))
			for range 3000 {
				ids := make([]ID, r.IntN(12))
				for i := range ids {
					ids[i] = ID(r.IntN(v.Size() + 2))
				}
				checkDecode(t, v, decoder, ids, r.Uint64())
			}
		})
	}
}

// checkDecode compares all ways of decoding ids, cut where the bits of cuts say.
func checkDecode(t *testing.T, v *Vocabulary, decoder value.Value, ids []ID, cuts uint64) {
	t.Helper()
	for _, skip := range []bool{false, true} {
		o := DecodeOptions{SkipSpecial: skip, SkipUnknown: true}
		want := oracle(t, v, decoder, ids, skip)
		if got, err := v.Decode(ids, o); got != want || err != nil {
			t.Fatalf("%d, skip %v:\n got %q, %v\nwant %q", ids, skip, got, err, want)
		}
		d := v.NewDecoder(o)
		for range 2 { // again, with the same decoder
			var parts []string
			rest := ids
			for i := 0; len(rest) > 0; i++ {
				n := min(len(rest), 1+int(cuts>>(i%32*2)&3))
				part, err := d.Push(rest[:n]...)
				if err != nil {
					t.Fatal(err)
				}
				parts = append(parts, part)
				rest = rest[n:]
			}
			parts = append(parts, d.Flush())
			if got := strings.Join(parts, ""); got != want {
				t.Fatalf("%d, skip %v, in pieces %q\nwant %q", ids, skip, parts, want)
			}
			for _, part := range parts {
				if value.InvalidUTF8(part) >= 0 {
					t.Fatalf("%d: %q has half a character", ids, parts)
				}
			}
		}
	}
}

// An unknown id is an error with its index; the text is that of the others.
func TestUnknownID(t *testing.T) {
	v, _ := testVocabulary(t, "byte level")
	text, err := v.Decode([]ID{0, 1 << 30, 0, 1<<32 - 1}, DecodeOptions{})
	var unknown *UnknownIDError
	if text != "aa" || !errors.As(err, &unknown) || *unknown != (UnknownIDError{ID: 1 << 30, Index: 1}) {
		t.Errorf("%q, %v", text, err)
	}
	d := v.NewDecoder(DecodeOptions{})
	d.Push(0, 0)
	if text, err := d.Push(1<<30, 0); text != "a" || !errors.As(err, &unknown) || unknown.Index != 2 {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := d.Push(1); text != "aa" || err != nil {
		t.Errorf("%q, %v: a stream goes on behind an unknown id", text, err)
	}
}
