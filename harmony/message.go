package harmony

import "github.com/beamdiff/beamdiff/harmony/value"

// The roles of OpenAI-style messages.
const (
	System    = "system"
	Developer = "developer"
	User      = "user"
	Assistant = "assistant"
	Tool      = "tool"
)

// Message is one message of a conversation. The zero value of a field means
// that the message does not have it: null, missing and "" are one.
type Message struct {
	// Role says who speaks: one of the constants above, or whatever was sent.
	Role string
	// Content is the text, where it came as one string.
	Content string
	// Parts is the content, where it came as a list of parts. A message has
	// Content or Parts, not both.
	Parts []Part
	// Thinking is the model's reasoning.
	Thinking string
	// ThinkingKey is the name that Thinking came with: one of [ThinkingKeys], or
	// "" where it did not say. [Message.ThinkingName] is the name to write.
	ThinkingKey string
	// ToolCalls are the calls of an assistant turn, in order.
	ToolCalls []ToolCall
	// Name is the tool that a tool message answers for.
	Name string
	// ToolCallID is the ID of the call that a tool message answers.
	ToolCallID string

	// Raw, if not empty, is the model's own text of this turn. A renderer
	// writes it as it is, in place of what it would write for the turn. Go only:
	// requests and cases have no such key.
	Raw string

	// Extra keeps, in order, each key that has no field above or whose value
	// does not fit the field: an unknown key, a content that is an object or "",
	// a second reasoning text. nil when there is none.
	Extra *value.Object
}

// ThinkingKeys gives the names of a message's reasoning on the wire, in the
// order in which Transformers looks for it.
func ThinkingKeys() [3]string { return [...]string{"reasoning_content", "thinking", "reasoning"} }

// ThinkingName is the name of the message's reasoning on the wire: "thinking"
// where it did not come with one.
func (m *Message) ThinkingName() string {
	if m.ThinkingKey == "" {
		return "thinking"
	}
	return m.ThinkingKey
}

// Part is one part of a content that came as a list.
type Part struct {
	Type string // "text" for the only part that text formats have
	Text string
	// Extra keeps every other key, and type or text where they are not strings. Where
	// they did not come first, in this order, null holds their places.
	Extra *value.Object
}

// ToolCall is one call of a tool.
type ToolCall struct {
	ID   string
	Type string // "function", or "" where none was sent
	Name string // function.name
	// Arguments is function.arguments as it was sent: an object, or a string
	// that holds JSON text ([ToolCall.ParseArguments] reads it), or anything
	// else, which renderers refuse. Null where there was none.
	Arguments value.Value
	// Extra keeps every other key of the call, and those of its function under
	// "function", as well as any of the above that is not of its type. nil when
	// there is none.
	Extra *value.Object
}

// ParseArguments turns arguments that came as JSON text into an object. Other
// arguments stay as they are. The error is a *[DecodeError], at path.
func (c *ToolCall) ParseArguments(path string) error {
	text, ok := c.Arguments.AsString()
	if !ok {
		return nil
	}
	v, err := value.Loads(text)
	if err != nil {
		return &DecodeError{Path: path, Err: err}
	}
	if v.Kind() != value.KindObject {
		return &DecodeError{Path: path, Want: "JSON text of an object", Got: v.Kind().String()}
	}
	c.Arguments = v
	return nil
}

// GiveCallIDs gives an ID to each call that came without one, as calls do that
// were read from a reply: results name the call that they answer by it. next
// makes the IDs; nil is [NewCallID].
func (m *Message) GiveCallIDs(next func() string) {
	if next == nil {
		next = NewCallID
	}
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		if sent, _ := c.Extra.Get("id"); c.ID == "" && !sent.Truthy() {
			c.ID = next()
		}
	}
}
