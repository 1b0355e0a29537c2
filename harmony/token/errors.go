package token

import (
	"cmp"
	"fmt"
)

// LoadError says why a tokenizer.json, or a file that is read beside it
// (tokenizer_config.json, special_tokens_map.json, added_tokens.json), cannot be
// loaded.
type LoadError struct {
	// File is the file that is wrong; "" is tokenizer.json.
	File string
	// Path is the JSON path of what is wrong, such as decoder.decoders[1].type;
	// "" where it is the whole file.
	Path string
	// What says what is wrong and, where there is something, what to do.
	What string
	Err  error // the cause, if it is an error of its own
}

func (e *LoadError) Error() string {
	text := cmp.Or(e.File, "tokenizer.json") + ": "
	if e.Path != "" {
		text += e.Path + ": "
	}
	text += e.What
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *LoadError) Unwrap() error { return e.Err }

// UnknownIDError is an id that the vocabulary does not have.
type UnknownIDError struct {
	ID    ID
	Index int // of the id in the sequence
}

func (e *UnknownIDError) Error() string {
	return fmt.Sprintf("id %d at index %d is not in the vocabulary; the text is that of the other ids", e.ID, e.Index)
}

// NoEncoderError says that this program was built without an encoder.
type NoEncoderError struct{}

func (*NoEncoderError) Error() string {
	return "this program cannot encode text: it was built without the tokenizers library; run scripts/tokenizers, which makes the library, and build with cgo and -tags tokenizers"
}
