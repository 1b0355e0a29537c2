package render

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// TextOf is a conversation as the text of a request, damaged in one place: cut, a
// character less, more or another.
func TextOf(s *fuzz.Source, c *conversation.Conversation) string {
	text := string(value.Append(nil, c.Input.Value(), value.ToJSON))
	at := s.N(len(text))
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	with := fuzz.Pick(s, "", "", "{", "]", `"`, ",", "\x00", "\xff", `\ud800`, "é", "NaN", strings.Repeat("[", 2000), strings.Repeat("9", 5000))
	switch s.N(3) {
	case 0:
		return text[:at]
	case 1:
		return text[:at] + with + text[at:]
	}
	return text[:at] + with + text[at+size:]
}

// CheckText reads the text of a request. An error says where in the text it is; one
// about the shape of a value names the value.
func CheckText(parse func(string) (*beam.Request, error), text string) (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = fmt.Sprintf("%s: %v", NoPanic, r)
		}
	}()
	req, err := parse(text)
	inside := func(at int) bool { return at >= 0 && at <= len(text) }
	var (
		syntax *value.SyntaxError
		deep   *value.DepthError
		digits *value.DigitsError
		shape  *harmony.DecodeError
	)
	ok := true
	switch {
	case err == nil:
		ok = req != nil
	case errors.As(err, &syntax):
		ok = inside(syntax.Offset) && syntax.Char == value.Len(text[:syntax.Offset]) && syntax.Line == 1+strings.Count(text[:syntax.Offset], "\n")
	case errors.As(err, &deep):
		ok = inside(deep.Offset)
	case errors.As(err, &digits):
		ok = inside(digits.Offset) && digits.Digits > value.MaxIntDigits
	case errors.As(err, &shape):
		v, _ := value.Loads(text)
		ok = names(v, strings.TrimPrefix(shape.Path, "request")) // "request" is the whole
	default:
		ok = false
	}
	if !ok {
		return fmt.Sprintf("%s: %T %v, of %d bytes: %.200q", RightPath, err, err, len(text), text)
	}
	return ""
}
