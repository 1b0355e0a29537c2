package conversation

import (
	"maps"
	"slices"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// place is a value inside a request: a member of an object, or an item of a list.
type place struct {
	object *value.Object
	key    string
	list   *value.Array
	index  int
}

func (p place) get() value.Value {
	if p.list != nil {
		return p.list.At(p.index)
	}
	v, _ := p.object.Get(p.key)
	return v
}

func (p place) set(v value.Value) {
	if p.list != nil {
		p.list.Set(p.index, v)
	} else {
		p.object.Set(p.key, v)
	}
}

// places are all of them in a value.
func places(found []place, v value.Value) []place {
	list, _ := v.AsArray()
	for i, item := range list.All() {
		found = places(append(found, place{list: list, index: i}), item)
	}
	o, _ := v.AsObject()
	for key, item := range o.All() {
		found = places(append(found, place{object: o, key: key}), item)
	}
	return found
}

// odd are values where something else is wanted.
var odd = []string{"null", "true", "false", "0", "5", "-1.5", "1e400", "NaN", `""`, `"a"`, `"text"`, `"object"`, `"assistant"`, `"<|channel|>"`, "[]", "{}", "[null]", `["a"]`, `[{}]`, `{"a": 1}`,
	`{"type": "text", "text": "a"}`, `[{"type": "text", "text": "a"}]`, `{"": 1}`, `[[[[]]]]`, `{"properties": {"a": true}}`, `{"function": {}}`, `"\ud800"`, `" "`}

// keys are what may stand in another's place.
var keys = []string{"role", "content", "type", "text", "name", "id", "tool_call_id", "tool_calls", "function", "arguments", "parameters", "properties", "required", "items", "enum", "const", "anyOf",
	"allOf", "oneOf", "nullable", "default", "description", "examples", "thinking", "reasoning", "reasoning_content", "$ref", "command", "refusal", "x"}

// Mutate is a conversation that is damaged at one to three places: a value is
// replaced by an odd one or by one from elsewhere, put into a list or an object, left
// out, or stands under another key. Messages and tools stay lists of objects.
func Mutate(s *fuzz.Source, c *Conversation) *Conversation {
	in, _ := c.Input.Value().Clone().AsObject()
	traits := map[string]bool{"careless": true}
	for _, trait := range c.Traits {
		traits[trait] = true
	}
	for n := s.N(3); n >= 0; n-- {
		var inside []place // of the messages, the tools and the arguments
		for name, v := range in.All() {
			if name != "messages" && name != "tools" {
				inside = append(inside, place{object: in, key: name})
				continue
			}
			list, _ := v.AsArray()
			for _, item := range list.All() {
				inside = places(inside, item)
			}
		}
		if len(inside) == 0 {
			break
		}
		p, other := inside[s.N(len(inside))], inside[s.N(len(inside))]
		if p.object == in && !fits(p.key) {
			continue
		}
		traits["mutation="+change(s, p, other)] = true
	}
	return &Conversation{Input: in, Traits: slices.Sorted(maps.Keys(traits))}
}

// fits tells whether an argument of a case may be anything.
func fits(key string) bool {
	return key == "reasoning_effort" || key == "model_identity" || key == "builtin_tools" || key == "allow_missing_thinking"
}

// change damages one place, and names how.
func change(s *fuzz.Source, p, other place) string {
	switch s.N(6) {
	case 0:
		p.set(other.get().Clone())
		return "from elsewhere"
	case 1:
		p.set(fuzz.Pick(s, value.List(p.get()), value.Members(value.Member{Name: fuzz.Pick(s, keys...), Value: p.get()})))
		return "wrapped"
	case 2:
		if p.object != nil {
			p.object.Delete(p.key)
			return "left out"
		}
	case 3:
		if p.object != nil {
			v := p.get()
			p.object.Delete(p.key)
			p.object.Set(fuzz.Pick(s, keys...), v)
			return "under another key"
		}
		p.list.Append(other.get().Clone())
		return "more items"
	}
	p.set(parse(fuzz.Pick(s, odd...)))
	return "odd value"
}
