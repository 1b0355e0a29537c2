package engine

import (
	"fmt"
	"strconv"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/coverage"
)

// Protocol is the version of the protocol.
const Protocol = 1

// maxDepth is the nesting that is read from an engine: more than any of them
// writes, so that a deep value is compared and not refused.
const maxDepth = 200_000

// members writes what follows the id in a request.
func members(op Op, key string, o *value.Object) []byte {
	b := value.PyDumps.AppendString([]byte(`, "op": `), string(op))
	if key != "" {
		b = value.PyDumps.AppendString(append(b, ", "...), key)
		b = value.Append(append(b, ": "...), o.Value(), value.PyDumps)
	}
	return append(b, "}\n"...)
}

// line writes a request: v, id and op come first, in this order.
func line(id int64, rest []byte) []byte {
	b := append(make([]byte, 0, len(rest)+32), `{"v": 1, "id": `...)
	return append(strconv.AppendInt(b, id, 10), rest...)
}

// answer is one line from an engine.
type answer struct {
	id     int64
	out    corpus.Outcome
	points []coverage.Point
}

// decode reads an answer. What it complains of is a broken protocol.
func decode(b []byte) (answer, error) {
	v, err := value.LoadOptions{MaxDepth: maxDepth}.Loads(string(b))
	if err != nil {
		return answer{}, fmt.Errorf("a line is not JSON: %w: %s", err, excerpt(b))
	}
	id, ok := v.Get("id").AsInt()
	if !ok {
		return answer{}, fmt.Errorf("an answer has no id: %s", excerpt(b))
	}
	a := answer{id: id}
	o, _ := v.AsObject()
	given := 0
	if x, has := o.Get("ok"); has {
		a.out = corpus.Outcome{Kind: corpus.OK, Value: x, Offset: -1}
		given++
	}
	if x, has := o.Get("error"); has {
		class, ok1 := x.Get("class").AsString()
		message, ok2 := x.Get("message").AsString()
		if !ok1 || !ok2 || class == "" {
			return a, fmt.Errorf("an error has no class or no message: %s", excerpt(b))
		}
		a.out = corpus.Outcome{Kind: corpus.Raised, Class: class, Message: message, Offset: -1}
		given++
	}
	if x, has := o.Get("cannot"); has {
		why, ok := x.AsString()
		if !ok {
			return a, fmt.Errorf("cannot is not a text: %s", excerpt(b))
		}
		a.out = corpus.Outcome{Kind: corpus.Cannot, Why: why, Offset: -1}
		given++
	}
	if given != 1 {
		return a, fmt.Errorf("an answer has %d of ok, error and cannot, not one: %s", given, excerpt(b))
	}
	if a.points, err = decodePoints(v.Get("coverage")); err != nil {
		return a, fmt.Errorf("%w: %s", err, excerpt(b))
	}
	return a, nil
}

// check complains of a value that is not of its operation's shape.
func check(op Op, v value.Value) error {
	kinds := func(v value.Value, keys ...any) bool {
		for i := 0; i < len(keys); i += 2 {
			if v.Get(keys[i].(string)).Kind() != keys[i+1].(value.Kind) {
				return false
			}
		}
		return v.Kind() == value.KindObject
	}
	ok := true
	switch op {
	case OpRender:
		ok = v.Kind() == value.KindString
	case OpParse:
		ok = v.Kind() == value.KindObject
	case OpStream:
		ok = kinds(v, "initial", value.KindArray, "feeds", value.KindArray, "final", value.KindArray, "message", value.KindObject)
	case OpEncode:
		ok = kinds(v, "text", value.KindString) && tokens(v, "input_ids")
	case OpCoverage:
		ok = kinds(v, "existing", value.KindObject, "reached", value.KindArray)
	case OpMask:
		ok = kinds(v, "text", value.KindString, "spans", value.KindArray) && tokens(v, "input_ids", "offsets", "assistant_masks")
	}
	if !ok {
		return fmt.Errorf("the value is not what %s answers: %s", op, excerpt([]byte(value.Dumps(v))))
	}
	return nil
}

// tokens tells whether an answer has all of the keys or none, each with as many
// items.
func tokens(v value.Value, keys ...string) bool {
	first, _ := v.Get(keys[0]).AsArray()
	for _, key := range keys {
		x := v.Get(key)
		list, ok := x.AsArray()
		if x.IsNull() != v.Get(keys[0]).IsNull() || !ok && !x.IsNull() || list.Len() != first.Len() {
			return false
		}
	}
	return true
}

// decodeInfo reads the value of info and open.
func decodeInfo(v value.Value) (Info, error) {
	if v.Kind() != value.KindObject {
		return Info{}, fmt.Errorf("info is not an object but %s", v.Kind())
	}
	in := Info{}
	var err error
	text := func(key string, to *string) {
		x := v.Get(key)
		if s, ok := x.AsString(); ok {
			*to = s
		} else if !x.IsNull() {
			err = fmt.Errorf("info: %s is not a text but %s", key, x.Kind())
		}
	}
	texts := func(key string, to *[]string) {
		x := v.Get(key)
		a, ok := x.AsArray()
		for _, item := range a.All() {
			s, isText := item.AsString()
			ok = ok && isText
			*to = append(*to, s)
		}
		if !ok && !x.IsNull() {
			err = fmt.Errorf("info: %s is not a list of texts", key)
		}
	}
	text("name", &in.Name)
	text("checkpoint", &in.Checkpoint)
	text("checkpoint_hash", &in.CheckpointHash)
	texts("formats", &in.Formats)
	texts("abilities", &in.Abilities)
	texts("notes", &in.Notes)
	if in.Name == "" && err == nil {
		err = fmt.Errorf("info: name is missing")
	}
	versions, _ := v.Get("versions").AsObject()
	for name, x := range versions.All() {
		s, ok := x.AsString()
		if !ok && err == nil {
			err = fmt.Errorf("info: the version of %s is not a text", name)
		}
		in.Versions = append(in.Versions, Version{name, s})
	}
	return in, err
}

// excerpt shows the start of a line, quoted.
func excerpt(b []byte) string {
	const most = 120
	if len(b) > most {
		return strconv.Quote(string(b[:most])) + fmt.Sprintf("… (%d bytes)", len(b))
	}
	return strconv.Quote(string(b))
}
