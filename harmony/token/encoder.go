//go:build !tokenizers || !cgo

package token

// NewEncoder makes the encoder of a tokenizer.json. This program was built
// without the tag tokenizers, so the error is a *NoEncoderError.
func NewEncoder([]byte) (Encoder, error) { return nil, &NoEncoderError{} }
