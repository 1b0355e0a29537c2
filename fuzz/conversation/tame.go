package conversation

import (
	"strings"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Tame gives a copy of a conversation in which most of what a strict template
// refuses is mended: contents are texts, turns that call tools have no text beside
// their reasoning, tools are described. Some of it stays as it was.
func Tame(s *fuzz.Source, c *Conversation) *Conversation {
	copied := c.Input.Value().Clone()
	out, _ := copied.AsObject()
	if messages, ok := copied.Get("messages").AsArray(); ok {
		for _, m := range messages.All() {
			if o, ok := m.AsObject(); ok && !s.OneIn(64) {
				tameMessage(s, o)
			}
		}
		if s.OneIn(16) { // of whichever call came last, or of none
			messages.Append(parse(`{"role": "tool", "content": "late"}`))
		}
	}
	if tools, ok := copied.Get("tools").AsArray(); ok {
		for i, tool := range tools.All() {
			if o, ok := tool.AsObject(); ok && !s.OneIn(64) {
				tools.Set(i, tameTool(s, o))
			}
		}
	}
	if v, has := out.Get("reasoning_effort"); has && v.Kind() != value.KindString && !s.OneIn(16) {
		out.Set("reasoning_effort", value.String(fuzz.Pick(s, "low", "medium", "high")))
	}
	if s.OneIn(4) {
		out.Set("builtin_tools", fuzz.Pick(s, parse(`["browser"]`), parse(`["python"]`), parse(`["python", "browser"]`), parse(`["other"]`), parse(`[]`)))
	}
	return &Conversation{Input: out, Traits: c.Traits, format: c.format}
}

// tameMessage mends a message.
func tameMessage(s *fuzz.Source, o *value.Object) {
	content, has := o.Get("content")
	if _, ok := content.AsString(); !ok && has && !content.IsNull() {
		o.Set("content", value.String(s.Text()))
	}
	calls, _ := o.Get("tool_calls")
	if list, ok := calls.AsArray(); ok && list.Len() == 0 || calls.IsNull() {
		o.Delete("tool_calls")
	}
	role, _ := o.Get("role")
	_, called := o.Get("tool_calls")
	switch name, _ := role.AsString(); {
	case name == harmony.Assistant && called:
		o.Delete(fuzz.Pick(s, "content", "content", "thinking"))
		for _, key := range []string{"reasoning", "reasoning_content"} {
			if _, has := o.Get("content"); has {
				o.Delete(key)
			}
		}
		for _, key := range harmony.ThinkingKeys() {
			if v, has := o.Get(key); has && v.Kind() != value.KindString {
				o.Delete(key)
			}
		}
	case content.IsNull() && name != harmony.Tool:
		o.Set("content", value.String(s.Text()))
	}
	for _, key := range harmony.ThinkingKeys() {
		if v, has := o.Get(key); has && v.Kind() != value.KindString {
			o.Set(key, value.String(s.Text()))
		}
	}
	if list, ok := calls.AsArray(); ok && list.Len() > 0 && s.OneIn(8) {
		if f, ok := list.At(0).Get("function").AsObject(); ok {
			f.Set("content_type", fuzz.Pick(s, value.String("xml"), value.String(""), value.Null()))
		}
	}
}

// tameTool mends a tool, and declares more of its parameters.
func tameTool(s *fuzz.Source, o *value.Object) value.Value {
	f, wrapped := o.Get("function")
	function, ok := f.AsObject()
	if !wrapped {
		function, ok = o, true
	}
	if !ok {
		return o.Value()
	}
	for _, key := range []string{"name", "description"} {
		if v, _ := function.Get(key); v.Kind() != value.KindString {
			function.Set(key, value.String(s.Text()))
		}
	}
	p, _ := function.Get("parameters")
	properties, _ := p.Get("properties").AsObject()
	for _, v := range properties.All() {
		spec, ok := v.AsObject()
		if !ok {
			continue
		}
		if d, has := spec.Get("description"); has && d.Kind() != value.KindString && !s.OneIn(16) {
			spec.Set("description", value.String(s.Text()))
		}
		if s.OneIn(6) {
			spec.Set("type", value.String("string"))
			spec.Set("enum", value.List(value.String("a"), value.String(s.Text())))
			if d, has := spec.Get("default"); has && d.Kind() != value.KindString {
				spec.Set("default", value.String("a"))
			}
		}
		if s.OneIn(8) {
			spec.Set("type", value.String("array"))
			spec.Set("nullable", value.Bool(s.OneIn(2)))
			switch spec.Delete("items"); s.N(3) {
			case 0:
				spec.Set("items", value.Members())
			case 1:
				long := strings.Repeat("t", 49+s.N(4))
				spec.Set("items", value.Members(value.Member{Name: "type", Value: value.List(value.String(long))}))
			}
		}
		if s.OneIn(8) {
			oneOf := []value.Value{v.Clone(), value.Members(value.Member{Name: "type", Value: value.String("string")}, value.Member{Name: "default", Value: value.String("é")})}
			spec.Delete("type")
			spec.Set("oneOf", value.List(oneOf...))
			spec.Delete("default")
		}
	}
	return value.Members(value.Member{Name: "type", Value: value.String("function")}, value.Member{Name: "function", Value: function.Value()})
}
