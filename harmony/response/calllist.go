package response

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// callList reads [name(key=value, …), …] (response-template-spec.md, section 8.8).
// It fails by panicking with an *Error, which parseCallList catches.
type callList struct {
	text  string
	at    int
	r     *reading
	twice map[*value.Object]string // objects with a repeated name
}

const (
	maxCallDepth   = 100
	maxCallInteger = 1<<53 - 1
)

func parseCallList(text string, r *reading) (v value.Value, err *Error) {
	c := &callList{text: text, r: r}
	defer func() {
		if e := recover(); e != nil {
			failed, ok := e.(*Error)
			if !ok {
				panic(e)
			}
			err = failed
		}
	}()
	c.expect('[')
	items := []value.Value{}
	c.items(']', func() {
		name := c.name("a function name")
		c.expect('(')
		args := &value.Object{}
		c.items(')', func() {
			key := c.name("a keyword argument: there are none without a name, and no comma ends the list")
			if !c.sees('=') {
				c.fail("expected '=': every argument has a name")
			}
			c.at++
			c.pair(args, key, c.value(0))
		})
		c.unique(args)
		items = append(items, value.Members(
			value.Member{Name: "name", Value: value.String(name)},
			value.Member{Name: "arguments", Value: args.Value()}))
	})
	if c.space(); c.at != len(text) {
		c.fail("there is more behind the ']' that closes the list")
	}
	return value.List(items...), nil
}

func (c *callList) fail(format string, args ...any) {
	panic(fail(KindValue, "python-call-list: %s at position %d.", fmt.Sprintf(format, args...), value.Len(c.text[:c.at])))
}

func (c *callList) space() {
	for c.at < len(c.text) && strings.IndexByte(" \t\n\r", c.text[c.at]) >= 0 {
		c.at++
	}
}

func (c *callList) sees(b byte) bool {
	c.space()
	return c.at < len(c.text) && c.text[c.at] == b
}

func (c *callList) expect(b byte) {
	if !c.sees(b) {
		c.fail("expected '%c'", b)
	}
	c.at++
}

func (c *callList) items(close byte, item func()) {
	if c.sees(close) {
		c.at++
		return
	}
	for {
		item()
		if c.sees(close) {
			c.at++
			return
		}
		c.expect(',')
	}
}

// pair sets a name. One that is given twice is noted: the reference says so only
// behind the closing bracket, where unique stands.
func (c *callList) pair(o *value.Object, key string, v value.Value) {
	if _, twice := o.Get(key); !twice {
		o.Set(key, v)
		return
	}
	if _, noted := c.twice[o]; noted {
		return
	}
	if c.twice == nil {
		c.twice = map[*value.Object]string{}
	}
	c.twice[o] = key
}

func (c *callList) unique(o *value.Object) {
	if key, twice := c.twice[o]; twice {
		c.fail("repeated name '%s'", key)
	}
}

func (c *callList) value(depth int) value.Value {
	switch {
	case c.sees('\''), c.sees('"'):
		return value.String(c.str())
	case c.sees('['), c.sees('{'):
		if depth >= maxCallDepth {
			c.fail("lists and dicts stand in each other more than %d deep", maxCallDepth)
		}
		open := c.text[c.at]
		c.at++
		if open == '[' {
			items := []value.Value{}
			c.items(']', func() { items = append(items, c.value(depth+1)) })
			return value.List(items...)
		}
		o := &value.Object{}
		c.items('}', func() {
			if !c.sees('\'') && !c.sees('"') {
				c.fail("a key of a dict is no string")
			}
			key := c.str()
			c.expect(':')
			c.pair(o, key, c.value(depth+1))
		})
		c.unique(o)
		return o.Value()
	}
	if n, float := numberLen(c.text[c.at:]); n > 0 {
		return c.number(n, float)
	}
	if n := nameLen(c.text[c.at:]); n > 0 {
		if v, ok := constants[c.text[c.at:c.at+n]]; ok {
			c.at += n
			return v
		}
	}
	c.fail("here should be a value: a text, a number, a list, a dict, or one of True, False and None")
	return value.Value{}
}
