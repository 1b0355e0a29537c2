package response

import (
	"strings"
	"unicode/utf8"

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
	lines := kvLines{c: c, text: text, r: r, out: &value.Object{}}
	for at := 0; at <= len(text); {
		end, next := a.next(text, at, &r.steps)
		if err := lines.read(at, end); err != nil {
			return value.Value{}, err
		}
		at = next
	}
	return lines.out.Value(), nil
}

// next gives the end of the line that starts at a byte, and the start of the one
// behind it, beyond the text where there is none; and counts the bytes searched.
func (a *kvArgs) next(text string, at int, steps *int64) (end, next int) {
	rest := text[at:]
	size, separator := len(rest), 1
	if !a.spaces {
		if i := strings.Index(rest, a.line); i >= 0 {
			size, separator = i, len(a.line)
		}
	} else if i := strings.IndexFunc(rest, value.IsSpace); i >= 0 {
		size = i
		_, separator = utf8.DecodeRuneInString(rest[i:])
	}
	*steps += int64(size)
	return at + size, at + size + separator
}

// kvLines are the lines of one text, on their way into an object.
type kvLines struct {
	c     *content
	text  string
	r     *reading
	out   *value.Object
	spans map[string]harmony.Span // with notes: where each key's value came from
}

// cut splits a line into its key and its value, which stands at a byte of it; not
// ok where there is no separator.
func (c *content) cut(raw string) (key, text string, at int, ok bool) {
	line := c.trim(raw)
	rawKey, rawText, ok := strings.Cut(line, c.kv.sep)
	if !ok || c.kv.sepErr != nil {
		return "", "", 0, false
	}
	key, text = c.trim(rawKey), c.trim(rawText)
	// Where a trimmed text first occurs in the text before is where it stands: it
	// does not begin with space.
	at = strings.Index(raw, line) + len(rawKey) + len(c.kv.sep) + strings.Index(rawText, text)
	return key, text, at, true
}

func (l *kvLines) read(at, end int) *Error {
	c, raw := l.c, l.text[at:end]
	line := c.trim(raw)
	if line == "" {
		return nil
	}
	if c.kv.sepErr != nil {
		return c.kv.sepErr
	}
	whole := span(at, end)
	key, text, from, ok := c.cut(raw)
	if !ok {
		if l.r.notes {
			l.r.losses = append(l.r.losses, loss{span: whole, kind: harmony.BadArgs, detail: "this line has no separator"})
		}
		return nil
	}
	if c.kv.subErr != nil {
		return c.kv.subErr
	}
	v := value.String(text)
	if c.sub != nil {
		var err *Error
		if v, err = c.sub.parseAt(at+from, text, l.r); err != nil {
			return err
		}
	}
	if l.r.notes {
		if l.spans == nil {
			l.spans = map[string]harmony.Span{}
		}
		if old, twice := l.spans[key]; twice {
			l.r.losses = append(l.r.losses, loss{span: old, kind: harmony.BadArgs, detail: "the key " + key + " is given again; this value is lost"})
		}
		l.spans[key] = whole
	}
	l.out.Set(key, v)
	return nil
}
