package fuzz

import (
	"fmt"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/response"
)

// CheckErrors asks of a reading that failed where, and that the reader stays in
// its error.
func CheckErrors(sub Subject, in *Input, _ ...Cut) *Violation {
	bad := func(format string, args ...any) *Violation {
		return &Violation{Law: RightError, Input: in, Why: fmt.Sprintf(format, args...)}
	}
	p, err := sub.Open(in.Template, in.Options())
	if err == nil {
		_, err = p.Feed(in.Reply)
		if err != nil {
			if events, again := p.Feed("x"); again != err || len(events) > 0 {
				return bad("the error %v, then %v with %d events", err, again, len(events))
			}
		}
		_, _, last := p.Finalize(in.Stop)
		if err != nil && last != err {
			return bad("the error %v, at the end %v", err, last)
		}
		err = last
	}
	class, at := ErrorOf(err)
	switch {
	case err == nil:
	case class == "" || err.Error() == "":
		return bad("an error without a class or a text: %#v", err)
	case at == response.NoOffset:
	case at < -int64(len(in.Prefix)) || at > int64(len(in.Reply)):
		return bad("%s at byte %d of a reply of %d bytes behind a prefix of %d", class, at, len(in.Reply), len(in.Prefix))
	case class != "UTF8Error" && !utf8.ValidString((in.Prefix + in.Reply)[int64(len(in.Prefix))+at:]) && utf8.ValidString(in.Reply):
		return bad("%s at byte %d, inside a character", class, at)
	}
	return nil
}
