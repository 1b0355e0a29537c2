package bench

import (
	"errors"
	"fmt"
	"sync"

	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// encoder is that of the default checkpoint. A program without the build tag
// tokenizers has none: then the error is an *Unavailable.
var encoder = sync.OnceValues(func() (token.Encoder, error) {
	e, err := token.NewEncoder(checkpoint.Default().Tokenizer)
	if none := (*token.NoEncoderError)(nil); errors.As(err, &none) {
		return nil, &Unavailable{"encoding", err.Error()}
	}
	return e, err
})

// encodings are what a conversation is encoded for.
var encodings = []struct {
	family, kind, why string
	op                engine.Op
}{
	{"Encode", "prompt", "a conversation to the ids that a server sends the model", engine.OpEncode},
	{"Mask", "conversation", "a finished conversation to its ids and the mask of those that the model wrote, as a trainer needs them", engine.OpMask},
}

// EncodeCases are what encodes text, which takes the build tag tokenizers. Without
// it each is told as missing.
func EncodeCases() (s Suite) {
	for _, what := range encodings {
		for _, size := range Sizes {
			in := RequestInput{Kind: Conversations[0], Size: size}
			s = append(s, encodeCase(what.family, what.kind, what.why, Native, size, func(*Env) (*Body, error) {
				return encodeBody(in, what.op == engine.OpMask)
			}))
		}
	}
	return s
}

// encodeReferences are the same by the checkpoint's Python.
func encodeReferences() (s Suite) {
	for _, what := range encodings {
		for _, size := range Sizes {
			for _, impl := range []string{InProcess, Through} {
				in := RequestInput{Kind: Conversations[0], Size: size}
				s = append(s, encodeCase(what.family, what.kind, what.why, impl, size, func(env *Env) (*Body, error) {
					return pythonEncoder(env, impl, what.op, in)
				}))
			}
		}
	}
	return s
}

func encodeCase(family, kind, why, impl string, size int, prepare func(*Env) (*Body, error)) Case {
	return Case{Family: family, Impl: impl, Size: size, Why: why, Prepare: prepare, Labels: []Label{{"kind", kind}, {"size", SizeName(size)}}}
}

// checkIDs holds ids against the text that they stand for, and the number of those
// in the mask against the spans; -1 is no mask.
func checkIDs(ids []token.ID, text string, wrote int) error {
	v, err := vocabulary()
	if err != nil {
		return err
	}
	got, err := v.Decode(ids, token.DecodeOptions{})
	if err == nil && got != text {
		err = fmt.Errorf("%d ids of another text, %d bytes, not %d", len(ids), len(got), len(text))
	}
	if err == nil && (wrote == 0 || wrote > len(ids)) {
		err = fmt.Errorf("%d of %d ids in the mask", wrote, len(ids))
	}
	return err
}

// encodeBody renders and encodes; with mask it tells which ids the model wrote.
func encodeBody(in RequestInput, mask bool) (*Body, error) {
	e, err := encoder()
	if err != nil {
		return nil, err
	}
	req, err := in.decoded()
	if err != nil {
		return nil, err
	}
	req.GenerationPrompt = beam.Off
	run := func() (made beam.Result, ids []token.ID, wrote int, err error) {
		if made, err = beam.RenderSpans(req); err != nil {
			return made, nil, 0, err
		}
		encoded, err := e.Encode(made.Text)
		if err != nil || !mask {
			return made, encoded.IDs, -1, err
		}
		for _, is := range token.Mask(encoded, made.Spans) {
			if is {
				wrote++
			}
		}
		return made, encoded.IDs, wrote, nil
	}
	made, ids, wrote, err := run()
	if err == nil {
		err = checkIDs(ids, made.Text, wrote)
	}
	if err != nil {
		return nil, err
	}
	return &Body{Bytes: len(made.Text), Run: func() error {
		_, again, wroteAgain, err := run()
		if err == nil && (len(again) != len(ids) || wroteAgain != wrote) {
			err = fmt.Errorf("%d ids, %d of them the model's, not %d and %d", len(again), wroteAgain, len(ids), wrote)
		}
		return err
	}}, nil
}

// pythonEncoder lets the reference do it.
func pythonEncoder(env *Env, impl string, op engine.Op, in RequestInput) (*Body, error) {
	request, err := in.Request()
	if err != nil {
		return nil, err
	}
	req, err := in.decoded()
	if err != nil {
		return nil, err
	}
	req.GenerationPrompt = beam.Off
	text, err := beam.Render(req)
	if err != nil {
		return nil, err
	}
	request.Set("add_generation_prompt", value.Bool(false))
	return pythonBody(env, impl, op, request, len(text), func(v value.Value) error {
		list, ok := v.Get("input_ids").AsArray()
		if !ok {
			return errors.New("no ids")
		}
		ids := make([]token.ID, 0, list.Len())
		for _, item := range list.All() {
			id, _ := item.AsInt()
			ids = append(ids, token.ID(id))
		}
		wrote := -1
		if op == engine.OpMask {
			wrote = 0
			mask, ok := v.Get("assistant_masks").AsArray()
			if !ok || mask.Len() != list.Len() {
				return fmt.Errorf("no mask of %d ids", list.Len())
			}
			for _, item := range mask.All() {
				if n, _ := item.AsInt(); n == 1 {
					wrote++
				}
			}
		}
		return checkIDs(ids, text, wrote)
	})
}
