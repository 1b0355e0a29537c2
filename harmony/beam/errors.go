package beam

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony/template"
)

// Error is a request that cannot be rendered: the exception that apply_chat_template
// raises with the checkpoint's template.
type Error = template.Error

// errNoRequest is the error of a nil request: it has no messages either.
var errNoRequest = &Error{Class: "ValueError", Message: "there is no request: it is nil"}

// refuse is the template's raise_exception.
func refuse(path, format string, args ...any) *Error {
	return template.Refuse(path, format, args...)
}

// refuseAt is refuse for a text that begins with the path.
func refuseAt(path, format string, args ...any) *Error {
	e := refuse(path, format, args...)
	e.Message = path + e.Message
	return e
}

func messageAt(i int) string { return template.At(i) }

func callAt(i, j int) string { return fmt.Sprintf("messages[%d].tool_calls[%d]", i, j) }
