package law

import (
	"strconv"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// kind is what a text of a message is.
type kind string

const (
	kindContent   kind = "content"
	kindReasoning kind = "reasoning"
	kindCall      kind = "the name of a call"
	kindKey       kind = "the name of an argument"
	kindArgument  kind = "an argument"
	kindRefusal   kind = "refusal"
)

// words is a text that a message says, and where it stands in the request.
type words struct {
	message int // its index
	role    string
	kind    kind
	path    string // messages[2].content
	text    string
	number  bool // it was a number
}

// reasoningKeys are the names under which clients send reasoning.
var reasoningKeys = []string{"reasoning_content", "reasoning", "thinking"}

// wordsOf are the texts that messages say, in their order, without those that are
// empty or blank. Ids, types and names of speakers are not among them.
func wordsOf(messages []value.Value) []words {
	var out []words
	for i, m := range messages {
		w := speaker{words{message: i, role: text(m.Get("role"))}, &out}
		at := "messages[" + strconv.Itoa(i) + "]"
		for _, key := range reasoningKeys {
			w.leaf(kindReasoning, at+"."+key, m.Get(key))
		}
		w.content(at+".content", m.Get("content"))
		w.leaf(kindRefusal, at+".refusal", m.Get("refusal"))
		if calls, ok := m.Get("tool_calls").AsArray(); ok {
			for j, call := range calls.All() {
				path := at + ".tool_calls[" + strconv.Itoa(j) + "]"
				if f, ok := call.Get("function").AsObject(); ok {
					call, path = f.Value(), path+".function"
				}
				w.call(path, call)
			}
		}
		if f, ok := m.Get("function_call").AsObject(); ok {
			w.call(at+".function_call", f.Value())
		}
	}
	return out
}

// speaker collects the texts of one message.
type speaker struct {
	words
	out *[]words
}

func (s speaker) add(k kind, path, text string, number bool) {
	if value.Strip(text) == "" {
		return
	}
	w := s.words
	w.kind, w.path, w.text, w.number = k, path, text, number
	*s.out = append(*s.out, w)
}

// leaf adds a text; what is none adds nothing.
func (s speaker) leaf(k kind, path string, v value.Value) { s.add(k, path, text(v), false) }

func (s speaker) content(path string, v value.Value) {
	if parts, ok := v.AsArray(); ok {
		for i, part := range parts.All() {
			at := path + "[" + strconv.Itoa(i) + "]"
			s.leaf(kindContent, at+".text", part.Get("text"))
			s.leaf(kindRefusal, at+".refusal", part.Get("refusal"))
		}
		return
	}
	s.tree(kindContent, path, v)
}

// call adds the name and the arguments of a call. Arguments as a text of JSON
// count as what they say.
func (s speaker) call(path string, call value.Value) {
	s.leaf(kindCall, path+".name", call.Get("name"))
	arguments := call.Get("arguments")
	if t, ok := arguments.AsString(); ok {
		v, err := value.Loads(t)
		if err != nil {
			s.leaf(kindArgument, path+".arguments", arguments)
			return
		}
		arguments = v
	}
	s.tree(kindArgument, path+".arguments", arguments)
}

// keyOf is what the names are in an object of a kind.
func keyOf(k kind) kind {
	if k == kindArgument {
		return kindKey
	}
	return k
}

// tree adds every text and number in a value, and the names of objects.
func (s speaker) tree(k kind, path string, v value.Value) {
	switch v.Kind() {
	case value.KindString:
		s.leaf(k, path, v)
	case value.KindInt, value.KindFloat:
		s.add(k, path, value.Dumps(v), true)
	case value.KindArray:
		a, _ := v.AsArray()
		for i, item := range a.All() {
			s.tree(k, path+"["+strconv.Itoa(i)+"]", item)
		}
	case value.KindObject:
		o, _ := v.AsObject()
		for name, item := range o.All() {
			s.add(keyOf(k), path+"."+name, name, false)
			s.tree(k, path+"."+name, item)
		}
	}
}
