package template

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Call is one call of apply_chat_template.
type Call struct {
	Messages []harmony.Message
	Tools    []harmony.ToolDef
	// Prompt is add_generation_prompt, Mask return_assistant_tokens_mask, Sanitize
	// sanitize_control_tokens.
	Prompt, Mask, Sanitize bool
	// Continue is continue_final_message: the field that is continued, "" for none.
	Continue string
	// Template is the source of the template, in which Transformers looks for the
	// name of that field. Where it is not known, Fields are those that it reads.
	Template string
	Fields   []string
}

// The paths of what may be wrong with a call.
const (
	pathMessages = "messages"
	pathContinue = "continue_final_message"
	pathSanitize = "sanitize_control_tokens"
)

// Begin makes the checks that come before the template. The error is an *[Error].
func Begin(c Call) (Tail, error) {
	if len(c.Messages) == 0 {
		return Tail{}, ValueError(pathMessages, "Cannot apply chat template to an empty conversation. Provide at least one message.")
	}
	if c.Continue != "" {
		switch {
		case c.Prompt:
			return Tail{}, ValueError(pathContinue, "continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when you want the model to continue the final message, and add_generation_prompt when you want to add a header that will prompt it to start a new assistant message instead.")
		case c.Mask:
			return Tail{}, ValueError(pathContinue, "continue_final_message is not compatible with return_assistant_tokens_mask.")
		}
	}
	if c.Sanitize {
		return Tail{}, ValueError(pathSanitize, "`sanitize_control_tokens=True` requires `tokenize=True` and is not compatible with `return_assistant_tokens_mask=True`.")
	}
	for i := range c.Tools {
		if c.Tools[i].Def.Kind() != value.KindObject {
			return Tail{}, ValueError(fmt.Sprintf("tools[%d]", i), "Tools should either be a JSON schema, or a callable function with type hints and a docstring suitable for auto-conversion to a schema.")
		}
	}
	// The model's own text is continued where it ends.
	if c.Continue == "" || c.Messages[len(c.Messages)-1].Raw != "" {
		return Tail{}, nil
	}
	return tag(&c)
}

// reads tells whether the template reads a field of a message.
func (c *Call) reads(field string) bool {
	if c.Template != "" {
		return strings.Contains(c.Template, field)
	}
	return slices.Contains(c.Fields, field)
}
