package corpus

import (
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Encode writes cases as a file of the corpus in its one canonical form: keys
// in a fixed order, the input's in the case's own, each on its line; of a list
// each item on its line. Decode gives the same cases back. The error is a value
// that JSON cannot say: a NaN.
func Encode(cases []Case) ([]byte, error) {
	e := encoder{dst: []byte("[")}
	for i := range cases {
		if i > 0 {
			e.dst = append(e.dst, ',')
		}
		e.dst = append(e.dst, "\n  "...)
		if err := e.encode(&cases[i], "  "); err != nil {
			return nil, err
		}
	}
	if len(cases) > 0 {
		e.dst = append(e.dst, '\n')
	}
	return append(e.dst, "]\n"...), nil
}

// EncodeOne writes one case as Encode does, alone and not in a list.
func EncodeOne(c Case) ([]byte, error) {
	var e encoder
	if err := e.encode(&c, ""); err != nil {
		return nil, err
	}
	return append(e.dst, '\n'), nil
}

type encoder struct {
	dst []byte
	nan bool // a NaN was met
}

func (e *encoder) encode(c *Case, indent string) error {
	e.dst = append(e.dst, '{')
	sep := "\n"
	member := func(name string, v value.Value) {
		e.dst = append(e.dst, sep+indent+"  "...)
		e.string(name)
		e.dst = append(e.dst, ": "...)
		e.lines(v, indent+"    ")
		sep = ",\n"
	}
	for _, m := range []struct{ name, text string }{
		{"id", c.ID}, {"source", c.Source}, {"why", c.Why}, {"format", c.Format}, {"domain", string(c.Domain)},
		{"decision", c.Decision}, {"kind", string(c.Kind)}, {"checkpoint", c.Checkpoint}, {"checkpoint_hash", c.CheckpointHash},
	} {
		if m.text != "" {
			member(m.name, value.String(m.text))
		}
	}
	for name, v := range c.Input.All() {
		member(name, v)
	}
	if c.Want != nil {
		want, ok := c.Want.object(c.Kind != Parse)
		if !ok {
			return fmt.Errorf("corpus: the want of case %s is %s, which no case can want", c.ID, c.Want.Kind)
		}
		if !c.Stream.IsNull() {
			want.Set("stream", c.Stream)
		}
		member("want", want.Value())
	}
	e.dst = append(e.dst, "\n"+indent+"}"...)
	if e.nan {
		return fmt.Errorf("corpus: case %s holds a NaN, which JSON cannot say", c.ID)
	}
	return nil
}

// object writes a value or an error in the form of a want; ok is false for
// outcomes that are neither. needText tells that an error has its text, also
// an empty one.
func (o *Outcome) object(needText bool) (obj *value.Object, ok bool) {
	obj = &value.Object{}
	switch o.Kind {
	case OK:
		obj.Set("value", o.Value)
	case Raised:
		e := &value.Object{}
		e.Set("class", value.String(o.Class))
		if o.Message != "" || needText {
			e.Set("message", value.String(o.Message))
		}
		obj.Set("error", e.Value())
	default:
		return nil, false
	}
	return obj, true
}

// lines writes a list of objects one a line, anything else on this line.
func (e *encoder) lines(v value.Value, indent string) {
	list, _ := v.AsArray()
	if list.Len() == 0 || list.At(0).Kind() != value.KindObject {
		e.value(v)
		return
	}
	sep := "[\n"
	for _, item := range list.All() {
		e.dst = append(e.dst, sep+indent...)
		e.value(item)
		sep = ",\n"
	}
	e.dst = append(e.dst, "\n"+indent[2:]+"]"...)
}

// value writes a value on one line.
func (e *encoder) value(v value.Value) {
	switch v.Kind() {
	case value.KindArray:
		list, _ := v.AsArray()
		e.dst = append(e.dst, '[')
		for i, item := range list.All() {
			e.separate(i)
			e.value(item)
		}
		e.dst = append(e.dst, ']')
	case value.KindObject:
		o, _ := v.AsObject()
		e.dst = append(e.dst, '{')
		for i := range o.Len() {
			e.separate(i)
			e.string(o.At(i).Name)
			e.dst = append(e.dst, ": "...)
			e.value(o.At(i).Value)
		}
		e.dst = append(e.dst, '}')
	case value.KindString:
		s, _ := v.AsString()
		e.string(s)
	case value.KindFloat:
		f, _ := v.AsFloat()
		switch {
		case math.IsNaN(f):
			e.nan = true
		case math.IsInf(f, 1):
			e.dst = append(e.dst, "1e999"...) // which is read as an infinity
		case math.IsInf(f, -1):
			e.dst = append(e.dst, "-1e999"...)
		default:
			e.dst = value.AppendFloat(e.dst, f)
		}
	default:
		e.dst = value.Append(e.dst, v, value.PyDumps)
	}
}

func (e *encoder) separate(i int) {
	if i > 0 {
		e.dst = append(e.dst, ", "...)
	}
}

// string writes text as a JSON string in which what a reader could not see, or
// what UTF-8 cannot hold, is escaped.
func (e *encoder) string(s string) {
	e.dst = append(e.dst, '"')
	for len(s) > 0 {
		n := 0 // the length of the text that stands as it is
		for n < len(s) {
			r, size := utf8.DecodeRuneInString(s[n:])
			if r == '"' || r == '\\' || !unicode.IsPrint(r) || r == utf8.RuneError {
				break
			}
			n += size
		}
		e.dst = append(e.dst, s[:n]...)
		if s = s[n:]; s == "" {
			break
		}
		size := firstLen(s)
		at := len(e.dst)
		e.dst = value.PyDumps.AppendString(e.dst, s[:size])
		e.dst = append(e.dst[:at], e.dst[at+1:len(e.dst)-1]...) // without its quotes
		s = s[size:]
	}
	e.dst = append(e.dst, '"')
}
