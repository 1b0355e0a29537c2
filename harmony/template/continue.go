package template

import (
	"bytes"
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

// Tail is the end of a prompt. The zero Tail is that of one which continues
// nothing.
type Tail struct {
	// Final stands in for the last message where it is continued, else nil.
	Final *harmony.Message
	last  int    // its number
	text  string // what is continued
}

// tag puts the tag behind the text to continue, in a copy of the last message.
func tag(c *Call) (Tail, error) {
	t := Tail{last: len(c.Messages) - 1}
	last, field := &c.Messages[t.last], c.Continue
	o, _ := last.Value().AsObject()
	if fields, some := Reasoning(last); some {
		for k, key := range harmony.ThinkingKeys() {
			if !fields[k].IsNull() {
				o.Set(key, fields[k])
			}
		}
	}
	v, _ := o.Get(field)
	if v.IsNull() {
		return t, t.refuse("continue_final_message is set but the final message has no \"%s\" to continue!", field)
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
	if !slices.ContainsFunc(fields, c.reads) {
		return t, t.refuse(`continue_final_message is set to "%s" but this is not an accepted field in the chat_template`, field)
	}
	if list, ok := v.AsArray(); ok {
		copied := value.List()
		a, _ := copied.AsArray()
		for _, block := range list.All() {
			a.Append(block)
		}
		if err := t.tagBlock(a); err != nil {
			return t, err
		}
		o.Set(field, copied)
	} else {
		for _, key := range fields {
			other, _ := o.Get(key)
			text, ok := other.AsString()
			if !ok {
				return t, t.wrongType("unsupported operand type(s) for +: '%s' and 'str'", other.Kind().PyType())
			}
			t.text = text
			o.Set(key, value.String(text+continueTag))
		}
	}
	final, err := harmony.DecodeMessage(o.Value(), "")
	t.Final = &final
	return t, err
}

// tagBlock puts the tag behind the last block of a list that has a text, in a
// copy, as Python does it.
func (t *Tail) tagBlock(a *value.Array) error {
	for i := a.Len() - 1; i >= 0; i-- {
		block := a.At(i)
		switch block.Kind() {
		case value.KindString:
			if s, _ := block.AsString(); strings.Contains(s, "text") {
				return t.wrongType("string indices must be integers, not 'str'")
			}
		case value.KindArray:
			items, _ := block.AsArray()
			for _, item := range items.All() {
				if s, _ := item.AsString(); s == "text" {
					return t.wrongType("list indices must be integers or slices, not str")
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
				return t.wrongType(`can only concatenate list (not "str") to list`)
			case !ok:
				return t.wrongType("unsupported operand type(s) for +: '%s' and 'str'", v.Kind().PyType())
			}
			t.text = text
			tagged := block.Clone()
			o, _ = tagged.AsObject()
			o.Set("text", value.String(text+continueTag))
			a.Set(i, tagged)
			return nil
		default:
			return t.wrongType("argument of type '%s' is not a container or iterable", block.Kind().PyType())
		}
	}
	return t.refuse("continue_final_message is set but we could not find any text to continue in the final message!")
}

// Cut gives how many bytes of a prompt stand before the tag: all of them where
// nothing is continued. The error is an *[Error].
func (t *Tail) Cut(prompt []byte) (int, error) {
	if t.Final == nil {
		return len(prompt), nil
	}
	tag := strings.TrimRight(continueTag, " ")
	text := value.Strip(t.text)
	at := bytes.LastIndex(prompt, []byte(tag))
	if at < 0 || !bytes.Contains(prompt, []byte(text)) {
		return 0, t.refuse("continue_final_message is set but the final message does not appear in the chat after applying the chat template! This can happen if the chat template deletes portions of the final message. Please verify the chat template and final message in your chat to ensure they are compatible.Final message to continue: %s\nRendered chat:\n%s", text, prompt)
	}
	if !bytes.HasPrefix(prompt[at:], []byte(continueTag)) {
		return len(bytes.TrimRightFunc(prompt[:at], value.IsSpace)), nil
	}
	return at, nil
}

// refuse is a ValueError about the last message.
func (t *Tail) refuse(format string, args ...any) *Error {
	return ValueError(At(t.last), format, args...)
}

// wrongType is what Python raises where the field to continue is no text.
func (t *Tail) wrongType(format string, args ...any) *Error {
	return TypeError(At(t.last), format, args...)
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
