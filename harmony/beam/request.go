package beam

import (
	"slices"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Request is what a prompt is made of. The zero value of a field is the page's
// default.
type Request struct {
	Messages []harmony.Message
	Tools    []harmony.ToolDef

	// Effort is reasoning_effort.
	Effort Effort
	// Identity is model_identity, the first line of the system message.
	Identity string
	// BuiltinTools are the names of Tools that the system message declares.
	BuiltinTools []string
	// RequireThinking is allow_missing_thinking=False: an assistant turn without
	// reasoning is an error where a generation prompt is written. Set it when
	// you serve Beam.
	RequireThinking bool
	// GenerationPrompt is add_generation_prompt.
	GenerationPrompt Switch
	// Continue is continue_final_message: the field of the last message that the
	// model goes on with, "content" or one of [harmony.ThinkingKeys]. The prompt
	// ends with it. "" is none.
	Continue string
	// Sanitize is sanitize_control_tokens: markers in the caller's own texts are
	// to become plain text. Only ids can be safe in this way, so [Render] and
	// [RenderSpans] refuse it, as Transformers does; see [RenderMarked].
	Sanitize bool

	// Args keeps the template's arguments that have no field above, and values
	// that do not fit theirs, which rendering reports. nil when there are none.
	Args *value.Object
	// Extra keeps every other key of a request that was decoded.
	Extra *value.Object
}

// Switch is a choice that has a default of its own where it is used.
type Switch = template.Switch

// The switch is on for a prompt and off with Continue and for spans, or set.
const (
	Auto = template.Auto
	On   = template.On
	Off  = template.Off
)

// The template's arguments, by the names that they have on the wire.
const (
	argEffort   = "reasoning_effort"
	argIdentity = "model_identity"
	argBuiltin  = "builtin_tools"
	argMissing  = "allow_missing_thinking"
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

// DecodeRequest takes the body of an OpenAI-style request, or the keys of a
// render case. It needs a list of messages, each an object; tools, where there
// are any, are a list of objects. Errors are *[harmony.DecodeError].
//
// The template's arguments stand beside messages, or in chat_template_kwargs or
// template_kwargs; one that is given twice must be the same. Keys that are not
// known stay in Extra (or Args, from the kwargs), and [Check] lists them.
func DecodeRequest(v value.Value) (*Request, error) {
	body, err := template.Decode(v, argEffort, argIdentity, argBuiltin, argMissing, argPrompt, argContinue, argSanitize)
	if err != nil {
		return nil, err
	}
	r := &Request{Messages: body.Messages, Tools: body.Tools, Extra: body.Extra}
	r.setArgs(body.Args)
	return r, nil
}

// setArgs gives the arguments their fields; what does not fit goes to Args.
func (r *Request) setArgs(args *value.Object) {
	for name, v := range args.All() {
		fits := v.IsNull()
		switch name {
		case argEffort:
			r.Effort, fits = EffortOf(v), true
		case argIdentity:
			if s, _ := v.AsString(); s != "" {
				r.Identity, fits = s, true
			}
		case argBuiltin:
			if names, ok := template.Texts(v); ok {
				r.BuiltinTools, fits = names, true
			}
		case argMissing:
			if allowed, ok := v.AsBool(); ok {
				r.RequireThinking, fits = !allowed, true
			}
		case argPrompt:
			// Transformers and the template look only at its truth.
			r.GenerationPrompt, fits = Off, true
			if v.Truthy() {
				r.GenerationPrompt = On
			}
		case argContinue:
			// True, or anything else that is true and no string, means content.
			fits = true
			if name, ok := v.AsString(); ok {
				r.Continue = name
			} else if v.Truthy() {
				r.Continue = "content"
			}
		case argSanitize:
			r.Sanitize, fits = v.Truthy(), true
		default:
			fits = false
		}
		if !fits {
			template.Keep(&r.Args, name, v)
		}
	}
}

// arguments are the template's arguments, checked.
type arguments struct {
	effort   value.Value // an integer, or text to write
	identity string
	builtin  []string
	many     map[string]bool // builtin, where it is long
	require  bool            // reasoning must not be missing
}

const defaultIdentity = "You are Beam, an AI assistant trained by Reflection."

// arguments checks the arguments in the template's order.
func (r *Request) arguments(d *decide.Decisions) (a arguments, err *Error) {
	effort := r.Effort
	if v, ok := r.Args.Get(argEffort); ok && effort.sent.IsNull() {
		effort = EffortOf(v)
	}
	if a.effort, err = effort.number(d.EffortType); err != nil {
		return a, err
	}
	a.identity = r.Identity
	if a.identity == "" {
		v, _ := r.Args.Get(argIdentity)
		text, ok := v.AsString()
		switch {
		case ok:
			a.identity = text
		case v.IsNull():
			a.identity = defaultIdentity
		default:
			return a, refuse(argIdentity, "model_identity must be a string.")
		}
	}
	a.builtin = r.BuiltinTools
	if v, ok := r.Args.Get(argBuiltin); ok && a.builtin == nil && !v.IsNull() {
		if a.builtin, ok = template.Texts(v); !ok {
			return a, refuse(argBuiltin, "builtin_tools must be a list of tool names.")
		}
	}
	if d.BuiltinAbsent == decide.BuiltinAbsentRefuse {
		named := r.toolNames()
		for k, name := range a.builtin {
			if !named[name] {
				return a, refuseAt(argBuiltin+index(k), " names '%s', which is not in tools.", name)
			}
		}
	}
	if len(a.builtin) > longList {
		a.many = make(map[string]bool, len(a.builtin))
		for _, name := range a.builtin {
			a.many[name] = true
		}
	}
	a.require = r.RequireThinking
	if v, ok := r.Args.Get(argMissing); ok && !a.require && !v.IsNull() {
		allowed, ok := v.AsBool()
		if !ok {
			return a, refuse(argMissing, "allow_missing_thinking must be true or false.")
		}
		a.require = !allowed
	}
	return a, nil
}

// isBuiltin tells whether builtin_tools has the name.
func (a *arguments) isBuiltin(name string) bool {
	if a.many != nil {
		return a.many[name]
	}
	return slices.Contains(a.builtin, name)
}

// toolNames are the names of the tools.
func (r *Request) toolNames() map[string]bool {
	named := make(map[string]bool, len(r.Tools))
	for _, t := range r.Tools {
		if name, ok := t.Name(); ok {
			named[name] = true
		}
	}
	return named
}
