package render

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// each changes every message that can be changed.
func each(change func(s *fuzz.Source, m *value.Object) bool) func(*fuzz.Source, *value.Object) bool {
	return func(s *fuzz.Source, request *value.Object) (changed bool) {
		for _, m := range messages(request) {
			changed = change(s, m) || changed
		}
		return changed
	}
}

// emptyOtherwise says in another way that there is no content.
func emptyOtherwise(s *fuzz.Source, m *value.Object) bool {
	v, _ := m.Get("content")
	if !isEmpty(v) {
		return false
	}
	switch s.N(5) {
	case 0:
		m.Delete("content")
	case 1:
		m.Set("content", value.Null())
	case 2:
		m.Set("content", value.String(""))
	case 3:
		m.Set("content", value.List())
	case 4:
		m.Set("content", value.List(textPart("")))
	}
	return true
}

func textPart(text string) value.Value {
	return value.Members(value.Member{Name: "type", Value: value.String("text")}, value.Member{Name: "text", Value: value.String(text)})
}

// inParts cuts a text into parts.
func inParts(s *fuzz.Source, m *value.Object) bool {
	text, ok := textOf(m, "content")
	if !ok {
		return false
	}
	parts := value.List()
	list, _ := parts.AsArray()
	for n := s.N(3); n > 0; n-- {
		at := s.N(len(text) + 1)
		for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
			at--
		}
		list.Append(textPart(text[:at]))
		text = text[at:]
	}
	list.Append(textPart(text))
	m.Set("content", parts)
	return true
}

// inOneText joins the parts of a content.
func inOneText(_ *fuzz.Source, m *value.Object) bool {
	v, _ := m.Get("content")
	list, ok := v.AsArray()
	if !ok {
		return false
	}
	var b strings.Builder
	for _, part := range list.All() {
		kind, _ := part.Get("type").AsString()
		text, ok := part.Get("text").AsString()
		if kind != "text" || !ok {
			return false
		}
		b.WriteString(text)
	}
	m.Set("content", value.String(b.String()))
	return true
}

// otherField sends the reasoning under other names: one, two or all three.
func otherField(s *fuzz.Source, m *value.Object) bool {
	if role, _ := textOf(m, "role"); role != harmony.Assistant {
		return false
	}
	keys, text := harmony.ThinkingKeys(), ""
	for _, key := range keys {
		v, _ := m.Get(key)
		one, ok := v.AsString()
		if !ok && !v.IsNull() || one != "" && text != "" && one != text {
			return false
		}
		text += strings.TrimPrefix(one, text) // "" or the same again
	}
	if text == "" {
		return false
	}
	picked := 1 + s.N(7)
	for k, key := range keys {
		m.Delete(key)
		switch {
		case picked>>k&1 == 1:
			m.Set(key, value.String(text))
		case s.OneIn(2):
			m.Set(key, fuzz.Pick(s, value.Null(), value.String("")))
		}
	}
	return true
}

// noField says in another way that there is no reasoning.
func noField(s *fuzz.Source, m *value.Object) bool {
	keys := harmony.ThinkingKeys()
	for _, key := range keys {
		if v, _ := m.Get(key); !v.IsNull() && !value.Equal(v, value.String("")) {
			return false
		}
	}
	for _, key := range keys {
		m.Delete(key)
		if s.OneIn(2) {
			m.Set(key, fuzz.Pick(s, value.Null(), value.String("")))
		}
	}
	return true
}

// otherOrder puts the keys of a message and of its calls in another order.
func otherOrder(s *fuzz.Source, m *value.Object) bool {
	shuffle(s, m)
	calls, _ := m.Get("tool_calls")
	list, _ := calls.AsArray()
	for _, call := range list.All() {
		if o, ok := call.AsObject(); ok {
			shuffle(s, o)
			if f, ok := call.Get("function").AsObject(); ok {
				shuffle(s, f)
			}
		}
	}
	return true
}

// shuffle puts the members of an object in another order.
func shuffle(s *fuzz.Source, o *value.Object) {
	var members []value.Member
	for name, v := range o.All() {
		members = append(members, value.Member{Name: name, Value: v})
	}
	for i := range members {
		o.Delete(members[i].Name)
	}
	for len(members) > 0 {
		i := s.N(len(members))
		o.Set(members[i].Name, members[i].Value)
		members = slices.Delete(members, i, i+1)
	}
}

// moreKeys adds keys that say nothing.
func moreKeys(s *fuzz.Source, m *value.Object) bool {
	for _, key := range []string{"name", "tool_calls", "tool_call_id", "refusal", "function_call", "audio", "content"} {
		if _, has := m.Get(key); !has && s.OneIn(2) {
			m.Set(key, value.Null())
		}
	}
	m.Set("annotations", value.List())
	m.Set("x-trace", value.String("<|end|>"))
	return true
}

// noCalls says in another way that a turn has no calls.
func noCalls(s *fuzz.Source, m *value.Object) bool {
	v, _ := m.Get("tool_calls")
	list, isList := v.AsArray()
	if !v.IsNull() && (!isList || list.Len() > 0) {
		return false
	}
	m.Delete("tool_calls")
	if s.OneIn(2) {
		m.Set("tool_calls", fuzz.Pick(s, value.Null(), value.List()))
	}
	return true
}

// wrappedOtherwise takes the functions of calls out of "function", or puts them in.
func wrappedOtherwise(_ *fuzz.Source, m *value.Object) (changed bool) {
	calls, _ := m.Get("tool_calls")
	list, _ := calls.AsArray()
	for i, call := range list.All() {
		o, ok := call.AsObject()
		if !ok {
			continue
		}
		if wrapped, ok := otherWrap(o, "arguments"); ok {
			list.Set(i, wrapped)
			changed = true
		}
	}
	return changed
}

// otherWrap is a call or a tool with its function around the members instead of
// in them, or the other way. key is what a function has beside its name.
func otherWrap(o *value.Object, keys ...string) (value.Value, bool) {
	out := &value.Object{}
	keys = append(keys, "name")
	if f, wrapped := o.Get("function"); wrapped {
		function, ok := f.AsObject()
		if !ok {
			return value.Value{}, false
		}
		if _, nested := function.Get("function"); nested {
			return value.Value{}, false
		}
		for name, v := range o.All() {
			if name != "function" && !slices.Contains(keys, name) {
				out.Set(name, v)
			}
		}
		for _, name := range keys {
			if v, has := function.Get(name); has {
				out.Set(name, v)
			}
		}
		return out.Value(), true
	}
	function := &value.Object{}
	for name, v := range o.All() {
		if slices.Contains(keys, name) {
			function.Set(name, v)
		} else {
			out.Set(name, v)
		}
	}
	out.Set("function", function.Value())
	return out.Value(), true
}
