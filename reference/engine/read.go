package engine

import (
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// ReadOptions ask for more than the message of a reply.
type ReadOptions struct {
	// Events asks for the events of each feed.
	Events bool
	// Problems asks for the reply's problems.
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
	template, problem := n.responseTemplate(in)
	if problem != nil {
		return Reading{Outcome: *problem}
	}
	c, problem := readCase(in)
	if problem != nil {
		return Reading{Outcome: *problem}
	}
	options := response.Options{Prefix: c.prefix, Tools: c.tools, Stop: c.stop, Problems: o.Problems, Reasoning: o.Problems, Lenient: o.Lenient}
	if o.Problems {
		options.Markers = n.markers
	}
	if c.chunks.IsNull() && !o.Events {
		reply, err := template.Parse(c.reply, options)
		return outcome(Reading{}, reply, err)
	}
	pieces, problem := cut(c.reply, c.chunks)
	if problem != nil {
		return Reading{Outcome: *problem}
	}
	return feed(template, pieces, options)
}

// feed gives the pieces to the streaming parser.
func feed(template *response.Template, pieces []string, o response.Options) Reading {
	p, err := template.NewParser(o)
	if err != nil {
		return Reading{Outcome: raised(err)}
	}
	r := Reading{Initial: eventValues(p.InitialEvents())}
	for _, piece := range pieces {
		events, err := p.Feed(piece)
		r.Feeds = append(r.Feeds, eventValues(events))
		if err != nil {
			break // Finalize gives the same error, with what was read
		}
	}
	events, reply, err := p.Finalize(o.Stop)
	r.Final = eventValues(events)
	return outcome(r, reply, err)
}

func outcome(r Reading, reply harmony.Reply, err error) Reading {
	r.Outcome = given(reply.Message)
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

// responseTemplate is the case's own, else the checkpoint's.
func (n *Native) responseTemplate(in *value.Object) (*response.Template, *corpus.Outcome) {
	t, err := n.template, n.refused
	if own, _ := in.Get("response_template"); !own.IsNull() {
		t, err = response.Compile(own)
	}
	switch {
	case err != nil:
		o := raised(err)
		return nil, &o
	case t == nil:
		return nil, &corpus.Outcome{Kind: corpus.Raised, Class: "AttributeError", Offset: -1,
			Message: "the checkpoint has no response_template to read replies with"}
	}
	return t, nil
}

// parseCase is the keys of a parse case.
type parseCase struct {
	reply  string
	prefix *string
	tools  *response.Tools
	stop   harmony.Stop
	chunks value.Value
}

func readCase(in *value.Object) (c parseCase, problem *corpus.Outcome) {
	bad := func(format string, args ...any) (parseCase, *corpus.Outcome) {
		o := wrong(format, args...)
		return parseCase{}, &o
	}
	v, _ := in.Get("reply")
	reply, ok := v.AsString()
	if !ok {
		return bad("reply must be a string")
	}
	c.reply = reply
	if v, _ := in.Get("prefix"); !v.IsNull() {
		prefix, ok := v.AsString()
		if !ok {
			return bad("prefix must be a string")
		}
		c.prefix = &prefix
	}
	if v, _ := in.Get("tools"); !v.IsNull() {
		list, ok := v.AsArray()
		if !ok {
			return bad("tools must be a list")
		}
		var defs []value.Value
		for _, def := range list.All() {
			defs = append(defs, def)
		}
		c.tools = response.PrepareTools(defs)
	}
	if v, _ := in.Get("stop"); !v.IsNull() {
		if c.stop, ok = stopOf(v); !ok {
			return bad(`stop must be "length" or {"token": TEXT}`)
		}
	}
	c.chunks, _ = in.Get("chunks")
	return c, nil
}

func stopOf(v value.Value) (harmony.Stop, bool) {
	if word, ok := v.AsString(); ok {
		return harmony.StopLength(), word == "length"
	}
	token, ok := v.Get("token").AsString()
	return harmony.StopToken(token), ok
}

// cut gives the pieces of a reply: whole where chunks is null; of a number of
// characters each; between rising positions in characters; or between positions
// in bytes, also inside a character.
func cut(reply string, chunks value.Value) (pieces []string, problem *corpus.Outcome) {
	bad := func() ([]string, *corpus.Outcome) {
		o := wrong("chunks must be a number of characters or a rising list of positions in the reply, not %s", value.Dumps(chunks))
		return nil, &o
	}
	at := chunks
	position := func(p int64) (int, bool) { return int(p), 0 <= p && p <= int64(len(reply)) }
	switch chunks.Kind() {
	case value.KindNull:
		return []string{reply}, nil
	case value.KindInt:
		size, ok := chunks.AsInt()
		if !ok || size < 1 {
			return bad()
		}
		return pieceBy(reply, size), nil
	case value.KindObject:
		at = chunks.Get("bytes")
	case value.KindArray:
		index := corpus.NewIndex(reply)
		position = func(p int64) (int, bool) {
			if p < 0 || p > int64(len(reply)) {
				return 0, false
			}
			return index.Byte(int(p))
		}
	}
	list, ok := at.AsArray()
	if !ok {
		return bad()
	}
	from := 0
	for _, v := range list.All() {
		p, isInt := v.AsInt()
		to, ok := position(p)
		if !isInt || !ok || to < from {
			return bad()
		}
		pieces = append(pieces, reply[from:to])
		from = to
	}
	return append(pieces, reply[from:]), nil
}

// pieceBy cuts a reply into pieces of size characters; an empty one is one piece.
func pieceBy(reply string, size int64) []string {
	index := corpus.NewIndex(reply)
	pieces := []string{}
	from := 0
	for from < len(reply) {
		char, _ := index.Char(from)
		to, _ := index.Byte(char + int(min(size, int64(len(reply)))))
		pieces = append(pieces, reply[from:to])
		from = to
	}
	if len(pieces) == 0 {
		return []string{""}
	}
	return pieces
}
