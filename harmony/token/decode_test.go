package token

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// testDecoders are decoders of every kind, as they stand in tokenizer.json.
var testDecoders = map[string]string{
	"none":         `null`,
	"byte level":   `{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true}`,
	"llama":        `{"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}`,
	"gemma":        `{"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}]}`,
	"fallback":     `{"type": "ByteFallback"}`,
	"metaspace":    `{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true}`,
	"first":        `{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"}`,
	"never":        `{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"}`,
	"word piece":   `{"type": "WordPiece", "prefix": "##", "cleanup": true}`,
	"plain pieces": `{"type": "WordPiece", "prefix": "##", "cleanup": false}`,
	"suffix":       `{"type": "BPEDecoder", "suffix": "</w>"}`,
	"ctc":          `{"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": true}`,
	"ctc as it is": `{"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": false}`,
	"text steps":   `{"type": "Sequence", "decoders": [{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 2, "stop": 0}, {"type": "Replace", "pattern": {"String": "aab"}, "content": "é"}, {"type": "Replace", "pattern": {"String": "éé"}, "content": ""}, {"type": "Fuse"}]}`,
	"token steps":  `{"type": "Sequence", "decoders": [{"type": "Strip", "content": "▁", "start": 2, "stop": 0}, {"type": "Replace", "pattern": {"String": "aa"}, "content": "Ġ"}, {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true}]}`,
}

// testTokens make trouble for some decoder or other.
var testTokens = func() []string {
	tokens := []string{
		"a", "aa", "aab", "ab", "b", "▁", "▁a", "▁▁", "a▁b", "é", "éé", "界", "👋", "Ġ", "Ġa", "Ċ", " ", " a", "#", "##", "##a", "##.", "</w>", "a</w>", "</w>a</w>", "w>",
		"<pad>", "|", "a|b", ".", " .", ",", "!", "n't", "'m", "do", "not", "do not", "'s", "'", " ' ", "<0x", "<0xZZ>", "<0x+5>", "<0x-5>", "<0x0a>", "\n", "\u00ad",
	}
	for b := range 256 {
		tokens = append(tokens, fmt.Sprintf("<0x%02X>", b))
		if r := []rune(oracleAlphabet)[b]; b >= 0x7F || b < ' ' {
			tokens = append(tokens, string(r))
		}
	}
	return tokens
}()

// testJSON makes a tokenizer.json of the tokens and a decoder.
func testJSON(decoder string) string {
	vocab := &value.Object{}
	for _, token := range testTokens {
		if _, ok := vocab.Get(token); !ok {
			vocab.Set(token, value.Int(int64(vocab.Len())))
		}
	}
	return `{"version": "1.0", "added_tokens": [
		{"id": 900, "content": "<|end|>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": false},
		{"id": 901, "content": "<|return|>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
		{"id": 902, "content": "<é x>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": false},
		{"id": 3, "content": "ab", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}
	], "normalizer": null, "pre_tokenizer": null, "post_processor": null, "decoder": ` + decoder + `,
	"model": {"type": "WordLevel", "unk_token": "a", "vocab": ` + value.Dumps(vocab.Value()) + `}}`
}

func testVocabulary(t testing.TB, decoder string) *Vocabulary {
	t.Helper()
	v, err := Load([]byte(testJSON(decoder)))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Decoding, whole and in pieces, gives what the plain oracle gives.
func TestDecodeOracle(t *testing.T) {
	for name, text := range testDecoders {
		t.Run(name, func(t *testing.T) {
			v := testVocabulary(t, text)
			decoder, err := value.Loads(text)
			if err != nil {
				t.Fatal(err)
			}
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
	v := testVocabulary(t, testDecoders["byte level"])
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
