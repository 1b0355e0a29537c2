package render

import (
	"maps"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

var variants = []variant{
	{"ids are renamed", renameIDs},
	{"an instruction is split in two", splitInstruction},
	{"two instructions are joined", joinInstructions},
	{"system and developer change places", each(func(_ *fuzz.Source, m *value.Object) bool {
		role, _ := textOf(m, "role")
		other, ok := map[string]string{harmony.System: harmony.Developer, harmony.Developer: harmony.System}[role]
		if ok {
			m.Set("role", value.String(other))
		}
		return ok
	})},
	{"late instructions are left out", leaveOutLate},
	{"no content is said otherwise", each(emptyOtherwise)},
	{"a content is cut into parts", each(inParts)},
	{"a content's parts are joined", each(inOneText)},
	{"reasoning is under other names", each(otherField)},
	{"no reasoning is said otherwise", each(noField)},
	{"no calls are said otherwise", each(noCalls)},
	{"keys are in another order", each(otherOrder)},
	{"there are more keys", each(moreKeys)},
	{"calls are wrapped otherwise", each(wrappedOtherwise)},
	{"tools are wrapped otherwise", func(_ *fuzz.Source, request *value.Object) (changed bool) {
		tools, _ := request.Get("tools")
		list, _ := tools.AsArray()
		for i, tool := range list.All() {
			o, _ := tool.AsObject()
			if wrapped, ok := otherWrap(o, "description", "parameters"); ok {
				list.Set(i, wrapped)
				changed = true
			}
		}
		return changed
	}},
	{"results are named", nameResults},
	{"arguments of the template are said otherwise", otherArguments},
	{"no tools are said otherwise", func(s *fuzz.Source, request *value.Object) bool {
		tools, _ := request.Get("tools")
		list, isList := tools.AsArray()
		if !tools.IsNull() && (!isList || list.Len() > 0) {
			return false
		}
		request.Delete("tools")
		if s.OneIn(2) {
			request.Set("tools", fuzz.Pick(s, value.Null(), value.List()))
		}
		return true
	}},
}

// renameIDs gives all ids of calls new names, and the results with them.
func renameIDs(s *fuzz.Source, request *value.Object) (changed bool) {
	names := map[string]string{}
	rename := func(o *value.Object, key string) {
		id, ok := textOf(o, key)
		if !ok {
			return
		}
		if names[id] == "" {
			names[id] = fuzz.Pick(s, "z", "call_", "<|end|>", "é") + strings.Repeat("1", len(names)+1)
		}
		o.Set(key, value.String(names[id]))
		changed = true
	}
	for _, m := range messages(request) {
		rename(m, "tool_call_id")
		calls, _ := m.Get("tool_calls")
		list, _ := calls.AsArray()
		for _, call := range list.All() {
			if o, ok := call.AsObject(); ok {
				rename(o, "id")
			}
		}
	}
	return changed
}

// instructions counts the instructions at the start.
func instructions(list []*value.Object) int {
	n := slices.IndexFunc(list, func(m *value.Object) bool {
		role, _ := textOf(m, "role")
		return role != harmony.System && role != harmony.Developer
	})
	if n < 0 {
		return len(list)
	}
	return n
}

// splitInstruction cuts an instruction at the start at a blank line, which is what
// stands between two of them.
func splitInstruction(_ *fuzz.Source, request *value.Object) bool {
	list := messages(request)
	for i, m := range list[:instructions(list)] {
		text, _ := textOf(m, "content")
		first, rest, found := strings.Cut(text, "\n\n")
		if !found || first == "" || rest == "" {
			continue
		}
		second := &value.Object{}
		second.Set("role", value.String(harmony.System))
		second.Set("content", value.String(rest))
		m.Set("content", value.String(first))
		setMessages(request, slices.Insert(list, i+1, second))
		return true
	}
	return false
}

// joinInstructions makes one of two instructions at the start.
func joinInstructions(_ *fuzz.Source, request *value.Object) bool {
	list := messages(request)
	for i := 1; i < instructions(list); i++ {
		first, _ := textOf(list[i-1], "content")
		second, _ := textOf(list[i], "content")
		if first == "" || second == "" {
			continue
		}
		list[i].Set("content", value.String(first+"\n\n"+second))
		setMessages(request, slices.Delete(list, i-1, i))
		return true
	}
	return false
}

// leaveOutLate takes out the instructions behind other messages, which are not
// rendered.
func leaveOutLate(_ *fuzz.Source, request *value.Object) bool {
	list := messages(request)
	n := instructions(list)
	kept := list[:n:n]
	for _, m := range list[n:] {
		if instructions([]*value.Object{m}) == 0 {
			kept = append(kept, m)
		}
	}
	setMessages(request, kept)
	return len(kept) < len(list)
}

// nameResults gives each result the name that its id stands for, unless two tools
// of one turn are called with it.
func nameResults(_ *fuzz.Source, request *value.Object) (changed bool) {
	names := map[string]string{} // by the nearest turn that has the id
	for _, m := range messages(request) {
		switch role, _ := textOf(m, "role"); role {
		case harmony.Assistant:
			maps.Copy(names, calledBy(m))
		case harmony.Tool:
			id, _ := textOf(m, "tool_call_id")
			name, _ := m.Get("name")
			if text, isText := name.AsString(); (name.IsNull() || isText && text == "") && names[id] != "" {
				m.Set("name", value.String(names[id]))
				changed = true
			}
		}
	}
	return changed
}

// calledBy gives the names of the tools that a turn calls, by id: "" where an id
// stands for two.
func calledBy(m *value.Object) map[string]string {
	names := map[string]string{}
	calls, _ := m.Get("tool_calls")
	list, _ := calls.AsArray()
	for _, call := range list.All() {
		function := call
		if f := call.Get("function"); !f.IsNull() {
			function = f
		}
		id, ok := call.Get("id").AsString()
		name, _ := function.Get("name").AsString()
		if other, twice := names[id]; twice && other != name {
			name = ""
		}
		if ok {
			names[id] = name
		}
	}
	return names
}

// otherArguments says the template's arguments in another way: their defaults, or
// a label as its number.
func otherArguments(s *fuzz.Source, request *value.Object) bool {
	efforts := map[string]int64{"minimal": 8, "low": 32, "medium": 64, "high": 128, "xhigh": 256, "max": 512}
	if label, ok := textOf(request, "reasoning_effort"); ok && efforts[label] > 0 {
		request.Set("reasoning_effort", value.Int(efforts[label]))
	}
	for _, a := range []struct {
		name   string
		values []value.Value
	}{
		{"reasoning_effort", []value.Value{value.Null(), value.Int(512), value.String("max")}},
		{"model_identity", []value.Value{value.Null(), value.String("You are Beam, an AI assistant trained by Reflection.")}},
		{"builtin_tools", []value.Value{value.Null(), value.List()}},
		{"allow_missing_thinking", []value.Value{value.Null(), value.Bool(true)}},
		{"add_generation_prompt", []value.Value{value.Bool(true)}},
	} {
		now, has := request.Get(a.name)
		if !has || slices.ContainsFunc(a.values, func(v value.Value) bool { return value.Equal(v, now) }) {
			request.Delete(a.name)
			if s.OneIn(2) {
				request.Set(a.name, fuzz.Pick(s, a.values...))
			}
		}
	}
	request.Set("date", value.String("2030-01-01"))
	return true
}
