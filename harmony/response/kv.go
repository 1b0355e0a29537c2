package response

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// kvArgs are the arguments of kv-lines: one key and value a line.
type kvArgs struct {
	line    string
	spaces  bool   // line_sep is null: split at runs of space
	lineErr *Error // raised on use
	sep     string
	sepErr  *Error // raised at the first line that is not empty
	subErr  *Error // of value_parser
}

func newKVArgs(o *value.Object) *kvArgs {
	a := &kvArgs{line: "\n", sep: ":"}
	if v, ok := o.Get("line_sep"); ok {
		switch s, isText := v.AsString(); {
		case v.IsNull():
			a.spaces = true
		case !isText:
			a.lineErr = fail(KindType, "must be str or None, not %s", v.Kind().PyType())
		case s == "":
			a.lineErr = fail(KindValue, "empty separator")
		default:
			a.line = s
		}
	}
	if v, ok := o.Get("kv_sep"); ok {
		switch s, isText := v.AsString(); {
		case !isText:
			a.sepErr = fail(KindType, "'in <string>' requires string as left operand, not %s", v.Kind().PyType())
		case s == "":
			a.sepErr = fail(KindValue, "empty separator")
		default:
			a.sep = s
		}
	}
	return a
}

func (c *content) parseKV(text string, r *reading) (value.Value, *Error) {
	a := c.kv
	if a.lineErr != nil {
		return value.Value{}, a.lineErr
	}
	out := &value.Object{}
	var fields []string
	if a.spaces {
		fields = strings.FieldsFunc(text, value.IsSpace)
	}
	for at := 0; ; {
		line, next := "", -1
		if a.spaces {
			if at >= len(fields) {
				break
			}
			line, next = fields[at], at+1
		} else if i := strings.Index(text[at:], a.line); i >= 0 {
			line, next = text[at:at+i], at+i+len(a.line)
		} else {
			line = text[at:]
		}
		if err := c.kvLine(out, line, at, r); err != nil {
			return value.Value{}, err
		}
		if next < 0 {
			break
		}
		at = next
	}
	return out.Value(), nil
}

func (c *content) kvLine(out *value.Object, raw string, at int, r *reading) *Error {
	line := c.trim(raw)
	if line == "" {
		return nil
	}
	if c.kv.sepErr != nil {
		return c.kv.sepErr
	}
	key, text, ok := strings.Cut(line, c.kv.sep)
	if !ok {
		if r.notes && !c.kv.spaces {
			r.losses = append(r.losses, loss{harmony.Span{Start: int64(at), End: int64(at + len(raw))}, harmony.BadArgs, "this line has no separator"})
		}
		return nil
	}
	key, text = c.trim(key), c.trim(text)
	if c.kv.subErr != nil {
		return c.kv.subErr
	}
	v := value.String(text)
	if c.sub != nil {
		var err *Error
		if v, err = c.sub.parse(text, r); err != nil {
			return err
		}
	}
	if _, twice := out.Get(key); twice && r.notes && !c.kv.spaces {
		r.losses = append(r.losses, loss{harmony.Span{Start: int64(at), End: int64(at + len(raw))}, harmony.BadArgs, "the key " + key + " is given again; the value before is lost"})
	}
	out.Set(key, v)
	return nil
}
