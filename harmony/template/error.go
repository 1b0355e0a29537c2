package template

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Error is a request that cannot be rendered. Its class and text are those of
// the exception that apply_chat_template raises with the checkpoint's template;
// the first error of a request is the first that Transformers comes to.
type Error struct {
	// Class is TemplateError where the template refuses, another where Python, Jinja
	// or Transformers around it do.
	Class   string
	Message string
	// Path is the JSON path of what is wrong, "" where it is the whole request.
	Path string
}

func (e *Error) Error() string { return e.Class + ": " + e.Message }

// Refuse is a template's raise_exception.
func Refuse(path, format string, args ...any) *Error {
	return &Error{Class: "TemplateError", Message: fmt.Sprintf(format, args...), Path: path}
}

// TypeError is what Python raises where a value is of the wrong type.
func TypeError(path, format string, args ...any) *Error {
	return &Error{Class: "TypeError", Message: fmt.Sprintf(format, args...), Path: path}
}

// ValueError is what Transformers raises where it refuses a request.
func ValueError(path, format string, args ...any) *Error {
	return &Error{Class: "ValueError", Message: fmt.Sprintf(format, args...), Path: path}
}

// TooDeep is the error of a value that nests deeper than JSON text can.
func TooDeep() *Error {
	return &Error{Class: "RecursionError", Message: "maximum recursion depth exceeded"}
}

// IsDeeper tells whether arrays and objects nest more than limit deep, as in a
// value that holds itself.
func IsDeeper(v value.Value, limit int) bool {
	if a, ok := v.AsArray(); ok {
		for i := range a.Len() {
			if limit == 0 || IsDeeper(a.At(i), limit-1) {
				return true
			}
		}
	}
	if o, ok := v.AsObject(); ok {
		for i := range o.Len() {
			if limit == 0 || IsDeeper(o.At(i).Value, limit-1) {
				return true
			}
		}
	}
	return false
}

// At is the path of message i.
func At(i int) string { return fmt.Sprintf("messages[%d]", i) }
