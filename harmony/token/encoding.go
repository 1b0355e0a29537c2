package token

import "github.com/beamdiff/beamdiff/harmony"

// Encoding is a text as ids.
type Encoding struct {
	IDs []ID
	// Offsets are the bytes of the text that each id stands for, as many as IDs.
	// Where several ids make one character, each of them has all of it.
	Offsets []harmony.Span
}

// Encoder turns text into ids as Transformers does for a rendered conversation:
// added tokens are found, and no special token is added. An Encoder may be used
// by several goroutines at once.
type Encoder interface {
	// Encode gives the ids of a text that is valid UTF-8, else the error is a
	// *harmony.UTF8Error.
	Encode(text string) (Encoding, error)
	// Close frees the encoder. It is not used after that.
	Close() error
}
