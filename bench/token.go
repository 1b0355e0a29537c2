package bench

import (
	"fmt"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/bench/replies"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// vocabulary is that of the default checkpoint.
var vocabulary = sync.OnceValues(func() (*token.Vocabulary, error) {
	return token.Load(checkpoint.Default().Tokenizer)
})

// tokenCases are the pure part of ids and masks. The ids stand for a byte each,
// which is the most ids that a text can have.
func tokenCases() (list []Case) {
	add := func(family, kind, why string, prepare, limit func(size int) (*Body, error), yardstick string) {
		for _, size := range Sizes {
			c := Case{
				Family: family, Impl: Native, Size: size, Why: why, Gated: slices.Contains(BudgetSizes, size),
				Labels:  []Label{{"kind", kind}, {"size", SizeName(size)}},
				Prepare: func(*Env) (*Body, error) { return prepare(size) },
			}
			list = append(list, c)
			c.Impl, c.Gated, c.Prepare = yardstick, false, func(*Env) (*Body, error) { return limit(size) }
			list = append(list, c)
		}
	}
	add("Decode", "whole", "a text of ids at once, as a trainer looks at a batch", decodeBody, copyText, "copy")
	add("Decode", "stream", "an id at a time, as a server gets them", decoderBody, copyText, "copy")
	add("Decode", "reply", replyIDsWhy, readBody, splitReply, "splitter")
	add("Mask", "spans", "a conversation rendered with the spans that the model wrote", spansBody, copyText, "copy")
	add("Mask", "ids", "spans of the text to a mask of the ids", maskBody, copyText, "copy")
	add("Scan", "markers", "the added tokens that a text spells, the check for forged ones", scanBody, scanText, "scan")
	return list
}

// byteLetter is the letter by which byte-level vocabularies name a byte.
func byteLetter(b byte) string {
	printable := func(b int) bool { return b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae }
	if printable(int(b)) {
		return string(rune(b))
	}
	n := 0
	for i := range int(b) {
		if !printable(i) {
			n++
		}
	}
	return string(rune(256 + n))
}

// encoded is a text as ids of a byte each.
func encoded(v *token.Vocabulary, text string) (e token.Encoding, err error) {
	var ids [256]token.ID
	for b := range ids {
		id, ok := v.ID(byteLetter(byte(b)))
		if !ok {
			return e, fmt.Errorf("the vocabulary has no id for the byte %#x", b)
		}
		ids[b] = id
	}
	for at, r := range text {
		for i := range utf8.RuneLen(r) {
			e.IDs = append(e.IDs, ids[text[at+i]])
			e.Offsets = append(e.Offsets, harmony.Span{Start: int64(at), End: int64(at + utf8.RuneLen(r))})
		}
	}
	return e, nil
}

// conversed is a conversation in words with the spans that the model wrote, as
// ids too.
func conversed(size int) (req *beam.Request, made beam.Result, v *token.Vocabulary, e token.Encoding, err error) {
	in := RequestInput{Kind: Conversations[0], Size: size}
	if v, err = vocabulary(); err != nil {
		return
	}
	if req, err = in.decoded(); err != nil {
		return
	}
	req.GenerationPrompt = beam.Off
	if made, err = beam.RenderSpans(req); err != nil {
		return
	}
	e, err = encoded(v, made.Text)
	return
}

func decodeBody(size int) (*Body, error) {
	_, made, v, e, err := conversed(size)
	if err != nil {
		return nil, err
	}
	return &Body{Bytes: len(made.Text), Run: func() error {
		text, err := v.Decode(e.IDs, token.DecodeOptions{})
		if err == nil && text != made.Text {
			err = fmt.Errorf("another text, %d bytes, not %d", len(text), len(made.Text))
		}
		return err
	}}, nil
}

func decoderBody(size int) (*Body, error) {
	_, made, v, e, err := conversed(size)
	if err != nil {
		return nil, err
	}
	d := v.NewDecoder(token.DecodeOptions{})
	return &Body{Bytes: len(made.Text), Run: func() error {
		d.Reset(token.DecodeOptions{})
		at := 0
		for i := range e.IDs {
			text, err := d.Push(e.IDs[i])
			if err != nil {
				return err
			}
			if at += len(text); at > len(made.Text) || made.Text[at-len(text):at] != text {
				return fmt.Errorf("another text before byte %d", at)
			}
		}
		if at += len(d.Flush()); at != len(made.Text) {
			return fmt.Errorf("%d bytes, not %d", at, len(made.Text))
		}
		return nil
	}}, nil
}

// markers are the added tokens that replies spell.
var markers = regexp.MustCompile(`<\|[a-z]+\|>`)

const replyIDsWhy = "an id at a time into the reader of replies, what a server does with what the model writes"

// replyIDs is an ordinary reply as ids: its markers are one each, the rest a byte
// each.
func replyIDs(size int) (in *ReplyInput, ids []token.ID, want Tally, err error) {
	in = &ReplyInput{Kind: replies.Named("ordinary"), Size: size, Cut: 1}
	v, err := vocabulary()
	if err == nil {
		want, err = in.Want()
	}
	if err != nil {
		return nil, nil, want, err
	}
	rest := in.Text()
	for rest != "" {
		at := markers.FindStringIndex(rest)
		if at == nil {
			at = []int{len(rest), len(rest)}
		}
		plain, err := encoded(v, rest[:at[0]])
		if err != nil {
			return nil, nil, want, err
		}
		ids = append(ids, plain.IDs...)
		if marker := rest[at[0]:at[1]]; marker != "" {
			id, ok := v.ID(marker)
			if !ok {
				return nil, nil, want, fmt.Errorf("the vocabulary has no %s", marker)
			}
			ids = append(ids, id)
		}
		rest = rest[at[1]:]
	}
	return in, ids, want, nil
}

// splitReply is the limit: it splits the reply at its markers, a character at a time.
func splitReply(size int) (*Body, error) {
	in, _, want, err := replyIDs(size)
	if err != nil {
		return nil, err
	}
	return split(in.Text(), in.Chunks(), want)
}

// copyText and scanText are the limits of what is done with a conversation's text.
func copyText(size int) (*Body, error) {
	_, made, _, _, err := conversed(size)
	if err != nil {
		return nil, err
	}
	return copied(made.Text), nil
}

func scanText(size int) (*Body, error) {
	_, made, _, _, err := conversed(size)
	if err != nil {
		return nil, err
	}
	return scanned([]byte(made.Text))
}

func readBody(size int) (*Body, error) {
	in, ids, want, err := replyIDs(size)
	if err != nil {
		return nil, err
	}
	v, err := vocabulary()
	if err != nil {
		return nil, err
	}
	tpl, err := beamTemplate()
	if err != nil {
		return nil, err
	}
	o := response.Options{Prefix: &noPrefix}
	p, err := tpl.NewParser(o)
	if err != nil {
		return nil, err
	}
	r := token.NewReader(v, p, token.ReaderOptions{})
	return &Body{Bytes: len(in.Text()), Steps: p.Steps, Run: func() error {
		if err := p.Reset(o); err != nil {
			return err
		}
		r.Reset(p, token.ReaderOptions{})
		for _, id := range ids {
			if _, err := r.Feed(id); err != nil {
				return err
			}
		}
		_, reply, err := r.Finalize(harmony.Stop{})
		if got := Tallied(reply.Message); err == nil && got != want {
			err = fmt.Errorf("%+v, not %+v", got, want)
		}
		return err
	}}, nil
}

func spansBody(size int) (*Body, error) {
	req, made, _, _, err := conversed(size)
	if err != nil {
		return nil, err
	}
	return &Body{Bytes: len(made.Text), Run: func() error {
		got, err := beam.RenderSpans(req)
		if err == nil && (len(got.Text) != len(made.Text) || len(got.Spans) != len(made.Spans)) {
			err = fmt.Errorf("%d bytes and %d spans, not %d and %d", len(got.Text), len(got.Spans), len(made.Text), len(made.Spans))
		}
		return err
	}}, nil
}

func maskBody(size int) (*Body, error) {
	_, made, _, e, err := conversed(size)
	if err != nil {
		return nil, err
	}
	want := int64(0)
	for _, s := range made.Spans {
		want += s.End - s.Start
	}
	return &Body{Bytes: len(made.Text), Run: func() error {
		got := int64(0)
		for _, wrote := range token.Mask(e, made.Spans) {
			if wrote {
				got++
			}
		}
		if got != want {
			return fmt.Errorf("%d ids, not %d", got, want)
		}
		return nil
	}}, nil
}

func scanBody(size int) (*Body, error) {
	_, made, v, _, err := conversed(size)
	if err != nil {
		return nil, err
	}
	want, err := v.Scan(made.Text)
	if err != nil {
		return nil, err
	}
	return &Body{Bytes: len(made.Text), Run: func() error {
		got, err := v.Scan(made.Text)
		if err == nil && len(got) != len(want) {
			err = fmt.Errorf("%d tokens, not %d", len(got), len(want))
		}
		return err
	}}, nil
}
