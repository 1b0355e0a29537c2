package template

import (
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// CheckUTF8 refuses a prompt that holds text which is neither UTF-8 nor a lone
// surrogate from a JSON escape, with a *[harmony.UTF8Error]: the text of the message
// that it came from is named, and the byte in it; else the prompt's.
func CheckUTF8(prompt []byte, messages []harmony.Message) error {
	if utf8.Valid(prompt) {
		return nil
	}
	bad := invalidWTF8(prompt)
	if bad < 0 {
		return nil
	}
	for i := range messages {
		m := &messages[i]
		for _, f := range [...]struct{ name, text string }{{"content", m.Content}, {m.ThinkingName(), m.Thinking}, {"Raw", m.Raw}} {
			if at := value.InvalidWTF8(f.text); at >= 0 {
				return &harmony.UTF8Error{What: At(i) + "." + f.name, Offset: int64(at)}
			}
		}
	}
	return &harmony.UTF8Error{What: "the prompt", Offset: int64(bad)}
}

// invalidWTF8 is value.InvalidWTF8 of bytes, without a copy of them.
func invalidWTF8(s []byte) int {
	for i := 0; i < len(s); {
		r, size := value.DecodeWTF8(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
