package response

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
)

type jsonArgs struct {
	delims       [][2]string
	checked      bool // the text may not hold the sentinels
	err          *Error
	unquotedKeys bool
	allowOther   bool
}

// The sentinels that stand around the number of a string taken out of the text.
const openMark, closeMark = "\x01", "\x02"

func newJSONArgs(o *value.Object) *jsonArgs {
	a := &jsonArgs{}
	v, _ := o.Get("unquoted_keys")
	a.unquotedKeys = v.Truthy()
	v, _ = o.Get("allow_non_json")
	a.allowOther = v.Truthy()
	if v, ok := o.Get("string_delims"); ok {
		a.checked = v.Truthy()
		a.delims, a.err = delimiters(v)
	}
	return a
}

// delimiters reads string_delims as Python's loop "for open, close in" does.
func delimiters(v value.Value) (pairs [][2]string, err *Error) {
	items, ok := iterate(v)
	if !ok {
		return nil, fail(KindType, "'%s' object is not iterable", v.Kind().PyType())
	}
	for _, item := range items {
		pair, ok := iterate(item)
		switch {
		case !ok:
			return pairs, fail(KindType, "cannot unpack non-iterable %s object", item.Kind().PyType())
		case len(pair) < 2:
			return pairs, fail(KindValue, "not enough values to unpack (expected 2, got %d)", len(pair))
		case len(pair) > 2:
			return pairs, fail(KindValue, "too many values to unpack (expected 2)")
		}
		open, ok1 := pair[0].AsString()
		close, ok2 := pair[1].AsString()
		if !ok1 || !ok2 {
			return pairs, fail(KindType, "string_delims must be strings")
		}
		pairs = append(pairs, [2]string{open, close})
	}
	return pairs, nil
}

// iterate gives what Python's iteration over the value gives.
func iterate(v value.Value) (items []value.Value, ok bool) {
	switch v.Kind() {
	case value.KindArray:
		a, _ := v.AsArray()
		for _, item := range a.All() {
			items = append(items, item)
		}
	case value.KindObject:
		o, _ := v.AsObject()
		for name := range o.All() {
			items = append(items, value.String(name))
		}
	case value.KindString:
		s, _ := v.AsString()
		for _, r := range s {
			items = append(items, value.String(string(r)))
		}
	default:
		return nil, false
	}
	return items, true
}

func (c *content) parseJSON(text string, r *reading) (value.Value, *Error) {
	a := c.json
	if a.checked && strings.ContainsAny(text, openMark+closeMark) {
		return value.Value{}, fail(KindValue, `json: the text has \x01 or \x02, the reserved sentinel characters of string_delims`)
	}
	working := text
	var taken []string
	for _, d := range a.delims {
		working, taken = takeStrings(working, d[0], d[1], taken)
	}
	if a.err != nil {
		return value.Value{}, a.err
	}
	if a.unquotedKeys {
		working = quoteKeys(working)
	}
	var left []string
	if taken != nil {
		working, left = putStrings(working, taken)
	}
	o := value.LoadOptions{MaxDepth: r.depth}
	before := len(r.losses)
	if r.notes {
		note := func(start, end int, kind harmony.ProblemKind, detail string) {
			if working != text { // the places are not those of the body
				start, end = 0, len(text)
			}
			r.losses = append(r.losses, loss{span: span(start, end), kind: kind, detail: detail})
		}
		o.Repeated = func(start, end int) { note(start, end, harmony.BadArgs, "a key is given again; this value is lost") }
		o.Inexact = func(start, end int) { note(start, end, harmony.ValueChanged, lostDigits) }
		for _, s := range left {
			note(0, len(text), harmony.BadArgs, "this text stands between delimiters inside others and is lost: "+s)
		}
	}
	v, err := o.Loads(working)
	if err == nil {
		return v, nil
	}
	r.losses = r.losses[:before]
	var syntax *value.SyntaxError
	if !errors.As(err, &syntax) {
		return v, asValueError(err)
	}
	if a.allowOther {
		return c.parseText(text, r), nil
	}
	e := fail(KindValue, "json: this text is no JSON: %s", err)
	if working != text {
		e.Msg = "json: with its dialect translated, this text is no JSON: " + err.Error()
	}
	e.Err = err
	return v, e
}

// takeStrings replaces every shortest open…close by a number between sentinels.
func takeStrings(text, open, close string, taken []string) (string, []string) {
	var b strings.Builder
	for at := 0; at <= len(text); {
		i := strings.Index(text[at:], open)
		if i < 0 {
			b.WriteString(text[at:])
			break
		}
		from := at + i + len(open)
		n := strings.Index(text[from:], close)
		if n < 0 {
			b.WriteString(text[at:])
			break
		}
		b.WriteString(text[at : at+i])
		b.WriteString(openMark)
		b.WriteString(strconv.Itoa(len(taken)))
		b.WriteString(closeMark)
		taken = append(taken, text[from:from+n])
		end := from + n + len(close)
		if end == at+i { // both are empty: go on by one character
			_, size := utf8.DecodeRuneInString(text[end:])
			b.WriteString(text[end : end+size])
			if end += size; size == 0 {
				break
			}
		}
		at = end
	}
	return b.String(), taken
}

// putStrings replaces the numbers by their strings as JSON. What it puts in
// holds no sentinel, so that one pass does. Strings whose numbers are inside
// others are left over.
func putStrings(text string, taken []string) (put string, left []string) {
	var b []byte
	used := make([]bool, len(taken))
	for {
		i := strings.Index(text, openMark)
		if i < 0 {
			for n, s := range taken {
				if !used[n] {
					left = append(left, s)
				}
			}
			return string(append(b, text...)), left
		}
		b = append(b, text[:i]...)
		text = text[i+1:]
		if end := strings.Index(text[:min(len(text), 20)], closeMark); end > 0 {
			if n, err := strconv.Atoi(text[:end]); err == nil && n >= 0 && n < len(taken) && strconv.Itoa(n) == text[:end] {
				b = value.PyDumps.AppendString(b, taken[n])
				used[n] = true
				text = text[end+1:]
				continue
			}
		}
		b = append(b, openMark...)
	}
}

// quoteKeys puts quotes around bare names that stand between { or , and a colon.
// Strings are stepped over; in them a backslash escapes any character but a
// newline (the reference's helper pattern has no DOTALL).
func quoteKeys(text string) string {
	var b strings.Builder
	from := 0
	broken := 0 // quotes before it begin no string: reading one ended there
	for at := 0; at < len(text); {
		if text[at] == '"' {
			if at >= broken {
				n, ok := stringLen(text[at:])
				if ok {
					at += n
					continue
				}
				broken = at + n
			}
		} else if at > 0 && (text[at-1] == '{' || text[at-1] == ',') {
			if space, word, all := bareKey(text[at:]); all > 0 {
				b.WriteString(text[from : at+space])
				b.WriteByte('"')
				b.WriteString(text[at+space : at+space+word])
				b.WriteByte('"')
				from = at + space + word
				at += all
				continue
			}
		}
		at++
	}
	b.WriteString(text[from:])
	return b.String()
}

// stringLen gives the length of the string literal that s begins with, or how far
// it was read in vain. A quote on the way was escaped, and a string that begins
// with it ends where this one does.
func stringLen(s string) (n int, ok bool) {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return i + 1, true
		case '\\':
			if i++; i >= len(s) || s[i] == '\n' {
				return min(i, len(s)), false
			}
		}
	}
	return len(s), false
}

// bareKey matches \s*\w+\s*: at the start of s.
func bareKey(s string) (space, word, all int) {
	run := func(at int, in func(rune) bool) int {
		n := 0
		for _, r := range s[at:] {
			if !in(r) {
				break
			}
			n += utf8.RuneLen(r)
		}
		return n
	}
	space = run(0, rx.IsSpace)
	word = run(space, rx.IsWord)
	after := space + word + run(space+word, rx.IsSpace)
	if word == 0 || after >= len(s) || s[after] != ':' {
		return 0, 0, 0
	}
	return space, word, after + 1
}
