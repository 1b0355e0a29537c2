package engine

import (
	"fmt"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// OpTrace renders a case and tells which lines of the chat template wrote the
// prompt: see PROTOCOL.md, section 7. An engine that can says so in its abilities.
const OpTrace Op = "trace"

// Traced is a prompt and how it came about.
type Traced struct {
	// Text is the prompt; where the template raised, what it had written until then
	// outside of macros and the like.
	Text string
	// Written are the parts of Text of which the line is known, in their order;
	// neighbours are of different lines.
	Written []Written
	// Raised is the error that the template raised, nil where it did not.
	Raised *RaisedAt
}

// Written says that a line of the chat template, counted from 1, wrote
// Text[Start:End].
type Written struct{ Start, End, Line int }

// RaisedAt is an error and the line of the chat template on which it was raised.
type RaisedAt struct {
	Class, Message string
	Line           int
}

// LineAt is the line that wrote the byte at an offset of the text; 0 where that
// is not known.
func (t Traced) LineAt(offset int) int {
	for _, w := range t.Written {
		if w.Start <= offset && offset < w.End {
			return w.Line
		}
	}
	return 0
}

// TraceError says why an engine could not trace a case.
type TraceError struct {
	Engine  string
	Outcome corpus.Outcome // not OK, or of another shape
}

func (e *TraceError) Error() string {
	why := e.Outcome.Why
	switch e.Outcome.Kind {
	case corpus.OK:
		why = "the value is not what trace answers: " + excerpt([]byte(value.Dumps(e.Outcome.Value)))
	case corpus.Raised:
		why = e.Outcome.Class + ": " + e.Outcome.Message
	}
	return fmt.Sprintf("engine %s did not trace the case: %s", e.Engine, why)
}

// ReadTraced reads what the engine of that name answered to a request to trace. The
// error is a *TraceError.
func ReadTraced(name string, out corpus.Outcome) (Traced, error) {
	if out.Kind == corpus.OK {
		if t, ok := decodeTraced(out.Value); ok {
			return t, nil
		}
	}
	return Traced{}, &TraceError{name, out}
}

// decodeTraced reads the value of the operation.
func decodeTraced(v value.Value) (t Traced, ok bool) {
	t.Text, ok = v.Get("text").AsString()
	lines, isList := v.Get("lines").AsArray()
	ok = ok && isList
	index, end := corpus.NewIndex(t.Text), 0
	for _, item := range lines.All() {
		row, _ := item.AsArray()
		var n [3]int
		ok = ok && row.Len() == len(n)
		for i := 0; ok && i < len(n); i++ {
			x, isInt := row.At(i).AsInt()
			n[i], ok = int(x), isInt
		}
		if !ok {
			return t, false
		}
		from, in := index.Byte(n[0])
		to, inside := index.Byte(n[1])
		if !in || !inside || from < end || to < from || n[2] < 1 {
			return t, false
		}
		t.Written, end = append(t.Written, Written{from, to, n[2]}), to
	}
	if raised := v.Get("raised"); !raised.IsNull() {
		class, hasClass := raised.Get("class").AsString()
		message, hasMessage := raised.Get("message").AsString()
		line, hasLine := raised.Get("line").AsInt()
		ok = ok && hasClass && hasMessage && hasLine
		t.Raised = &RaisedAt{class, message, int(line)}
	}
	return t, ok
}
