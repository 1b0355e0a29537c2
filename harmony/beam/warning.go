package beam

import "fmt"

// WarningKind is what a request does that the page cautions against. It is a
// closed set.
type WarningKind uint8

const (
	WarnLateInstruction   WarningKind = iota + 1 // an instruction behind another message is not rendered
	WarnBashReplaced                             // the trained bash tool stands in for the one sent
	WarnBuiltinDiffers                           // a built-in search or browse is not the trained one
	WarnBuiltinOther                             // builtin_tools names another tool than search and browse
	WarnBuiltinAbsent                            // builtin_tools names a tool that is not in tools
	WarnLowEffort                                // an effort below 8
	WarnResultOrder                              // a result does not stand where its call does
	WarnResultWithoutCall                        // a result answers no call
	WarnCallWithoutResult                        // a call is not answered before the conversation goes on
	WarnResultName                               // a result's name is not that of the call with its id
	WarnMissingReasoning                         // an assistant turn has no reasoning
	WarnKeyNotRendered                           // a key that the prompt does not show
	WarnMarkerInText                             // a marker inside a text, which Beam reads as a marker
	WarnRepeatedTool                             // two tools of one name
	WarnSchemaNotRendered                        // a part of a schema that the prompt does not show
)

// warnings gives the name of each kind, and where the rule stands.
var warnings = [...]struct{ name, source string }{
	WarnLateInstruction:   {"late_instruction", "beam-harmony-format.md:166 (Instructions)"},
	WarnBashReplaced:      {"bash_replaced", "beam-harmony-format.md:252 (Built-in tools)"},
	WarnBuiltinDiffers:    {"builtin_differs", "beam-harmony-format.md:249 (Built-in tools)"},
	WarnBuiltinOther:      {"builtin_other", "beam-harmony-format.md:249 (Built-in tools)"},
	WarnBuiltinAbsent:     {"builtin_absent", "beam-harmony-format.md:249 (Built-in tools)"},
	WarnLowEffort:         {"low_effort", "beam-harmony-format.md:127 (Reasoning effort)"},
	WarnResultOrder:       {"result_order", "beam-harmony-format.md:521 (Parallel calls)"},
	WarnResultWithoutCall: {"result_without_call", "beam-harmony-format.md:474 (Tool calls)"},
	WarnCallWithoutResult: {"call_without_result", "beam-harmony-format.md:521 (Parallel calls)"},
	WarnResultName:        {"result_name", "beam-harmony-format.md:474 (Tool calls)"},
	WarnMissingReasoning:  {"missing_reasoning", "beam-harmony-format.md:408 (Reasoning across turns)"},
	WarnKeyNotRendered:    {"key_not_rendered", "reference/checkpoint/README.md (Rendering)"},
	WarnMarkerInText:      {"marker_in_text", "beam-harmony-format.md:80 (Messages)"},
	WarnRepeatedTool:      {"repeated_tool", "beam-harmony-format.md:184 (Tools)"},
	WarnSchemaNotRendered: {"schema_not_rendered", "beam-harmony-format.md:187 (Tools)"},
}

func (k WarningKind) String() string {
	if int(k) < len(warnings) {
		return warnings[k].name
	}
	return fmt.Sprintf("WarningKind(%d)", k)
}

// Source says where the rule stands: document, line, section.
func (k WarningKind) Source() string {
	if int(k) < len(warnings) {
		return warnings[k].source
	}
	return ""
}

// Warning is one thing that a request does though it should not.
type Warning struct {
	Kind   WarningKind
	Path   string // JSON path in the request
	Detail string
}

func (w Warning) String() string { return fmt.Sprintf("%s: %s: %s", w.Path, w.Kind, w.Detail) }
