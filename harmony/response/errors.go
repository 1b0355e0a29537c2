package response

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Kind is the kind of an error: the reference's exception classes, then those
// that only this reader has.
type Kind uint8

const (
	KindTemplate    Kind = iota + 1 // the template is wrong (ValueError)
	KindValue                       // ValueError
	KindKey                         // KeyError
	KindType                        // TypeError
	KindAttribute                   // AttributeError
	KindRegex                       // regex.error, for a pattern that is read while parsing
	KindFinalized                   // RuntimeError: the reader was finalized
	KindDepth                       // RecursionError: JSON nested too deep
	KindLimit                       // native: a limit of [Limits] was reached
	KindUnsupported                 // native: a pattern uses a construct that is not supported
)

// Class is the name of the Python exception that the reference raises; a native
// name where it raises none.
func (k Kind) Class() string {
	if int(k) < len(classes) {
		return classes[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

var classes = [...]string{"", "ValueError", "ValueError", "KeyError", "TypeError", "AttributeError", "error",
	"RuntimeError", "RecursionError", "LimitError", "UnsupportedError"}

// Error is a template that cannot be loaded, or a reply that cannot be read.
type Error struct {
	Kind  Kind
	Field string // the field it is about, "" for none
	// Offset is where in the reply, in bytes, negative in the prefix: for a
	// region's content the start of its body. -1<<63 for errors of a template.
	Offset int64
	Msg    string
	Err    error // the cause, if it is an error of its own
}

// NoOffset is the Offset of an error that is about no place in a reply.
const NoOffset = -1 << 63

func (e *Error) Error() string {
	s := e.Msg
	if e.Offset != NoOffset {
		s = fmt.Sprintf("%s (byte %d of the reply)", s, e.Offset)
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// Class is the name of the Python exception that the reference raises here.
func (e *Error) Class() string { return e.Kind.Class() }

func fail(k Kind, format string, args ...any) *Error {
	return &Error{Kind: k, Offset: NoOffset, Msg: fmt.Sprintf(format, args...)}
}

// patternError wraps an error of package rx.
func patternError(k Kind, what string, err error) *Error {
	var unsupported *rx.UnsupportedError
	var budget *rx.BudgetError
	switch {
	case errors.As(err, &unsupported):
		k = KindUnsupported
	case errors.As(err, &budget):
		k = KindLimit
	}
	return &Error{Kind: k, Offset: NoOffset, Msg: what + err.Error(), Err: err}
}

// notDict is Python's error for a method call on something else than a dict.
func notDict(v value.Value, method string) *Error {
	return fail(KindAttribute, "'%s' object has no attribute '%s'", v.Kind().PyType(), method)
}

// quoted writes names as a sorted Python list.
func quoted(names []string) string {
	names = append([]string(nil), names...)
	sort.Strings(names)
	var b strings.Builder
	b.WriteByte('[')
	for i, n := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteByte('\'')
		b.WriteString(strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(n))
		b.WriteByte('\'')
	}
	b.WriteByte(']')
	return b.String()
}
