package fuzz

import (
	"errors"
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Reader is a reader of one reply whose prefix was read already.
type Reader interface {
	harmony.Reader
	InitialEvents() []harmony.Event
}

// Subject reads replies by a template: what the oracles judge.
type Subject struct {
	// Open prepares to read one reply.
	Open func(t *Template, o response.Options) (Reader, error)
	// Whole reads a reply in one piece.
	Whole func(t *Template, reply string, o response.Options) (harmony.Reply, error)
}

// Native is this project's own reader.
var Native = Subject{
	Open: func(t *Template, o response.Options) (Reader, error) {
		p, err := t.Compiled.NewParser(o)
		if err != nil {
			return nil, err
		}
		return p, nil
	},
	Whole: func(t *Template, reply string, o response.Options) (harmony.Reply, error) {
		return t.Compiled.Parse(reply, o)
	},
}

// Options are what an input is read with.
func (in *Input) Options() response.Options {
	o := response.Options{Prefix: &in.Prefix, Stop: in.Stop, Problems: true}
	if in.Tools != nil {
		o.Tools = response.PrepareTools(in.Tools)
	}
	return o
}

// Reading is all that reading a reply gave.
type Reading struct {
	Events  []harmony.Event
	Feeds   []int // number of events after the prefix and after each chunk
	Reply   harmony.Reply
	Err     error
	Message string // as JSON
}

// Read feeds an input as it is cut.
func (sub Subject) Read(in *Input, o response.Options, cut Cut) Reading {
	p, err := sub.Open(in.Template, o)
	if err != nil {
		return Reading{Err: err, Message: "null"}
	}
	var r Reading
	take := func(events []harmony.Event) {
		for _, e := range events {
			e.Value = e.Value.Clone() // events belong to the reader
			r.Events = append(r.Events, e)
		}
		r.Feeds = append(r.Feeds, len(r.Events))
	}
	take(p.InitialEvents())
	for _, chunk := range cut.Pieces(in.Reply) {
		events, err := p.Feed(chunk)
		take(events)
		if err != nil {
			break // Finalize tells it again
		}
	}
	events, reply, err := p.Finalize(in.Stop)
	take(events)
	r.Reply, r.Err, r.Message = reply, err, value.Dumps(reply.Message)
	return r
}

// ErrorOf gives the class of an error and the byte of the reply it is about;
// "" without an error, response.NoOffset where it is about no byte.
func ErrorOf(err error) (class string, offset int64) {
	var reading *response.Error
	var text *harmony.UTF8Error
	switch {
	case err == nil:
		return "", response.NoOffset
	case errors.As(err, &reading):
		return reading.Class(), reading.Offset
	case errors.As(err, &text):
		return "UTF8Error", text.Offset
	}
	return fmt.Sprintf("%T", err), response.NoOffset
}

// Merged writes events as JSON with the chunks of a region put together: the
// same for every cut.
func Merged(events []harmony.Event) string {
	var out []value.Value
	var text strings.Builder
	for i, e := range events {
		if e.Type == harmony.RegionChunk {
			text.WriteString(e.Text)
			if i+1 < len(events) && events[i+1].Type == harmony.RegionChunk {
				continue
			}
			e.Text = text.String()
			text.Reset()
		}
		out = append(out, e.Object())
	}
	return value.Dumps(value.List(out...))
}

// told writes regions, calls and problems, spans and all.
func told(r harmony.Reply) string {
	var b strings.Builder
	for _, g := range r.Regions {
		fmt.Fprintf(&b, "region %s %v body %v closed %v\n", g.Field, g.Span, g.Body, g.Closed)
	}
	for _, c := range r.Calls {
		fmt.Fprintf(&b, "call %s %v closed %v runnable %v\n", value.Dumps(c.Value), c.Span, c.Closed, c.Runnable)
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "%v field %q call %d\n", p, p.Field, p.Call)
	}
	return b.String()
}
