package engine

import (
	"errors"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// ReadOptions ask for more than the message of a reply.
type ReadOptions struct {
	// Events asks for the events of each feed.
	Events bool
	// Problems asks for the reply's problems, and whether a reply that came as text
	// lost its markers on the way.
	Problems bool
	// Lenient reads on where the reference raises; the outcome then holds what
	// was read, in Partial.
	Lenient bool
}

// Reading is a reply, read in Go.
type Reading struct {
	// Outcome holds the message.
	Outcome corpus.Outcome
	// Initial are the events of the prefix, Feeds those of each piece of the
	// reply, Final those of its end; in the reference's form, with
	// ReadOptions.Events.
	Initial, Final []value.Value
	Feeds          [][]value.Value
	Problems       []harmony.Problem
	// Warnings tell what is wrong with the ids, or with a text that was decoded
	// from them, though it could be read.
	Warnings []string

	reply harmony.Reply
}

// Events are all events in order.
func (r Reading) Events() []value.Value {
	out := append([]value.Value(nil), r.Initial...)
	for _, f := range r.Feeds {
		out = append(out, f...)
	}
	return append(out, r.Final...)
}

// stream is the outcome of the operation of that name.
func (r Reading) stream() corpus.Outcome {
	if r.Outcome.Kind != corpus.OK {
		return r.Outcome
	}
	feeds := make([]value.Value, len(r.Feeds))
	for i, f := range r.Feeds {
		feeds[i] = value.List(f...)
	}
	return given(value.Members(
		value.Member{Name: "initial", Value: value.List(r.Initial...)},
		value.Member{Name: "feeds", Value: value.List(feeds...)},
		value.Member{Name: "final", Value: value.List(r.Final...)},
		value.Member{Name: "message", Value: r.Outcome.Value}))
}

// Read reads the reply of a parse case. Without chunks and without events it is
// read in one piece.
func (n *Native) Read(in *value.Object, o ReadOptions) (r Reading) {
	defer caught(&r.Outcome)
	c, problem := n.readCase(in)
	if problem != nil {
		return Reading{Outcome: *problem}
	}
	template, problem := n.responseTemplate(in, &c)
	if problem != nil {
		return Reading{Outcome: *problem}
	}
	defer func() { r.Warnings = append(c.warnings, n.stripped(&c, &r, o)...) }()
	options := response.Options{Prefix: c.prefix, Tools: c.tools, Stop: c.stop, Problems: o.Problems, Reasoning: o.Problems, Lenient: o.Lenient}
	if o.Problems {
		options.Markers = n.markers
	}
	if c.chunks.IsNull() && !o.Events {
		reply, err := template.Parse(c.reply, options)
		return outcome(Reading{}, reply, err)
	}
	p, err := template.NewParser(options)
	if err != nil {
		return Reading{Outcome: raised(err)}
	}
	r = Reading{Initial: eventValues(p.InitialEvents())}
	if c.ids == nil || c.chunks.IsNull() { // ids that come at once are decoded at once
		pieces, problem := cut(c.reply, c.chunks)
		if problem != nil {
			return Reading{Outcome: *problem}
		}
		return feed(r, p, len(pieces), options.Stop, func(i int) ([]harmony.Event, error) { return p.Feed(pieces[i]) })
	}
	pieces, problem := cutIDs(c.ids, c.chunks)
	if problem != nil {
		return Reading{Outcome: *problem}
	}
	ids := token.NewReader(c.vocabulary, p, token.ReaderOptions{SkipUnknown: true})
	return feed(r, ids, len(pieces), options.Stop, func(i int) ([]harmony.Event, error) { return ids.Feed(pieces[i]...) })
}

// stripped tells of a text that was decoded without its markers.
func (n *Native) stripped(c *parseCase, r *Reading, o ReadOptions) []string {
	if !o.Problems || c.ids != nil || r.Outcome.Kind != corpus.OK {
		return nil
	}
	v, err := n.tokenizer.vocabulary()
	if err == nil {
		err = v.CheckReply(c.reply, &r.reply)
	}
	var lost *token.StrippedError
	if errors.As(err, &lost) {
		return []string{"reply: " + err.Error()}
	}
	return nil
}

// ender is what ends a reply that was fed.
type ender interface {
	Finalize(stop harmony.Stop) ([]harmony.Event, harmony.Reply, error)
}

// feed gives the reply's pieces to a streaming reader, which next does for one.
func feed(r Reading, p ender, pieces int, stop harmony.Stop, next func(i int) ([]harmony.Event, error)) Reading {
	for i := range pieces {
		events, err := next(i)
		r.Feeds = append(r.Feeds, eventValues(events))
		if err != nil {
			break // Finalize gives the same error, with what was read
		}
	}
	events, reply, err := p.Finalize(stop)
	r.Final = eventValues(events)
	return outcome(r, reply, err)
}

func outcome(r Reading, reply harmony.Reply, err error) Reading {
	r.Outcome, r.reply = given(reply.Message), reply
	r.Problems = reply.Problems
	if err != nil {
		r.Outcome = raised(err)
		r.Outcome.Partial = reply.Message
	}
	return r
}

// eventValues keeps events, which belong to the parser until its next call.
func eventValues(events []harmony.Event) []value.Value {
	out := make([]value.Value, len(events))
	for i, e := range events {
		out[i] = e.Object()
	}
	return out
}

// responseTemplate is the case's own, else the checkpoint's. A prefix is missed
// before the template is looked into, as in the reference's parse_response; its
// get_response_parser looks into the template first (Transformers 5.24.0), but a
// reply that comes in pieces is to fail as the whole does.
func (n *Native) responseTemplate(in *value.Object, c *parseCase) (*response.Template, *corpus.Outcome) {
	own, _ := in.Get("response_template")
	t, err := n.template, n.refused
	switch {
	case own.IsNull() && t == nil && err == nil:
		return nil, &corpus.Outcome{Kind: corpus.Raised, Class: "AttributeError", Offset: -1,
			Message: "the checkpoint has no response_template to read replies with"}
	case c.prefix == nil:
		return nil, &corpus.Outcome{Kind: corpus.Raised, Class: "ValueError", Offset: -1,
			Message: "a prefix is required: the prompt that the reply follows, or \"\" where the reply holds the whole turn"}
	case !own.IsNull():
		t, err = response.Compile(own)
	}
	if err != nil {
		o := raised(err)
		return nil, &o
	}
	return t, nil
}
