package response

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// closeRegion ends the current region, if there is one, and puts its value into
// the message. closed tells whether its close was seen; else the reply ended or
// another region opened. How far the close reaches is told later.
func (m *machine) closeRegion(closed bool) error {
	if m.cur == nil || !m.opened {
		m.reset()
		return nil
	}
	if m.regions++; m.regions > m.o.Limits.Regions {
		return m.limit(m.at.open, "the reply has more than %d regions", m.o.Limits.Regions)
	}
	if m.o.Discard {
		m.discardRegion(closed)
		return nil
	}
	f := m.cur
	text, copied := m.body.text()
	m.steps += copied
	m.record.typed, m.content.losses, m.content.ends, m.content.open = nil, nil, !closed, false
	v, err := f.process(text, m.captures, &m.content)
	if err == nil && m.o.Tools.Len() > 0 {
		v, err = m.cast(v)
	}
	if err == nil {
		err = m.store(f, v)
	}
	end := m.at.body + len(text)
	first := len(m.calls)
	if err != nil {
		failed := *err
		failed.Field, failed.Offset = f.name, int64(m.at.body-m.origin)
		err = &failed
		m.storeRaw(f, text)
		v = value.String(text)
	} else {
		m.noteCalls(f, v, end, closed)
	}
	if m.o.Problems {
		m.noteRegion(f, v, text, end, closed, err, first)
	}
	if err != nil {
		if !m.o.Lenient {
			m.reset()
			return err
		}
		if m.lenientErr == nil {
			m.lenientErr = err
		}
	}
	m.emit(harmony.Event{Type: harmony.RegionClose, Field: f.name, Value: v, Closed: closed})
	m.reset()
	return nil
}

// store puts a region's value into the message.
func (m *machine) store(f *field, v value.Value) *Error {
	old, has := m.message().Get(f.name)
	switch {
	case f.join != nil:
		s, ok := v.AsString()
		if !ok {
			return fail(KindValue, "Field '%s': 'join' joins strings, but a region's value is %s", f.name, v.Kind().PyType())
		}
		return m.storeJoined(f, old, s)
	case !f.repeats:
		if has && m.o.Problems {
			m.overwritten(f, old)
		}
		m.message().Set(f.name, v)
	case !has:
		m.message().Set(f.name, value.List(v))
	default:
		a, ok := old.AsArray()
		if !ok {
			return notDict(old, "append")
		}
		a.Append(v)
	}
	return nil
}

// storeJoined appends text to a joined field. The text is kept in a builder, so
// that many regions cost no more than their text.
func (m *machine) storeJoined(f *field, old value.Value, text string) *Error {
	b := m.joined[f]
	if b == nil {
		if old.IsNull() {
			m.message().Set(f.name, value.String(text))
			return nil
		}
		before, ok := old.AsString()
		if !ok {
			return fail(KindType, "unsupported operand type(s) for +: '%s' and 'str'", old.Kind().PyType())
		}
		b = &strings.Builder{}
		b.WriteString(before)
		m.steps += int64(len(before))
		if m.joined == nil {
			m.joined = map[*field]*strings.Builder{}
		}
		m.joined[f] = b
	}
	m.steps += extend(b, *f.join) + extend(b, text)
	m.message().Set(f.name, value.String(b.String()))
	return nil
}

// storeRaw puts the raw text of a region that could not be read into the
// message, beside what is there, whatever that is.
func (m *machine) storeRaw(f *field, text string) {
	v := value.String(text)
	old, has := m.message().Get(f.name)
	list, isList := old.AsArray()
	_, isText := old.AsString()
	switch {
	case !f.repeats:
		if has && m.o.Problems {
			m.overwritten(f, old)
		}
		m.message().Set(f.name, v)
	case isList:
		list.Append(v)
	case f.join != nil && (isText || old.IsNull()):
		_ = m.storeJoined(f, old, text) // it fails on neither
	case !has:
		m.message().Set(f.name, value.List(v))
	default:
		m.message().Set(f.name, value.List(old, v))
	}
}

// noteCalls lists the calls that a region's value holds.
func (m *machine) noteCalls(f *field, v value.Value, end int, closed bool) {
	if a, ok := v.AsArray(); ok {
		for _, item := range a.All() {
			m.noteCall(f, item, end, closed)
		}
		return
	}
	m.noteCall(f, v, end, closed)
}

func (m *machine) noteCall(f *field, v value.Value, end int, closed bool) {
	if _, ok := v.Get("function").Get("name").AsString(); !ok {
		return
	}
	m.calls = append(m.calls, harmony.Call{
		Field:    f.name,
		Value:    v,
		Span:     harmony.Span{Start: int64(m.at.open - m.origin), End: int64(end - m.origin)},
		Closed:   closed,
		Runnable: closed || !m.content.open, // unless the reply is cut, see finish
	})
}
