package chat

import (
	"hash/maphash"
	"strings"
	"sync"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Use is what a field of the message is used for.
type Use uint8

const (
	Nothing   Use = iota // the client does not see it
	Content              // the answer
	Reasoning            // the model's reasoning
	Calls                // tool calls
)

func (u Use) String() string { return [...]string{"nothing", "content", "reasoning", "calls"}[u&3] }

// Options are how replies are shown. The zero value does it as the server of
// Transformers.
type Options struct {
	// Uses says what a field is used for, by its name, where that is not the
	// default: content, tool_calls as calls, and reasoning_content, thinking and
	// reasoning as reasoning; any other for nothing.
	Uses map[string]Use
	// NewID makes the IDs of calls. nil is [harmony.NewCallID].
	NewID func() string
	// ReasoningKey is the name of reasoning in JSON; "" is reasoning_content, as in
	// the servers of Transformers and DeepSeek.
	ReasoningKey string
	// ASCII writes arguments with characters outside ASCII as \uXXXX.
	ASCII bool
}

// View shows the replies of one format. It does not change and may be shared, if
// Options.NewID may be called by several goroutines at once. The zero View is
// that of a format that tells nothing of its fields, with the zero Options.
type View struct {
	fields map[string]*field
	unused []string
	o      Options
	seed   maphash.Seed
}

// field is what a view does with a field of the message.
type field struct {
	harmony.Field
	index int // among all fields
	use   Use
	known bool // the format told of it
}

// byValue tells whether the field is shown by the value of its regions and not
// by their text.
func (f *field) byValue() bool { return f.known && !f.Text }

// NewView makes a view of messages that have these fields. A field that is used
// and not among them is taken to hold text as it comes; pass nil for a format
// that tells nothing of its fields.
func NewView(fields []harmony.Field, o Options) *View {
	if o.NewID == nil {
		o.NewID = harmony.NewCallID
	}
	if o.ReasoningKey == "" {
		o.ReasoningKey = "reasoning_content"
	}
	v := &View{fields: map[string]*field{}, o: o, seed: maphash.MakeSeed()}
	uses := map[string]Use{"content": Content, "tool_calls": Calls}
	for _, name := range harmony.ThinkingKeys() {
		uses[name] = Reasoning
	}
	for name, use := range o.Uses {
		uses[name] = use
	}
	for _, f := range fields {
		if uses[f.Name] == Nothing {
			v.unused = append(v.unused, f.Name)
		}
		v.fields[f.Name] = &field{Field: f, index: len(v.fields), use: uses[f.Name], known: true}
	}
	for name, use := range uses {
		if v.fields[name] == nil {
			v.fields[name] = &field{Field: harmony.Field{Name: name, Text: true}, index: len(v.fields), use: use}
		}
	}
	return v
}

var zeroView = sync.OnceValue(func() *View { return NewView(nil, Options{}) })

// made is the view itself, or what stands for one that NewView did not make.
func (v *View) made() *View {
	if v == nil || v.fields == nil {
		return zeroView()
	}
	return v
}

// Unused are the fields of the format that no client sees, in their order.
func (v *View) Unused() []string { return v.made().unused }

// text is the text of the message for a use.
func (v *View) text(message value.Value, use Use) string {
	o, ok := message.AsObject()
	if !ok {
		return ""
	}
	text := "" // of one field, nearly always: then it is not copied
	for name, val := range o.All() {
		if f := v.fields[name]; f != nil && f.use == use {
			text += f.text(val)
		}
	}
	return text
}

// text is the text of a field's value in the message: that of a list of regions
// is the text of each, put together.
func (f *field) text(v value.Value) string {
	a, ok := v.AsArray()
	if !ok || f.known && (!f.Repeats || f.Join != nil) {
		return plain(v)
	}
	var b strings.Builder
	for _, item := range a.All() {
		b.WriteString(plain(item))
	}
	return b.String()
}

// regionText is the text of the value of one region.
func (f *field) regionText(v value.Value) string {
	if f.known {
		return plain(v)
	}
	return f.text(v)
}

// plain is a value as text: a string as it is, what is empty as none, anything
// else as JSON.
func plain(v value.Value) string {
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		return s
	case value.KindNull, value.KindArray, value.KindObject:
		if !v.Truthy() {
			return ""
		}
	}
	return jsonText(v, false)
}
