package token

import "errors"

// ErrClosed is what an encoder answers after it was closed.
var ErrClosed = errors.New("the encoder is closed")

// EncodeError is a text that is valid UTF-8 and that the tokenizer has no ids
// for: its model lacks both the text's characters and a token that stands for
// unknown ones.
type EncodeError struct{ Why string }

func (e *EncodeError) Error() string { return "the text cannot be encoded: " + e.Why }
