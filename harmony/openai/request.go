package openai

import (
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Request is what a prompt is made of. The zero value of a field is the template's
// default.
type Request struct {
	Messages []harmony.Message
	Tools    []harmony.ToolDef

	// Date is the day that the system message says, as YYYY-MM-DD. It must be given.
	Date string
	// Effort is reasoning_effort: low, medium or high; medium by default. The template
	// writes any text.
	Effort string
	// Identity is model_identity, the first line of the system message.
	Identity string
	// BuiltinTools are builtin_tools: "browser" and "python", others are passed over.
	BuiltinTools []string
	// GenerationPrompt is add_generation_prompt.
	GenerationPrompt template.Switch
	// Continue is continue_final_message: the field of the last message that the
	// model goes on with. The prompt ends with it. "" is none.
	Continue string
	// Sanitize is sanitize_control_tokens: markers in the caller's own texts are to
	// become plain text. Only ids can be safe in this way, so [Render] refuses it, as
	// Transformers does; see [RenderMarked].
	Sanitize bool

	// Args keeps the template's arguments that have no field above, and values that do
	// not fit theirs. nil when there are none.
	Args *value.Object
	// Extra keeps every other key of a request that was decoded.
	Extra *value.Object
}

// The template's arguments, by the names that they have on the wire.
const (
	argEffort   = "reasoning_effort"
	argIdentity = "model_identity"
	argBuiltin  = "builtin_tools"
	argPrompt   = "add_generation_prompt"
	argContinue = "continue_final_message"
	argSanitize = "sanitize_control_tokens"
)

// ParseRequest reads a request from JSON text. Errors are those of [value.Loads]
// and [DecodeRequest].
func ParseRequest(text string) (*Request, error) {
	v, err := value.Loads(text)
	if err != nil {
		return nil, err
	}
	return DecodeRequest(v)
}

// DecodeRequest takes the body of a chat completion, or the keys of a render case,
// as [template.Decode] does. Date is not among them.
func DecodeRequest(v value.Value) (*Request, error) {
	body, err := template.Decode(v, argEffort, argIdentity, argBuiltin, argPrompt, argContinue, argSanitize)
	if err != nil {
		return nil, err
	}
	r := &Request{Messages: body.Messages, Tools: body.Tools, Extra: body.Extra}
	for name, v := range body.Args.All() {
		fits := true
		switch name {
		case argEffort:
			r.Effort, fits = text(v)
		case argIdentity:
			r.Identity, fits = text(v)
		case argBuiltin:
			r.BuiltinTools, fits = template.Texts(v)
		case argPrompt:
			// Transformers and the template look only at its truth.
			r.GenerationPrompt = template.Off
			if v.Truthy() {
				r.GenerationPrompt = template.On
			}
		case argContinue:
			// True, or anything else that is true and no string, means content.
			if field, ok := v.AsString(); ok {
				r.Continue = field
			} else if v.Truthy() {
				r.Continue = "content"
			}
		case argSanitize:
			r.Sanitize = v.Truthy()
		default:
			fits = false
		}
		if !fits {
			template.Keep(&r.Args, name, v)
		}
	}
	return r, nil
}

// text gives a text that is not empty, and whether v is one.
func text(v value.Value) (string, bool) {
	s, _ := v.AsString()
	return s, s != ""
}

// MapText gives a copy of the request in which each text that a caller wrote, in
// messages, tools and the template's arguments, is what f makes of it; names of
// members stay.
func (r *Request) MapText(f func(string) string) *Request {
	out := *r
	out.Messages, out.Tools = template.MapText(r.Messages, r.Tools, f)
	if r.Effort != "" {
		out.Effort = f(r.Effort)
	}
	if r.Identity != "" {
		out.Identity = f(r.Identity)
	}
	out.BuiltinTools = template.MapTexts(r.BuiltinTools, f)
	out.Args = template.MapObject(r.Args, f)
	return &out
}
