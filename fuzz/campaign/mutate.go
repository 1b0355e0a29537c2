package campaign

import (
	"regexp"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// mutate changes an entry of the corpus one to three times. other gives another
// entry to take parts from. The result need not be a case.
func mutate(s *fuzz.Source, c corpus.Case, other func() corpus.Case) corpus.Case {
	in, _ := c.Input.Value().Clone().AsObject()
	out := corpus.Case{Kind: c.Kind, Format: c.Format, Input: in}
	for range 1 + s.N(3) {
		if out.Kind == corpus.Parse && !s.OneIn(3) {
			mutateReply(s, in, other())
		} else {
			mutateTree(s, in, other())
		}
	}
	return out
}

// pieces of a reply: markers, tags, runs of space, and what stands between.
var pieces = regexp.MustCompile(`<\|[^|<>]*\|>|</?[^<>\s]+[^<>]*>|\s+|[^<\s]+|<`)

// mutateReply changes the reply at its markers, and drops cuts that no longer
// stand in it.
func mutateReply(s *fuzz.Source, in *value.Object, other corpus.Case) {
	text, _ := get(in, "reply").AsString()
	parts := pieces.FindAllString(text, -1)
	if len(parts) == 0 {
		parts = []string{""}
	}
	i, j := s.N(len(parts)), s.N(len(parts))
	switch s.N(7) {
	case 0:
		parts = slices.Delete(parts, min(i, j), min(i, j)+1+s.N(min(4, len(parts)-min(i, j))))
	case 1:
		parts = slices.Insert(parts, i, parts[j])
	case 2:
		parts[i], parts[j] = parts[j], parts[i]
	case 3:
		parts = parts[:i+1]
	case 4:
		parts[i] = anyText(s)
	case 5:
		theirs, _ := get(other.Input, "reply").AsString()
		more := pieces.FindAllString(theirs, -1)
		if len(more) > 0 {
			parts = append(parts[:i:i], more[s.N(len(more)):]...)
		}
	default:
		parts = slices.Insert(parts, i, anyText(s))
	}
	reply := strings.Join(parts, "")
	in.Set("reply", value.String(reply))
	in.Delete("chunks")
	if n := value.Len(reply); n > 1 && s.OneIn(2) {
		in.Set("chunks", fuzz.Pick(s, value.Int(1), value.Int(3), value.List(value.Int(int64(1+s.N(n-1))))))
	}
}

// mutateTree changes one value of the input: not of a template, whose text has
// a grammar of its own.
func mutateTree(s *fuzz.Source, in *value.Object, other corpus.Case) {
	var names []string
	for name := range in.All() {
		if name != "chat_template" && name != "response_template" && name != "reply" && name != "chunks" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	name := fuzz.Pick(s, names...)
	if theirs, ok := other.Input.Get(name); ok && s.OneIn(8) {
		in.Set(name, theirs.Clone())
		return
	}
	v, _ := in.Get(name)
	in.Set(name, mutateValue(s, v, get(other.Input, name)))
}

// mutateValue goes down into the value, half of the times at each step, and
// changes what it comes to.
func mutateValue(s *fuzz.Source, v, other value.Value) value.Value {
	if list, ok := v.AsArray(); ok && list.Len() > 0 {
		i := s.N(list.Len())
		if !s.OneIn(3) {
			list.Set(i, mutateValue(s, list.At(i), other))
			return v
		}
		items := make([]value.Value, 0, list.Len()+1)
		for _, item := range list.All() {
			items = append(items, item)
		}
		j := s.N(list.Len())
		switch s.N(4) {
		case 0:
			items = slices.Delete(items, i, i+1)
		case 1:
			items = slices.Insert(items, j, items[i].Clone())
		case 2:
			items[i], items[j] = items[j], items[i]
		default:
			if theirs, ok := other.AsArray(); ok && theirs.Len() > 0 {
				items = slices.Insert(items, i, theirs.At(s.N(theirs.Len())).Clone())
			}
		}
		return value.List(items...)
	}
	if o, ok := v.AsObject(); ok && o.Len() > 0 {
		m := o.At(s.N(o.Len()))
		switch {
		case !s.OneIn(4):
			o.Set(m.Name, mutateValue(s, m.Value, other))
		case s.OneIn(2):
			o.Delete(m.Name)
		default:
			o.Set(anyText(s), m.Value.Clone())
		}
		return v
	}
	text, isText := v.AsString()
	switch n := s.N(8); {
	case isText && n < 3:
		return value.String(text + anyText(s))
	case isText && n < 5:
		return value.String(anyText(s) + text)
	case n < 6:
		return value.String(anyText(s))
	}
	return fuzz.Pick(s, value.Null(), value.Bool(true), value.Bool(false), value.Int(0), value.Int(1<<53+1), value.Float(1.5), value.String(""), value.List(), value.Members())
}

func get(o *value.Object, key string) value.Value {
	v, _ := o.Get(key)
	return v
}

// markers are those of the formats that stand in cases.
var markers = []string{"<|start|>", "<|message|>", "<|channel|>", "<|constrain|>", "<|call|>", "<|end|>", "<|return|>", "<rfl:parameter name=\"", "</rfl:parameter>", "<think>", "</think>", "<tool_call>", "</tool_call>"}

// anyText is a marker, or text of any kind.
func anyText(s *fuzz.Source) string {
	if s.OneIn(4) {
		return fuzz.Pick(s, markers...)
	}
	return fuzz.Text(s, markers, func(fuzz.TextKind) {})
}
