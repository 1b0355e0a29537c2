package beam

import "fmt"

// Error is a request that cannot be rendered. Its class and text are those of
// the exception that apply_chat_template raises with the checkpoint's template;
// the first error of a request is the first that the template comes to.
type Error struct {
	// Class is TemplateError where the template refuses, ValueError, TypeError
	// or RecursionError where Transformers around it does.
	Class   string
	Message string
	// Path is the JSON path of what is wrong, "" where it is the whole request.
	Path string
}

func (e *Error) Error() string { return e.Class + ": " + e.Message }

// errNoRequest is the error of a nil request: it has no messages either.
var errNoRequest = &Error{Class: "ValueError", Message: "there is no request: it is nil"}

// refuse is the template's raise_exception.
func refuse(path, format string, args ...any) *Error {
	return &Error{Class: "TemplateError", Message: fmt.Sprintf(format, args...), Path: path}
}

// refuseAt is refuse for a text that begins with the path.
func refuseAt(path, format string, args ...any) *Error {
	e := refuse(path, format, args...)
	e.Message = path + e.Message
	return e
}

func messageAt(i int) string { return fmt.Sprintf("messages[%d]", i) }

func callAt(i, j int) string { return fmt.Sprintf("messages[%d].tool_calls[%d]", i, j) }
