package corpus

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// readWant reads {"value": ...} or {"error": {"class": ..., "message": ...}}; a
// parse's may have "stream" beside its value.
func (d *decoder) readWant(c *Case, v value.Value) error {
	at := path{"want"}
	const want = `{"value": ...} or {"error": {...}}`
	o, ok := v.AsObject()
	if !ok {
		return d.mustBe(at, want, v)
	}
	for name, v := range o.All() {
		at := at.with(name)
		switch {
		case name == "stream" && c.Kind == Parse:
			if err := d.readStream(at, v); err != nil {
				return err
			}
			c.Stream = v
			continue
		case name != "value" && name != "error":
			return d.fail(at, "is not a key of a want", advise(name, []string{"value", "error"}))
		case c.Want != nil:
			return d.fail(at, "cannot stand beside the other", "want a value or an error")
		}
		c.Want = &Outcome{Kind: OK, Value: v, Offset: -1}
		read := d.wantValue
		if name == "error" {
			c.Want = &Outcome{Kind: Raised, Offset: -1}
			read = d.wantError
		}
		if err := read(c, at, v); err != nil {
			return err
		}
	}
	if c.Want == nil {
		return d.mustBe(at, want, v)
	}
	if c.Want.Kind != OK && !c.Stream.IsNull() {
		return d.fail(at.with("stream"), "cannot stand beside an error", "a reply that raises has no stream to want")
	}
	return nil
}

// wantValue checks a value: the shape of what the kind gives.
func (d *decoder) wantValue(c *Case, at path, v value.Value) error {
	switch c.Kind {
	case Render:
		return readString(d, at, v, c)
	case Parse:
		return readObject(d, at, v, c)
	}
	return d.wantTokens(c, at, v)
}

// ranges takes a list of [start, end] in characters of the mask's text.
func (d *decoder) ranges(at path, v value.Value, mask *value.Object) error {
	text, _ := mask.Get("text")
	s, _ := text.AsString()
	size := int64(value.Len(s))
	list, ok := v.AsArray()
	if !ok {
		return d.mustBe(at, "a list of [start, end]", v)
	}
	for i, v := range list.All() {
		at := at.with(i)
		pair, ok := v.AsArray()
		if !ok || pair.Len() != 2 {
			return d.mustBe(at, "[start, end]", v)
		}
		start, ok1 := pair.At(0).AsInt()
		end, ok2 := pair.At(1).AsInt()
		if !ok1 || !ok2 {
			return d.mustBe(at, "two whole numbers", v)
		}
		if start < 0 || end < start || size < end {
			return d.fail(at, fmt.Sprintf("is not a range of the text, which has %s", count(int(size), "character")), "offsets are characters, not bytes")
		}
	}
	return nil
}

func (d *decoder) integers(at path, v value.Value) error {
	list, ok := v.AsArray()
	if !ok {
		return d.mustBe(at, "a list of whole numbers", v)
	}
	for i, v := range list.All() {
		if n, ok := v.AsInt(); !ok || n < 0 {
			return d.mustBe(at.with(i), "a whole number", v)
		}
	}
	return nil
}

// wantError checks the class and text of an error. A parse's text is the
// library's own and may be left out: parse errors compare by class.
func (d *decoder) wantError(c *Case, at path, v value.Value) error {
	o, ok := v.AsObject()
	if !ok {
		return d.mustBe(at, `{"class": ..., "message": ...}`, v)
	}
	for name, v := range o.All() {
		at := at.with(name)
		s, ok := v.AsString()
		switch {
		case name != "class" && name != "message":
			return d.fail(at, "is not a key of an error", advise(name, []string{"class", "message"}))
		case !ok:
			return d.mustBe(at, "a string", v)
		case name == "class":
			c.Want.Class = s
			if !classPattern.MatchString(s) {
				return d.mustBe(at, "the name of a Python exception class, without its module", v)
			}
		default:
			c.Want.Message = s
		}
	}
	if c.Want.Class == "" {
		return d.fail(at, `has no "class"`, "name the exception's class")
	}
	if _, has := o.Get("message"); !has && c.Kind != Parse {
		return d.fail(at, `has no "message"`, "errors of rendering are compared by class and text")
	}
	return nil
}

// readStream checks the value of the stream operation: what each feed gave.
func (d *decoder) readStream(at path, v value.Value) error {
	o, ok := v.AsObject()
	if !ok {
		return d.mustBe(at, "an object", v)
	}
	names := []string{"initial", "feeds", "final", "message"}
	for name, v := range o.All() {
		at := at.with(name)
		var err error
		switch name {
		case "initial", "final":
			err = d.events(at, v)
		case "feeds":
			feeds, ok := v.AsArray()
			if !ok {
				return d.mustBe(at, "a list of lists of events", v)
			}
			for i, feed := range feeds.All() {
				if err := d.events(at.with(i), feed); err != nil {
					return err
				}
			}
		case "message":
			err = readObject(d, at, v, nil)
		default:
			err = d.fail(at, "is not a key of a stream", advise(name, names))
		}
		if err != nil {
			return err
		}
	}
	for _, need := range names {
		if _, has := o.Get(need); !has {
			return d.fail(at, "has no "+quote(need), "")
		}
	}
	return nil
}

func (d *decoder) events(at path, v value.Value) error {
	list, ok := v.AsArray()
	if !ok {
		return d.mustBe(at, "a list of events", v)
	}
	for i, e := range list.All() {
		if e.Kind() != value.KindObject {
			return d.mustBe(at.with(i), "an event (an object)", e)
		}
	}
	return nil
}
