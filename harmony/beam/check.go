package beam

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Check tells what a request does that the page cautions against, in the order
// of the prompt: arguments, tools, messages, then the keys of the request. It
// does not tell what [Render] refuses, such as a nil request.
func Check(req *Request) []Warning {
	if req == nil {
		return nil
	}
	c := checker{req: req}
	c.arguments()
	c.tools()
	c.messages()
	c.results()
	for name := range req.Extra.All() {
		if name != "date" {
			c.warn(WarnKeyNotRendered, name, "is no part of the prompt")
		}
	}
	return c.list
}

type checker struct {
	req  *Request
	list []Warning
}

func (c *checker) warn(kind WarningKind, path, format string, args ...any) {
	c.list = append(c.list, Warning{Kind: kind, Path: path, Detail: fmt.Sprintf(format, args...)})
}

// arguments checks the template's arguments.
func (c *checker) arguments() {
	effort := c.req.Effort.sent
	if n, ok := effort.AsBig(); ok && n.Sign() < 0 || ok && n.IsInt64() && n.Int64() < 8 {
		c.warn(WarnLowEffort, argEffort, "Beam was not trained below 8, so %s is not respected", n)
	}
	c.marker(argIdentity, c.req.Identity)
	named := c.req.toolNames()
	for k, name := range c.req.BuiltinTools {
		path := argBuiltin + index(k)
		if name != "search" && name != "browse" {
			c.warn(WarnBuiltinOther, path, "Beam was trained with search and browse as built-in tools, not with %s", name)
		}
		if !named[name] {
			c.warn(WarnBuiltinAbsent, path, "no tool is named %s", name)
		}
	}
	for name := range c.req.Args.All() {
		switch name {
		case argEffort, argIdentity, argBuiltin, argMissing:
		default:
			c.warn(WarnKeyNotRendered, "template_kwargs."+name, "the template has no such argument")
		}
	}
}

// messages checks each message by itself.
func (c *checker) messages() {
	late := false
	for i := range c.req.Messages {
		m := &c.req.Messages[i]
		path := messageAt(i)
		if isInstruction(m) && late {
			c.warn(WarnLateInstruction, path, "comes after a message with another role, so it is not rendered")
		}
		late = late || !isInstruction(m)
		if m.Role == harmony.Assistant && m.Raw == "" && value.Strip(reasoningOf(m)) == "" {
			c.warn(WarnMissingReasoning, path, "Beam's output degrades without the reasoning of earlier turns")
		}
		c.keys(m, path)
		c.marker(path+".content", m.Content)
		c.kept(path, m.Extra, m.Role)
		for j := range m.Parts {
			c.marker(path+".content"+index(j)+".text", m.Parts[j].Text)
		}
		if m.Role != harmony.Assistant {
			continue
		}
		c.marker(path+"."+m.ThinkingName(), m.Thinking)
		for j := range m.ToolCalls {
			c.values(callAt(i, j)+".function.arguments", m.ToolCalls[j].Arguments)
		}
	}
}

// kept checks the texts of fields that Extra keeps, as their values did not fit
// the fields of a message: what a turn shows of them, and nothing else.
func (c *checker) kept(path string, extra *value.Object, role string) {
	for name, v := range extra.All() {
		if name == "content" || role == harmony.Assistant && slices.Contains(read[role], name) {
			c.values(path+"."+name, v)
		}
	}
}

// reasoningOf gives the first reasoning text of a message.
func reasoningOf(m *harmony.Message) string {
	if m.Thinking != "" {
		return m.Thinking
	}
	for _, key := range harmony.ThinkingKeys() {
		if v, _ := m.Extra.Get(key); v.Truthy() {
			text, _ := v.AsString()
			return text
		}
	}
	return ""
}

// read tells which fields of a message a role's turn shows.
var read = map[string][]string{
	harmony.Assistant: {"reasoning_content", "thinking", "reasoning", "tool_calls", "refusal", "function_call"},
	harmony.Tool:      {"name", "tool_call_id"},
}

// keys checks for keys that are not rendered.
func (c *checker) keys(m *harmony.Message, path string) {
	shown := read[m.Role]
	o, _ := m.Value().AsObject()
	for name, v := range o.All() {
		known := name == "role" || name == "content" || slices.Contains(readFields, name) && !v.Truthy()
		if !known && !v.IsNull() && !slices.Contains(shown, name) {
			c.warn(WarnKeyNotRendered, path+"."+name, "the template does not read it in a message of this role")
		}
	}
	for j := range m.Parts {
		c.extra(path+".content"+index(j), m.Parts[j].Extra, "type", "text")
	}
	for j := range m.ToolCalls {
		call := fmt.Sprintf("%s.tool_calls[%d]", path, j)
		c.extra(call, m.ToolCalls[j].Extra, "id", "type", "function")
		f, _ := m.ToolCalls[j].Extra.Get("function")
		function, _ := f.AsObject()
		c.extra(call+".function", function, "name", "arguments")
	}
}

// extra warns of the members of an object other than the known ones.
func (c *checker) extra(path string, o *value.Object, known ...string) {
	for name, v := range o.All() {
		if !v.IsNull() && !slices.Contains(known, name) {
			c.warn(WarnKeyNotRendered, path+"."+name, "the template does not read it")
		}
	}
}

// marker checks one text for markers.
func (c *checker) marker(path, text string) {
	if !strings.Contains(text, "<|") {
		return
	}
	for _, mark := range Markers() {
		if strings.Contains(text, mark) {
			c.warn(WarnMarkerInText, path, "has the marker %s in its text, and Beam cannot tell it from one of the format", mark)
			return
		}
	}
}

// values checks the names and texts of a value for markers, if it does not nest
// deeper than what can be rendered.
func (c *checker) values(path string, v value.Value) {
	if !template.IsDeeper(v, value.MaxDepth) {
		c.walk(path, v)
	}
}

func (c *checker) walk(path string, v value.Value) {
	if text, ok := v.AsString(); ok {
		c.marker(path, text)
	}
	if a, ok := v.AsArray(); ok {
		for i, item := range a.All() {
			c.walk(path+index(i), item)
		}
	}
	if o, ok := v.AsObject(); ok {
		for name, member := range o.All() {
			c.marker(path, name)
			c.walk(path+"."+name, member)
		}
	}
}
