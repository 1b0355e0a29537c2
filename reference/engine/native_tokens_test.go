package engine

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

func asked(t *testing.T, op Op, text string) Request {
	t.Helper()
	v, err := value.Loads(text)
	if err != nil {
		t.Fatal(err)
	}
	o, _ := v.AsObject()
	return Request{Op: op, Case: o}
}

// The native engine says that it has ids where it gives them, and else why not;
// text and spans are there all the same.
func TestNativeTokens(t *testing.T) {
	n := NewNative(checkpoint.Default(), NativeOptions{})
	info, err := n.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var without *token.NoEncoderError
	_, err = token.NewEncoder(checkpoint.Default().Tokenizer)
	able := !errors.As(err, &without)
	if slices.Contains(info.Abilities, AbleTokens) != able || (info.NoTokens == "") != able || !slices.Contains(info.Abilities, AbleIDs) {
		t.Errorf("abilities %q, no tokens because %q, with an encoder %t", info.Abilities, info.NoTokens, able)
	}
	const messages = `{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]`
	for op, keys := range map[Op][]string{OpMask: {"input_ids", "offsets", "assistant_masks"}, OpEncode: {"input_ids", "offsets"}} {
		o := n.Do(t.Context(), asked(t, op, messages+`}`))
		for _, key := range keys {
			if o.Value.Get("text").IsNull() || o.Value.Get(key).IsNull() == able {
				t.Errorf("%s: %s: %s", op, key, value.Dumps(o.Value))
			}
		}
		if err := check(op, o.Value); err != nil {
			t.Error(err)
		}
	}
	for _, tt := range []struct{ more, text, class string }{
		{`, "sanitize_control_tokens": true}`, "<|start|>system", ""},
		{`, "padding": true}`, "", "ValueError"},
		{`, "padding": "do_not_pad"}`, "<|start|>system", ""},
	} {
		o := n.Do(t.Context(), asked(t, OpEncode, messages+tt.more))
		text, _ := o.Value.Get("text").AsString()
		if o.Class != tt.class || !strings.HasPrefix(text, tt.text) {
			t.Errorf("%s: %s %s %q", tt.more, o.Class, o.Message, text)
		}
	}
}

// A row is not filled up to more ids than memory holds.
func TestNativePadding(t *testing.T) {
	c := *checkpoint.Default()
	c.SpecialTokens = map[string]string{"pad_token": "<|return|>"}
	n := NewNative(&c, NativeOptions{})
	for _, tt := range []struct {
		more   string
		refuse bool
	}{
		{`"padding": "max_length", "max_length": 2000000000`, true},
		{`"padding": "max_length", "max_length": 300`, false},
		{`"padding": true, "max_length": 2000000000`, false},
		{`"truncation": true, "max_length": 2000000000`, false},
	} {
		o := n.Do(t.Context(), asked(t, OpMask, `{"messages": [{"role": "user", "content": "a"}], `+tt.more+`}`))
		if refused := o.Kind == corpus.Cannot && strings.Contains(o.Why, "set a smaller max_length"); refused != tt.refuse || o.Value.Get("text").IsNull() != tt.refuse {
			t.Errorf("%s: %s %s", tt.more, o.Kind, o.Why)
		}
	}
}

// Ids are read without an encoder, in pieces of ids.
func TestNativeIDs(t *testing.T) {
	n := NewNative(checkpoint.Default(), NativeOptions{})
	const reply = `"reply_ids": [564, 370, 267, 566, 127, 102, 569]` // <|channel|>final<|message|>é<|return|>
	for _, tt := range []struct {
		text  string
		feeds int // 0: an error
		what  string
	}{
		{`{` + reply + `, "prefix": ""}`, 1, ""},
		{`{` + reply + `, "prefix_ids": [563], "chunks": 1}`, 7, ""},
		{`{` + reply + `, "prefix": "", "chunks": [5, 5]}`, 3, ""},
		{`{` + reply + `, "prefix": "", "chunks": 9223372036854775807}`, 1, ""},
		{`{` + reply + `}`, 0, "prefix"},
		{`{` + reply + `, "prefix": "", "chunks": [8]}`, 0, "chunks must be"},
		{`{` + reply + `, "prefix": "", "chunks": [2, 1]}`, 0, "chunks must be"},
		{`{` + reply + `, "prefix": "", "chunks": {"bytes": [1]}}`, 0, "chunks must be"},
		{`{"reply_ids": [4294967296], "prefix": ""}`, 0, "reply_ids must be a list of token ids"},
		{`{"reply_ids": "x", "prefix": ""}`, 0, "reply_ids must be a list of token ids"},
	} {
		o := n.Do(t.Context(), asked(t, OpStream, tt.text))
		feeds, _ := o.Value.Get("feeds").AsArray()
		content, _ := o.Value.Get("message").Get("content").AsString()
		if feeds.Len() != tt.feeds || (content == "é") != (tt.feeds > 0) || !strings.Contains(o.Message, tt.what) {
			t.Errorf("%s: %d feeds, content %q, %s %s", tt.text, feeds.Len(), content, o.Class, o.Message)
		}
	}
	r := n.Read(asked(t, OpParse, `{"reply_ids": [564, 99999], "prefix": ""}`).Case, ReadOptions{})
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "99999") {
		t.Errorf("an unknown id: %q", r.Warnings)
	}
	bare := NewNative(&checkpoint.Checkpoint{ResponseTemplate: checkpoint.Default().ResponseTemplate}, NativeOptions{})
	if o := bare.Do(t.Context(), asked(t, OpParse, `{"reply_ids": [1], "prefix": ""}`)); o.Kind != corpus.Cannot || !strings.Contains(o.Why, "no tokenizer.json") {
		t.Errorf("without a tokenizer: %s %s", o.Kind, o.Why)
	}
}
