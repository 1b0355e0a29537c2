package beam

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// continueTag is what Transformers puts behind the text to continue; the prompt
// is cut where it comes out (response-template-spec.md, section 12.6).
const continueTag = "CONTINUE_FINAL_MESSAGE_TAG "

// continued is the continuing of the last message.
type continued struct {
	on   bool
	text string // what is continued
}

// readFields are the keys of a message that the template reads.
var readFields = []string{"role", "content", "reasoning_content", "thinking", "reasoning", "tool_calls", "name", "tool_call_id", "refusal", "function_call"}

// beginContinue checks what continuing excludes.
func (w *writer) beginContinue() (c continued, err error) {
	switch {
	case w.req.Continue == "":
		return c, nil
	case w.prompt:
		return c, valueError("continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when you want the model to continue the final message, and add_generation_prompt when you want to add a header that will prompt it to start a new assistant message instead.")
	case w.mask:
		return c, valueError("continue_final_message is not compatible with return_assistant_tokens_mask.")
	}
	// The model's own text is continued where it ends.
	return continued{on: w.req.Messages[len(w.req.Messages)-1].Raw == ""}, nil
}

// tag puts the tag behind the text to continue, in a copy of the last message.
func (c *continued) tag(w *writer) error {
	if !c.on {
		return nil
	}
	last := &w.req.Messages[len(w.req.Messages)-1]
	field := w.req.Continue
	o, _ := last.Value().AsObject()
	if fields, some := aliased(last); some {
		for k, key := range harmony.ThinkingKeys() {
			if !fields[k].IsNull() {
				o.Set(key, fields[k])
			}
		}
	}
	v, _ := o.Get(field)
	if v.IsNull() {
		return w.continueError("continue_final_message is set but the final message has no \"%s\" to continue!", field)
	}
	fields := []string{field}
	if keys := harmony.ThinkingKeys(); slices.Contains(keys[:], field) {
		fields = fields[:0]
		for _, key := range harmony.ThinkingKeys() {
			if other, has := o.Get(key); has && pythonEqual(other, v) {
				fields = append(fields, key)
			}
		}
	}
	if !slices.ContainsFunc(fields, w.isField) {
		return w.continueError(`continue_final_message is set to "%s" but this is not an accepted field in the chat_template`, field)
	}
	if list, ok := v.AsArray(); ok {
		copied := value.List()
		a, _ := copied.AsArray()
		for _, block := range list.All() {
			a.Append(block)
		}
		if err := c.tagBlock(w, a); err != nil {
			return err
		}
		o.Set(field, copied)
	} else {
		for _, key := range fields {
			other, _ := o.Get(key)
			text, ok := other.AsString()
			if !ok {
				return w.typeError("unsupported operand type(s) for +: '%s' and 'str'", other.Kind().PyType())
			}
			c.text = text
			o.Set(key, value.String(text+continueTag))
		}
	}
	final, err := harmony.DecodeMessage(o.Value(), "")
	w.final = &final
	return err
}

// tagBlock puts the tag behind the last block of a list that has a text, in a
// copy, as Python does it.
func (c *continued) tagBlock(w *writer, a *value.Array) error {
	for i := a.Len() - 1; i >= 0; i-- {
		block := a.At(i)
		switch block.Kind() {
		case value.KindString:
			if s, _ := block.AsString(); strings.Contains(s, "text") {
				return w.typeError("string indices must be integers, not 'str'")
			}
		case value.KindArray:
			items, _ := block.AsArray()
			for _, item := range items.All() {
				if s, _ := item.AsString(); s == "text" {
					return w.typeError("list indices must be integers or slices, not str")
				}
			}
		case value.KindObject:
			o, _ := block.AsObject()
			v, has := o.Get("text")
			if !has {
				continue
			}
			text, ok := v.AsString()
			switch {
			case v.Kind() == value.KindArray:
				return w.typeError(`can only concatenate list (not "str") to list`)
			case !ok:
				return w.typeError("unsupported operand type(s) for +: '%s' and 'str'", v.Kind().PyType())
			}
			c.text = text
			tagged := block.Clone()
			o, _ = tagged.AsObject()
			o.Set("text", value.String(text+continueTag))
			a.Set(i, tagged)
			return nil
		default:
			return w.typeError("argument of type '%s' is not a container or iterable", block.Kind().PyType())
		}
	}
	return w.continueError("continue_final_message is set but we could not find any text to continue in the final message!")
}

// cut ends the prompt before the tag.
func (c *continued) cut(w *writer) error {
	if !c.on {
		return nil
	}
	tag := strings.TrimRight(continueTag, " ")
	prompt := w.buf[w.start:]
	text := value.Strip(c.text)
	at := bytes.LastIndex(prompt, []byte(tag))
	if at < 0 || !bytes.Contains(prompt, []byte(text)) {
		return w.continueError("continue_final_message is set but the final message does not appear in the chat after applying the chat template! This can happen if the chat template deletes portions of the final message. Please verify the chat template and final message in your chat to ensure they are compatible.Final message to continue: %s\nRendered chat:\n%s", text, prompt)
	}
	kept := prompt[:at]
	if !bytes.HasPrefix(prompt[at:], []byte(continueTag)) {
		kept = bytes.TrimRightFunc(kept, value.IsSpace)
	}
	w.buf = w.buf[:w.start+len(kept)]
	return nil
}

// isField tells whether the template reads a field.
func (w *writer) isField(name string) bool {
	if w.opts.Template != "" {
		return strings.Contains(w.opts.Template, name)
	}
	return slices.Contains(readFields, name)
}

// pythonEqual is Python's ==, in which numbers of all kinds compare.
func pythonEqual(a, b value.Value) bool {
	x, y := number(a), number(b)
	if x == nil || y == nil {
		return x == y && value.Equal(a, b)
	}
	return x.Cmp(y) == 0 && !isNaN(a) && !isNaN(b)
}

// number gives a boolean, an integer or a float as a number (NaN as 0), else nil.
func number(v value.Value) *big.Float {
	x := new(big.Float)
	if b, ok := v.AsBool(); ok {
		if b {
			x.SetInt64(1)
		}
		return x
	}
	if i, ok := v.AsBig(); ok {
		return x.SetInt(i)
	}
	if f, ok := v.AsFloat(); ok {
		if math.IsNaN(f) {
			return x
		}
		return x.SetFloat64(f)
	}
	return nil
}

func isNaN(v value.Value) bool {
	f, ok := v.AsFloat()
	return ok && math.IsNaN(f)
}

func valueError(text string) *Error {
	return &Error{Class: "ValueError", Message: text, Path: argContinue}
}

// continueError is a ValueError about the last message.
func (w *writer) continueError(format string, args ...any) *Error {
	return &Error{Class: "ValueError", Message: fmt.Sprintf(format, args...), Path: messageAt(len(w.req.Messages) - 1)}
}

// typeError is what Python raises where the field to continue is no text.
func (w *writer) typeError(format string, args ...any) *Error {
	e := w.continueError(format, args...)
	e.Class = "TypeError"
	return e
}
