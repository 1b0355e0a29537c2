package response

import (
	"math"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/typing"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// checkWritten tells of a region's values that cannot be written into a turn
// again: what no text or no JSON can say, and what, put where it was read as chat
// templates do, would be read as something else. The calls from number first on
// are the region's.
func (m *machine) checkWritten(f *field, v value.Value, text string, first int) {
	call := -1
	if first < len(m.calls) {
		call = first
	}
	m.steps += int64(len(text))
	if what := unsayable(v); what != "" {
		m.problem(harmony.Unwritable, m.span(m.at.body, m.at.body+len(text)), f.name, call, "the value holds %s", what)
		return
	}
	w := rewriting{m: m, f: f, text: text}
	for i := first; i < len(m.calls); i++ {
		if name, args, ok := callParts(m.calls[i].Value); ok {
			w.check(i, m.o.Tools.Get(name), args)
		}
	}
	if o, ok := v.AsObject(); ok && call < 0 && f.transform == nil {
		w.check(-1, nil, o)
	}
}

// unsayable names what of a value cannot be written, "" for nothing.
func unsayable(v value.Value) string {
	switch v.Kind() {
	case value.KindString:
		if s, _ := v.AsString(); value.InvalidUTF8(s) >= 0 {
			return "half a surrogate pair, which no text can"
		}
	case value.KindFloat:
		if f, _ := v.AsFloat(); math.IsNaN(f) || math.IsInf(f, 0) {
			return value.Dumps(v) + ", which JSON has not"
		}
	case value.KindArray:
		a, _ := v.AsArray()
		for _, item := range a.All() {
			if what := unsayable(item); what != "" {
				return what
			}
		}
	case value.KindObject:
		o, _ := v.AsObject()
		for name, item := range o.All() {
			if what := unsayable(value.String(name)) + unsayable(item); what != "" {
				return what
			}
		}
	}
	return ""
}

// rewriting writes the named values of a region again, each by itself, and reads
// what it wrote.
type rewriting struct {
	m      *machine
	f      *field
	text   string           // the body
	places map[string]place // by name; see content.places

	asked, ended bool // see didEnd
}

// place is where a body gives the last value of a name: from start to end, and
// the value itself from value to rest.
type place struct{ start, value, rest, end int }

// check writes each value of an object again.
func (w *rewriting) check(call int, tool *typing.Tool, values *value.Object) {
	c := w.f.content
	if w.places == nil {
		w.places = c.places(w.text, &w.m.content)
	}
	for name, v := range values.All() {
		forms, p, ok := w.forms(name, v)
		readable := !ok
		for _, written := range forms {
			readable = readable || w.reads(written, p, tool, name, v)
		}
		if !readable {
			w.m.problem(harmony.Unwritable, w.m.span(w.m.at.body+p.start, w.m.at.body+p.end), w.f.name, call,
				"the argument %q, written again, is not read as %s", name, value.Dumps(v))
		}
	}
}

// forms gives the ways in which a value may be written, and the part of the body
// that they stand for; not ok where it is not known how.
func (w *rewriting) forms(name string, v value.Value) (forms []string, p place, ok bool) {
	plain := func(v value.Value) string {
		if s, ok := v.AsString(); ok {
			return s
		}
		return string(value.Append(nil, v, value.ToJSON))
	}
	switch c := w.f.content; c.kind {
	case "json":
		o := value.Members(value.Member{Name: name, Value: v})
		return []string{plain(o)}, place{end: len(w.text)}, true
	case "python-call-list":
		return []string{"[f(" + name + "=" + string(value.Append(nil, v, value.ToJSON)) + ")]"}, place{end: len(w.text)}, nameLen(name) == len(name)
	case "xml-inline", "kv-lines":
		if p, ok = w.places[name]; !ok {
			return nil, p, false
		}
		head, tail := w.text[p.start:p.value], w.text[p.rest:p.end]
		if got, _ := w.read(head+w.text[p.value:p.rest]+tail, name); got.IsNull() && !v.IsNull() {
			return nil, p, false // it is only read where it stands: its pattern looks around
		}
		forms = append(forms, head+plain(v)+tail)
		if list, isList := v.AsArray(); isList && c.xml != nil && c.xml.merge && list.Len() > 1 {
			var all strings.Builder
			for _, item := range list.All() {
				all.WriteString(head + plain(item) + tail)
			}
			forms = append(forms, all.String())
		}
		return forms, p, true
	}
	return nil, p, false
}

// reads tells whether what is written at a place is read as the value.
func (w *rewriting) reads(written string, at place, tool *typing.Tool, name string, v value.Value) bool {
	got, ok := w.read(written, name)
	if !ok || w.ends(written) && !w.didEnd(at) {
		return false
	}
	args := &value.Object{}
	args.Set(name, got)
	if tool.Type(args, w.m.o.Typing, typing.Options{Depth: w.m.o.Limits.Depth}, nil) != nil {
		return false
	}
	got, _ = args.Get(name)
	return value.Equal(got, v)
}

// read gives what the content parser reads for a name, of a text that should
// hold nothing else: not ok where it does.
func (w *rewriting) read(text, name string) (value.Value, bool) {
	r := reading{depth: w.m.o.Limits.Depth, budget: w.m.o.Limits.Steps, notes: true}
	v, err := w.f.content.parse(text, &r)
	w.m.steps += r.steps + int64(len(text))
	if w.f.content.kind == "python-call-list" && err == nil {
		a, _ := v.AsArray()
		v = a.At(0).Get("arguments")
	}
	o, isObject := v.AsObject()
	got, has := o.Get(name)
	return got, err == nil && isObject && has && o.Len() == 1 && r.losses == nil
}

// ends tells whether a text would end the region that it stands in.
func (w *rewriting) ends(text string) bool {
	if w.f == w.m.t.implicit {
		for _, f := range w.m.t.explicit {
			if w.m.hasMatch(f.open, text) {
				return true
			}
		}
	}
	return w.m.hasMatch(w.f.close, text)
}

// didEnd is ends for a part of the body; the whole body is asked for once.
func (w *rewriting) didEnd(p place) bool {
	if p.start > 0 || p.end < len(w.text) {
		return w.ends(w.text[p.start:p.end])
	}
	if !w.asked {
		w.asked, w.ended = true, w.ends(w.text)
	}
	return w.ended
}

// places finds for each name of a body the last place that gives its value.
func (c *content) places(text string, r *reading) map[string]place {
	all := map[string]place{}
	switch {
	case c.err != nil:
	case c.kv != nil:
		for at := 0; at <= len(text); {
			end, next := c.kv.next(text, at, &r.steps)
			raw := text[at:end]
			if key, v, from, ok := c.cut(raw); ok {
				all[key] = place{at, at + from, at + from + len(v), end}
			}
			at = next
		}
	case c.xml != nil && c.xml.err == nil && c.xml.value >= 0 && c.xml.key >= 0:
		// An error can only be the budget, and then it was told when the text was read:
		// this search is the same, and has a budget of its own.
		scan := c.xml.pattern.NewScan()
		scan.Budget = r.budget
		defer func() { r.steps += scan.Steps }()
		_ = c.xml.pattern.Each(text, scan, func(match *rx.Match) bool {
			from, to, ok1 := match.Group(c.xml.key)
			start, end, ok2 := match.Group(c.xml.value)
			if ok1 && ok2 {
				all[text[from:to]] = place{match.Start, start, end, match.End}
			}
			return true
		})
	}
	return all
}
