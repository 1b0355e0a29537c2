//go:build tokenizers && cgo

package token

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// small is a tokenizer of a few characters; %s are further members, with a comma
// before each.
const small = `{"version":"1.0","added_tokens":[{"id":5,"content":"<x>","special":true,"single_word":false,"lstrip":false,"rstrip":false,"normalized":false}],
"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2,"\u0000":3,"?":4},"merges":["a b"],"unk_token":"?"}%s}`

func newEncoder(t testing.TB, tokenizerJSON string) Encoder {
	t.Helper()
	e, err := NewEncoder([]byte(tokenizerJSON))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func defaultTokenizer(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("../../reference/checkpoint/beam/tokenizer.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// show writes an encoding as one line.
func show(e Encoding) string {
	var b strings.Builder
	for i, id := range e.IDs {
		fmt.Fprintf(&b, "%d@%d-%d ", id, e.Offsets[i].Start, e.Offsets[i].End)
	}
	return strings.TrimSpace(b.String())
}

func TestEncode(t *testing.T) {
	full := fmt.Sprintf(small, "")
	silent := strings.Replace(full, `,"unk_token":"?"`, "", 1)
	var unknown strings.Builder
	for i := range 32 {
		fmt.Fprintf(&unknown, "4@%d-%d ", 3*i, 3*i+3)
	}
	lower := fmt.Sprintf(small, `,"normalizer":{"type":"Lowercase"}`)
	cut := fmt.Sprintf(small, `,"truncation":{"direction":"Right","max_length":1,"strategy":"LongestFirst","stride":0},
		"padding":{"strategy":{"Fixed":8},"direction":"Right","pad_to_multiple_of":null,"pad_id":0,"pad_type_id":0,"pad_token":"a"}`)
	first := fmt.Sprintf(small, `,"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<x>","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],
		"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":1}}],"special_tokens":{"<x>":{"id":"<x>","ids":[5],"tokens":["<x>"]}}}`)
	for _, c := range []struct{ name, tokenizer, text, want string }{
		{"nothing", full, "", ""},
		{"a merge", full, "abba", "2@0-2 1@2-3 0@3-4"},
		{"an added token", full, "a<x>b", "0@0-1 5@1-4 1@4-5"},
		{"no token for it", silent, "é", ""},
		{"bytes", full, "éa", "4@0-2 0@2-3"},
		{"NUL", full, "ab\x00b", "2@0-2 3@2-3 1@3-4"},
		{"NUL alone", full, "\x00", "3@0-1"},
		{"NULs and an added token", full, "\x00\x00<x>\x00", "3@0-1 3@1-2 5@2-5 3@5-6"},
		{"a NUL and its stand-in", full, "\ufdd0\x00a", "4@0-3 3@3-4 0@4-5"},
		{"a NUL and all its stand-ins but those for private use", full, never() + "\x00a", strings.TrimSpace(unknown.String()) + " 3@96-97 0@97-98"},
		{"a NUL before a normalizer", lower, "AB\x00B", "2@0-2 3@2-3 1@3-4"},
		{"no truncation and no padding", cut, "aab", "0@0-1 2@1-3"},
		{"no special token", first, "a", "0@0-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := newEncoder(t, c.tokenizer).Encode(c.text)
			if s := show(got); s != c.want || err != nil {
				t.Errorf("%q: got %s, %v, want %s", c.text, s, err, c.want)
			}
		})
	}
}

// never gives the 32 code points that stand for a NUL before any other does.
func never() string {
	var b strings.Builder
	for r := rune(firstStandIn); r <= lastNever; r++ {
		b.WriteRune(r)
	}
	return b.String()
}

// Each text in turn: a stand-in that a text forbids is given up for that text and
// those after it.
func TestEncodeStandIns(t *testing.T) {
	e := newEncoder(t, fmt.Sprintf(small, ""))
	for _, text := range []string{"a\x00", "\ufdd0a\x00", "a\x00", never() + "a\x00", never() + "\U000f0000a\x00", "a\x00"} {
		got, err := e.Encode(text)
		n := len(text)
		want := fmt.Sprintf("0@%d-%d 3@%d-%d", n-2, n-1, n-1, n)
		if !strings.HasSuffix(show(got), want) || err != nil {
			t.Errorf("%q: got %s, %v, want %s at the end", text, show(got), err, want)
		}
	}
}

func TestEncodeErrors(t *testing.T) {
	full := fmt.Sprintf(small, "")
	noUnknown := strings.Replace(full, `"unk_token":"?"`, `"unk_token":"!"`, 1)
	for _, c := range []struct{ name, tokenizer, text, want string }{
		{"not UTF-8", full, "ab\xff", "the text is not valid UTF-8 at byte 2"},
		{"a lone surrogate", full, "\xed\xa0\x80", "the text is not valid UTF-8 at byte 0"},
		{"an unknown token that there is not", noUnknown, "c", "the text cannot be encoded: the tokenizers library gives no ids and no reason"},
		{"the same with a NUL", noUnknown, "c\x00", "the text cannot be encoded: the tokenizers library gives no ids and no reason"},
		{"a NUL and an added token with one", strings.Replace(full, "<x>", `<\u0000>`, 1), "\x00", "the text cannot be encoded: it holds a NUL, and so does an added token of the tokenizer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := newEncoder(t, c.tokenizer).Encode(c.text)
			if err == nil || err.Error() != c.want || len(got.IDs) > 0 {
				t.Errorf("got %v, %v, want %s", got.IDs, err, c.want)
			}
		})
	}
}

// A file that the library refuses is an error, whatever it holds: the library
// would end the process over a NUL in what it quotes.
func TestNewEncoderRefuses(t *testing.T) {
	full := fmt.Sprintf(small, "")
	for name, file := range map[string]string{
		"nothing":                  "",
		"null":                     "null",
		"a list":                   "[]",
		"no model":                 "{}",
		"cut off":                  full[:len(full)/2],
		"an unknown model":         strings.Replace(full, "BPE", "XYZ", 1),
		"a NUL in what is quoted":  strings.Replace(full, "BPE", `B\u0000E`, 1),
		"a NUL in an unknown part": fmt.Sprintf(small, `,"normalizer":{"type":"\u0000"}`),
		"a NUL in a version":       strings.Replace(full, `"1.0"`, `"1\u0000"`, 1),
		"a merge of nothing":       strings.Replace(full, "a b", "a x", 1),
		"a pattern that is none":   fmt.Sprintf(small, `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(\u0000"},"behavior":"Isolated","invert":false}`),
		"a token without a prefix": strings.Replace(full, `"unk`, `"continuing_subword_prefix":"##","unk`, 1),
		"the same, in a pair":      strings.Replace(strings.Replace(full, `"a b"`, `["a","b"]`, 1), `"unk`, `"continuing_subword_prefix":"##","unk`, 1),
		"a character cut":          strings.Replace(strings.Replace(full, "b", "é", -1), `"unk`, `"continuing_subword_prefix":"#","unk`, 1),
		"not UTF-8":                strings.Replace(full, "ab", "a\xff", 1),
		"a lone surrogate":         strings.Replace(full, "<x>", `\ud800`, 1),
	} {
		e, err := NewEncoder([]byte(file))
		var load *LoadError
		if !errors.As(err, &load) || e != nil {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// An encoder serves many at once, and answers after it was closed.
func TestEncoderAtOnce(t *testing.T) {
	e := newEncoder(t, defaultTokenizer(t))
	texts := []string{"hello", "<|start|>user<|message|>é\u0301<|end|>", "\x00", strings.Repeat("ab \x00", 50)}
	var want []string
	for _, text := range texts {
		got, err := e.Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, show(got))
	}
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 200 {
				at := (worker + i) % len(texts)
				if got, err := e.Encode(texts[at]); err != nil || show(got) != want[at] {
					t.Errorf("%q: got %s, %v", texts[at], show(got), err)
					return
				}
			}
		})
	}
	all.Go(func() { // some answers come after this
		e.Encode(texts[0])
	})
	all.Wait()
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if _, err := e.Encode("a"); !errors.Is(err, ErrClosed) {
		t.Errorf("encoding after the close: %v", err)
	}
	if err := e.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("the second close: %v", err)
	}
}

// Closing waits for who is encoding: nobody is served by what was freed.
func TestEncoderCloseWaits(t *testing.T) {
	for range 20 {
		e := newEncoder(t, fmt.Sprintf(small, ""))
		text := strings.Repeat("ab", 5000)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				got, err := e.Encode(text)
				if err == nil && len(got.IDs) != 5000 || err != nil && !errors.Is(err, ErrClosed) {
					t.Errorf("got %d ids, %v", len(got.IDs), err)
				}
			})
		}
		e.Close()
		all.Wait()
	}
}

// The ids and offsets of the default tokenizer, as Python gives them.
func TestEncodeDefault(t *testing.T) {
	e := newEncoder(t, defaultTokenizer(t))
	got, err := e.Encode("é<|start|>a\x00b")
	want := []ID{127, 102, 563, 64, 188, 65}
	if err != nil || !slices.Equal(got.IDs, want) || show(got) != "127@0-2 102@0-2 563@2-11 64@11-12 188@12-13 65@13-14" {
		t.Errorf("got %s, %v", show(got), err)
	}
}

func ExampleNewEncoder() {
	tokenizer := `{"added_tokens": [], "model": {"type": "BPE", "vocab": {"h": 0, "i": 1, "hi": 2}, "merges": ["h i"]}}`
	encoder, err := NewEncoder([]byte(tokenizer))
	if err != nil {
		panic(err)
	}
	defer encoder.Close()
	encoding, err := encoder.Encode("hih")
	fmt.Println(encoding.IDs, encoding.Offsets, err)
	// Output: [2 0] [{0 2} {2 3}] <nil>
}
