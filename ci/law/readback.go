package law

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// loss is one way in which a turn that was read back is not the one that was
// written.
type loss struct {
	cause         string // what is lost, without the case's own names
	level         report.Level
	message       string
	written, read string
}

// losses compares the message that was rendered with the one that was read. What
// the chat template did not write into the turn is not held against reading it.
// tools say which arguments have a type.
func (t *turn) losses(got value.Value) []loss {
	t.got = got
	out := t.textLoss(nil, "content", flat(t.message.Get("content")), got.Get("content"))
	for _, key := range reasoningKeys {
		want := t.message.Get(key)
		if want.Kind() != value.KindString {
			continue
		}
		var read value.Value
		for _, other := range reasoningKeys {
			if v := got.Get(other); !v.IsNull() {
				read = v
			}
		}
		out = t.textLoss(out, "reasoning", text(want), read)
		break
	}
	return append(out, t.callLosses(got.Get("tool_calls"))...)
}

// flat is content as one text.
func flat(content value.Value) string {
	parts, ok := content.AsArray()
	if !ok {
		return text(content)
	}
	var b strings.Builder
	for _, part := range parts.All() {
		b.WriteString(text(part.Get("text")))
	}
	return b.String()
}

// textLoss compares a text of the message.
func (t *turn) textLoss(to []loss, what, want string, got value.Value) []loss {
	read := flat(got)
	bare := value.Strip(want)
	switch {
	case read == want:
		return to
	case value.Strip(read) == bare:
		return append(to, loss{"white space at the ends of the " + what, report.Warning,
			"the white space at the ends of the " + what + " is not read back", quote(want), quote(read)})
	case bare != "" && !t.wrote(bare):
		return to // the chat template left it out, or wrote it otherwise
	case read == "" && t.elsewhere(bare) != "":
		other := t.elsewhere(bare)
		return append(to, loss{what + " is read as " + other, "", "the " + what + " of the turn is read back as " + other, quote(want), other})
	case read == "":
		return append(to, loss{what + " is lost", "", "the " + what + " is lost when the turn is read back", quote(want), "nothing"})
	case bare != "" && strings.HasSuffix(read, bare) && t.prompted(strings.TrimSuffix(read, bare)), bare == "" && t.prompted(read):
		return append(to, loss{"the prompt is read as " + what, "", "text of the prompt is read as " + what + " of the turn: the start anchor is not found where the turn begins", quote(want), quote(read)})
	case want == "":
		return append(to, loss{what + " appears", "", "the turn has no " + what + ", and some is read", "nothing", quote(read)})
	case strings.Contains(want, read):
		return append(to, loss{"part of the " + what + " is lost", "", "a part of the " + what + " is lost when the turn is read back", quote(want), quote(read)})
	}
	return append(to, loss{what + " is changed", "", "the " + what + " is another when the turn is read back", quote(want), quote(read)})
}

// prompted tells whether a text stands near the end of the prompt.
func (t *turn) prompted(text string) bool {
	text = value.Strip(text)
	return text != "" && strings.Contains(t.prompt, text)
}

// elsewhere names the field of what was read that is just this text.
func (t *turn) elsewhere(bare string) string {
	o, _ := t.got.AsObject()
	for key, v := range o.All() {
		if value.Strip(text(v)) == bare && bare != "" {
			return key
		}
	}
	return ""
}

// wrote tells whether the turn holds a text, as it is or as JSON has it.
func (t *turn) wrote(text string) bool {
	return strings.Contains(t.text, text) || strings.Contains(t.text, quoted(text, value.PyDumps))
}

func quote(text string) string { return value.Dumps(value.String(text)) }

// function is the part of a call that says what is called.
func function(call value.Value) value.Value {
	if f, ok := call.Get("function").AsObject(); ok {
		return f.Value()
	}
	return call
}

// callLosses compares the calls one by one.
func (t *turn) callLosses(got value.Value) (out []loss) {
	wanted, _ := t.message.Get("tool_calls").AsArray()
	read, _ := got.AsArray()
	named := map[string]int{}
	for i, call := range wanted.All() {
		name := text(function(call).Get("name"))
		if named[name]++; strings.Count(t.text, name) < named[name] {
			return out // the chat template left it out: a law of prompts tells it
		}
		if i >= read.Len() {
			return append(out, loss{"a call is lost", "", fmt.Sprintf("call %d of %d, %s, is lost when the turn is read back", i+1, wanted.Len(), name), value.Dumps(function(call)), value.Dumps(got)})
		}
		is := function(read.At(i))
		if found := text(is.Get("name")); found != name {
			out = append(out, loss{"the name of a call", "", fmt.Sprintf("the name of the call, %q, reads back as %q", name, found), quote(name), quote(found)})
			continue
		}
		out = append(out, t.argumentLosses(name, arguments(function(call).Get("arguments")), arguments(is.Get("arguments")))...)
	}
	if n := read.Len(); n > wanted.Len() {
		out = append(out, loss{"a call appears", "", fmt.Sprintf("the turn has %d calls, and %d are read", wanted.Len(), n), fmt.Sprint(wanted.Len()), value.Dumps(got)})
	}
	return out
}

// arguments are what a call is called with; as a text of JSON they count as what
// it says.
func arguments(v value.Value) value.Value {
	if s, ok := v.AsString(); ok {
		if s == "" {
			return value.Members()
		}
		if read, err := value.Loads(s); err == nil {
			return read
		}
	}
	return v
}

func (t *turn) argumentLosses(name string, want, got value.Value) (out []loss) {
	wanted, ok := want.AsObject()
	read, isObject := got.AsObject()
	if !ok {
		return nil
	}
	if !isObject {
		return []loss{{"the arguments", "", fmt.Sprintf("the arguments of %s read back as %s", name, got.Kind().PyType()), value.Dumps(want), value.Dumps(got)}}
	}
	for key, was := range wanted.All() {
		is, has := read.Get(key)
		if !has {
			out = append(out, loss{"an argument is lost: " + was.Kind().PyType(), "", fmt.Sprintf("the argument %q of %s is lost when the turn is read back", key, name), value.Dumps(was), value.Dumps(got)})
			continue
		}
		if l, differs := argumentLoss(key, was, is, t.schema(name, key)); differs {
			out = append(out, l)
		}
	}
	for key, is := range read.All() {
		if _, has := wanted.Get(key); !has {
			out = append(out, loss{"an argument appears", "", fmt.Sprintf("an argument %q is read that %s was not called with", key, name), value.Dumps(want), value.Dumps(is)})
		}
	}
	return out
}

// schema is what the tools say of a parameter.
func (t *turn) schema(name, key string) value.Value {
	list, _ := t.tools.AsArray()
	for _, tool := range list.All() {
		if f := function(tool); text(f.Get("name")) == name {
			return f.Get("parameters").Get("properties").Get(key)
		}
	}
	return value.Value{}
}

// argumentLoss compares one argument.
func argumentLoss(key string, was, is, schema value.Value) (l loss, differs bool) {
	if value.Dumps(was) == value.Dumps(is) {
		return l, false
	}
	l.written, l.read = value.Dumps(was), value.Dumps(is)
	if value.Dumps(inOrder(was)) == value.Dumps(inOrder(is)) {
		return loss{"the order of members", report.Note, fmt.Sprintf("the members of the argument %q come back in another order, as the chat template wrote them", key), l.written, l.read}, true
	}
	typed := !schema.Get("type").IsNull() || !schema.Get("anyOf").IsNull() || !schema.Get("oneOf").IsNull()
	wasText, isText := was.Kind() == value.KindString, is.Kind() == value.KindString
	switch {
	case wasText && isText && value.Strip(text(was)) == value.Strip(text(is)):
		return loss{"white space at the ends of an argument", report.Warning, fmt.Sprintf("the white space at the ends of the argument %q is not read back", key), l.written, l.read}, true
	case !wasText && isText && !typed:
		return loss{"an argument without a type in its schema: " + was.Kind().PyType(), report.Warning, fmt.Sprintf("the argument %q is read back as a text: the format writes %s as it writes a text, and the tool's schema has no type for it", key, was.Kind().PyType()), l.written, l.read}, true
	case !wasText && isText:
		return loss{"the type of an argument: " + was.Kind().PyType(), "", fmt.Sprintf("the argument %q (%s) is read back as a text, although the tool's schema has its type", key, was.Kind().PyType()), l.written, l.read}, true
	case wasText && !isText:
		return loss{"a text becomes another type", "", fmt.Sprintf("the text of the argument %q is read back as %s", key, is.Kind().PyType()), l.written, l.read}, true
	}
	return loss{"an argument is changed: " + was.Kind().PyType(), "", fmt.Sprintf("the argument %q is another when the turn is read back", key), l.written, l.read}, true
}

// inOrder is a value with the members of its objects in the order of their names.
func inOrder(v value.Value) value.Value {
	if a, ok := v.AsArray(); ok {
		list := value.List()
		out, _ := list.AsArray()
		for _, item := range a.All() {
			out.Append(inOrder(item))
		}
		return list
	}
	o, ok := v.AsObject()
	if !ok {
		return v
	}
	var members []value.Member
	for name, item := range o.All() {
		members = append(members, value.Member{Name: name, Value: inOrder(item)})
	}
	slices.SortFunc(members, func(a, b value.Member) int { return strings.Compare(a.Name, b.Name) })
	return value.Members(members...)
}
