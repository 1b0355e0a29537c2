package harmony

import (
	"errors"
	"fmt"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// ErrNoReader is the error of [Events] and of a [Writer] that were given no
// reader.
var ErrNoReader = errors.New("there is no reader of the reply: a response template's NewParser makes one")

// DecodeError is a value that has the wrong shape. Path is a JSON path from the
// value that was decoded, such as messages[1].tool_calls[0].
type DecodeError struct {
	Path string
	Want string // what was expected, in words; "" when Err tells
	Got  string // the kind of value that was found
	Err  error
}

func (e *DecodeError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s must be %s, but is %s", e.Path, e.Want, e.Got)
}

func (e *DecodeError) Unwrap() error { return e.Err }

// UTF8Error is text that is not valid UTF-8.
type UTF8Error struct {
	What   string // which text, in words or as a JSON path
	Offset int64  // absolute, in bytes, of the first byte that does not fit
}

func (e *UTF8Error) Error() string {
	return fmt.Sprintf("%s is not valid UTF-8 at byte %d", e.What, e.Offset)
}

// CheckUTF8 returns a *UTF8Error when text is not valid UTF-8.
func CheckUTF8(what, text string) error {
	if i := value.InvalidUTF8(text); i >= 0 {
		return &UTF8Error{What: what, Offset: int64(i)}
	}
	return nil
}
