package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// The classes of a turn that is rendered and read back.
const (
	Lossless = "turn=lossless"        // text alone: it reads back with and without tools
	Typed    = "turn=typed by schema" // its values read back as the tools' schemas type them
	// Unwritable and a name: something in the turn that the format cannot say.
	Unwritable = "turn=unrepresentable: "
)

// CheckReadsBack reads each turn of the model as it is rendered, behind the prompt
// that it would have answered. What comes back is the turn, but for what
// [unwritable] names.
func CheckReadsBack(sub Subject, c *conversation.Conversation, tally Tally) *Violation {
	req := sub.decode(c)
	if req == nil || req.Continue != "" {
		return nil
	}
	req.GenerationPrompt = beam.Off
	if _, err := sub.Render(req); err != nil {
		return nil
	}
	for i := range req.Messages {
		if req.Messages[i].Role != harmony.Assistant {
			continue
		}
		before, err := sub.prompt(req, i, beam.Off)
		after, err2 := sub.prompt(req, i+1, beam.Off)
		if err != nil || err2 != nil || !strings.HasPrefix(after, before+assistantHead) {
			continue // CheckMask and CheckGrows tell it
		}
		before += assistantHead
		class, why := sub.readsBack(after[len(before):], before, turnOf(&req.Messages[i]), req.Tools)
		if why != "" {
			return &Violation{ReadsBack, c, fmt.Sprintf("message %d: %s", i, why)}
		}
		tally(class)
	}
	return nil
}

// turn is what a turn of the model says.
type turn struct {
	reasoning, content string
	calls              []harmony.ToolCall
}

func turnOf(m *harmony.Message) turn {
	t := turn{reasoning: m.Thinking, content: m.Content, calls: m.ToolCalls}
	for _, p := range m.Parts {
		t.content += p.Text
	}
	return t
}

// readsBack reads the text of a turn without tools and with them and compares. It
// gives the class of the turn, or why it is wrong.
func (sub Subject) readsBack(text, prompt string, t turn, tools []harmony.ToolDef) (class, why string) {
	if value.InvalidUTF8(prompt+text) >= 0 {
		return Unwritable + "half a surrogate pair", ""
	}
	bare, err := sub.Read(text, prompt, nil)
	if err != nil {
		return "", fmt.Sprintf("%q raises %v", text, err)
	}
	if name, why := t.same(bare.Message, nil); name != "" || why != "" {
		if strings.HasPrefix(name, notText) { // of course: nothing was typed
			name = ""
		}
		if name != "" || why != "" {
			return Unwritable + name, where(why, text, bare.Message)
		}
	}
	schemas := newSchemas(tools)
	typed, err := sub.Read(text, prompt, tools)
	if err != nil {
		return "", fmt.Sprintf("%q raises %v with tools", text, err)
	}
	name, why := t.same(typed.Message, schemas)
	switch {
	case why != "":
		return "", where(why, text, typed.Message)
	case name != "":
		return Unwritable + name, ""
	case t.textOnly():
		return Lossless, ""
	}
	return Typed, ""
}

func where(why, text string, message value.Value) string {
	if why == "" {
		return ""
	}
	return fmt.Sprintf("%s\n  written %q\n  read    %s", why, text, value.Dumps(message))
}

// textOnly tells whether all arguments are text.
func (t turn) textOnly() bool {
	for i := range t.calls {
		args, _ := t.calls[i].Arguments.AsObject()
		for _, v := range args.All() {
			if v.Kind() != value.KindString {
				return false
			}
		}
	}
	return true
}

// same compares a turn with the message that was read of it, whose values are
// typed by schemas. It gives the name of the first thing that the format cannot say,
// behind which nothing is compared but what stands before it; or why they differ.
func (t turn) same(message value.Value, schemas schemas) (name, why string) {
	o, _ := message.AsObject()
	field := func(key, want string) string {
		v, has := o.Get(key)
		if got, ok := v.AsString(); has != (want != "") || has && (!ok || got != want) {
			return fmt.Sprintf("%s is %q, and was %q", key, got, want)
		}
		return ""
	}
	if closes(t.reasoning) {
		return "a marker in the reasoning", ""
	}
	if why := field("thinking", t.reasoning); why != "" {
		return "", why
	}
	list, _ := message.Get("tool_calls").AsArray()
	for i := range t.calls {
		if i >= list.Len() {
			return "", fmt.Sprintf("call %d is missing", i)
		}
		c := &t.calls[i]
		found, why := sameCall(c, list.At(i), schemas)
		switch {
		case why != "":
			return "", fmt.Sprintf("call %d: %s", i, why)
		case found == markerInArgument: // what follows it is read as something else
			return found, ""
		case name == "":
			name = found
		}
	}
	if list.Len() > len(t.calls) {
		return "", fmt.Sprintf("%d calls, and there were %d", list.Len(), len(t.calls))
	}
	if closes(t.content) {
		return "a marker in the answer", ""
	}
	if why := field("content", t.content); why != "" {
		return "", why
	}
	for key := range o.All() {
		if key != "role" && key != "thinking" && key != "content" && key != "tool_calls" {
			return "", "there is a field " + key
		}
	}
	return name, ""
}

// sameCall is same for one call.
func sameCall(c *harmony.ToolCall, got value.Value, schemas schemas) (name, why string) {
	args, _ := c.Arguments.AsObject()
	for key, v := range args.All() {
		if closes(key) || closes(written(v)) {
			return markerInArgument, ""
		}
	}
	if read, _ := got.Get("function").Get("name").AsString(); read != c.Name {
		return "", fmt.Sprintf("the name is %q, and was %q", read, c.Name)
	}
	read, _ := got.Get("function").Get("arguments").AsObject()
	if read.Len() != args.Len() {
		return "", fmt.Sprintf("%d arguments, and there were %d", read.Len(), args.Len())
	}
	properties := schemas[c.Name]
	for i := range args.Len() {
		was, is := args.At(i), read.At(i)
		if was.Name != is.Name {
			return "", fmt.Sprintf("argument %d is %q, and was %q", i, is.Name, was.Name)
		}
		schema, has := properties.Get(was.Name)
		var types []string
		if has {
			types = declared(schema)
		}
		found := unwritable(was.Value, types)
		if found == "" && !value.Equal(was.Value, is.Value) || strings.HasPrefix(found, notText) && len(types) == 0 && !value.Equal(is.Value, value.String(written(was.Value))) {
			return "", fmt.Sprintf("argument %q is %s, and was %s", was.Name, value.Dumps(is.Value), value.Dumps(was.Value))
		}
		if name == "" {
			name = found
		}
	}
	return name, ""
}

// closes tells whether any text of the turn has a marker that ends a message.
func (t turn) closes() bool {
	return closes(t.reasoning) || closes(t.content) || slices.ContainsFunc(t.calls, func(c harmony.ToolCall) bool {
		return closes(written(c.Arguments))
	})
}

// closes tells whether a text has a marker that ends a message.
func closes(text string) bool {
	for _, marker := range []string{beam.MarkEnd, beam.MarkCall, beam.MarkReturn, assistantHead} {
		if strings.Contains(text, marker) {
			return true
		}
	}
	return false
}
