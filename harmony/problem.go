package harmony

import "fmt"

// Span is a range of bytes in a reply: Start ≤ i < End, counted from the first
// byte of the reply. In the prefix (the prompt) offsets are negative.
type Span struct{ Start, End int64 }

// ProblemKind is what was wrong with a reply that could be read. It is a closed
// set, the same for every format.
type ProblemKind uint8

// The kinds that every format shares, from the table of problems in "Reading
// model replies", then those that the rule "nothing is lost" adds.
const (
	NoAction          ProblemKind = iota + 1 // no call; only for a caller who expects one
	MultipleActions                          // two or more calls; likewise
	ProseBeforeAction                        // text outside regions, before the first call
	TextAfterAction                          // text outside regions, after the last close
	UnclosedThink                            // the reply ended inside reasoning, and no stop token was its close
	BadSyntax                                // text with a marker in it fits no region
	UnknownAction                            // a call names none of the tools
	BadArgs                                  // a call's arguments do not fit, or some of its body is in no argument
	CutOff                                   // the limit of tokens ended the reply before its last close
	Unclosed                                 // the last close is missing and why is not known
	TextOutside                              // other text outside regions
	MarkerInName                             // a marker inside a tool's name or an argument's name
	RegionOverwritten                        // a later region of the same field replaced this one
	ValueChanged                             // typing, or reading a number, made another value than the text says
	Unwritable                               // a value that, written into a turn again, would be read otherwise
	NoReasoning                              // no reasoning, or none but space; only for a caller who expects it
)

var problemNames = [...]string{"", "no_action", "multiple_actions", "prose_before_action", "text_after_action",
	"unclosed_think", "bad_syntax", "unknown_action", "bad_args", "cut_off", "unclosed", "text_outside",
	"marker_in_name", "region_overwritten", "value_changed", "unwritable", "no_reasoning"}

func (k ProblemKind) String() string {
	if int(k) < len(problemNames) {
		return problemNames[k]
	}
	return fmt.Sprintf("ProblemKind(%d)", uint8(k))
}

// Severity says how bad a kind of problem is.
type Severity uint8

const (
	Info Severity = iota + 1
	Style
	Warn
	Error
)

var severityNames = [...]string{"", "info", "style", "warning", "error"}

func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// Severity is the severity of the kind: an error lost or misread something.
func (k ProblemKind) Severity() Severity {
	switch k {
	case NoAction:
		return Info
	case MultipleActions, ProseBeforeAction, TextAfterAction, Unclosed, NoReasoning:
		return Style
	case UnknownAction, BadArgs, ValueChanged, Unwritable:
		return Warn
	}
	return Error
}

// Problem is one thing that was wrong with a reply.
type Problem struct {
	Kind ProblemKind
	Span Span
	// Field is the field of the region it is about, "" outside regions.
	Field string
	// Call is the number of the call it is about, from 0; -1 where it is not
	// about one.
	Call int
	// Detail says what, in words.
	Detail string
}

func (p Problem) String() string {
	return fmt.Sprintf("%s at [%d,%d): %s", p.Kind, p.Span.Start, p.Span.End, p.Detail)
}
