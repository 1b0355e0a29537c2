package engine_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// The replies of the documentation have no problems, but for those whose rule is
// about one.
func TestDocumentationHasNoProblems(t *testing.T) {
	n := engine.NewNative(checkpoint.Default(), engine.NativeOptions{})
	about := map[string]string{
		"documentation/parse/no-return":  "unclosed",       // nobody said why it ended
		"documentation/parse/other-tool": "unknown_action", // it is called on purpose
	}
	run := 0
	for _, c := range corpus.Embedded() {
		if c.Suite != "documentation" || c.Kind != corpus.Parse || c.Want.Kind != corpus.OK {
			continue
		}
		run++
		var kinds []string
		for _, p := range n.Read(c.Input, engine.ReadOptions{Problems: true}).Problems {
			kinds = append(kinds, p.Kind.String())
		}
		if got := strings.Join(kinds, " "); got != about[c.ID] {
			t.Errorf("%s: problems %q, want %q", c.ID, got, about[c.ID])
		}
	}
	if run < 20 {
		t.Errorf("only %d replies were read", run)
	}
}

// lenient reads a case on where the reference raises. ok is false where its
// template cannot be loaded, or the case has no prefix.
func lenient(t *testing.T, c corpus.Case, size int) (r harmony.Reply, events []harmony.Event, err error, ok bool) {
	t.Helper()
	spec, _ := c.Input.Get("response_template")
	tpl, err := response.Compile(spec)
	if err != nil {
		return r, nil, err, false
	}
	v, _ := c.Input.Get("prefix")
	prefix, _ := v.AsString()
	v, _ = c.Input.Get("reply")
	reply, _ := v.AsString()
	v, _ = c.Input.Get("tools")
	list, _ := v.AsArray()
	var defs []value.Value
	for _, def := range list.All() {
		defs = append(defs, def)
	}
	p, err := tpl.NewParser(response.Options{Prefix: &prefix, Tools: response.PrepareTools(defs), Problems: true, Lenient: true})
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	take := func(more []harmony.Event) { events = append(events, more...) }
	take(p.InitialEvents())
	for at := 0; at < len(reply); at += size {
		more, err := p.Feed(reply[at:min(at+size, len(reply))])
		take(more)
		if err != nil {
			break // Finalize gives it again
		}
	}
	more, r, err := p.Finalize(harmony.StopUnknown())
	take(more)
	return r, events, err, true
}

// Where the reference raises, a lenient reader gives that error and loses no
// byte: each is in a region whose text the events gave, in a problem, or space;
// what raised stands in the message as it was written.
func TestLenientLosesNothing(t *testing.T) {
	raised, read := 0, 0
	for _, c := range corpus.Embedded() {
		if c.Suite != "templates" && !strings.HasPrefix(c.ID, "bugs/syntaxes/") {
			continue
		}
		v, _ := c.Input.Get("reply")
		reply, _ := v.AsString()
		r, events, err, ok := lenient(t, c, max(len(reply), 1))
		if !ok {
			continue
		}
		read++
		var failed *response.Error
		if errors.As(err, &failed) {
			raised++
		}
		if c.Want != nil && c.ID != "templates/values/D9-above-the-limit" && (c.Want.Kind == corpus.Raised) != (err != nil) ||
			err != nil && c.Want != nil && c.Want.Kind == corpus.Raised && failed.Class() != c.Want.Class {
			t.Errorf("%s: error %v, want %+v", c.ID, err, c.Want)
		}
		checkBytes(t, c, reply, r, events)
		if failed != nil && failed.Field != "" && failed.Offset >= 0 {
			for _, g := range r.Regions {
				if g.Field == failed.Field && g.Body.Start == failed.Offset && !holds(r.Message, reply[g.Body.Start:g.Body.End]) {
					t.Errorf("%s: the message %s has not the text %q that raised", c.ID, value.Dumps(r.Message), reply[g.Body.Start:g.Body.End])
				}
			}
		}
		cut, _, errCut, _ := lenient(t, c, 1)
		if value.Dumps(cut.Message) != value.Dumps(r.Message) || (err == nil) != (errCut == nil) || err != nil && err.Error() != errCut.Error() {
			t.Errorf("%s: whole %s %v, by bytes %s %v", c.ID, value.Dumps(r.Message), err, value.Dumps(cut.Message), errCut)
		}
	}
	if read < 200 || raised < 50 {
		t.Errorf("%d cases were read, %d raised", read, raised)
	}
}

// checkBytes accounts for each byte of a reply.
func checkBytes(t *testing.T, c corpus.Case, reply string, r harmony.Reply, events []harmony.Event) {
	t.Helper()
	accounted := make([]bool, len(reply))
	mark := func(from, to int64) {
		for i := max(0, from); i < min(to, int64(len(reply))); i++ {
			accounted[i] = true
		}
	}
	var bodies, chunks strings.Builder
	for _, g := range r.Regions {
		mark(g.Span.Start, g.Span.End)
		bodies.WriteString(reply[max(0, g.Body.Start):max(0, g.Body.End)])
	}
	for _, p := range r.Problems {
		mark(p.Span.Start, p.Span.End)
	}
	for _, e := range events {
		chunks.WriteString(e.Text)
	}
	if !strings.HasSuffix(chunks.String(), bodies.String()) { // what is before is the prefix's
		t.Errorf("%s: the events gave %q, the regions' bodies are %q", c.ID, chunks.String(), bodies.String())
	}
	for _, p := range syntax(t, c) {
		for at := 0; at < len(reply); at++ {
			if m, ok, err := p.NewScan().MatchAt(reply, at); err == nil && ok {
				mark(int64(m.Start), int64(m.End))
			}
		}
	}
	for i, char := range reply {
		if !accounted[i] && !value.IsSpace(char) {
			t.Errorf("%s: byte %d of %q is in no region and no problem: %+v %v", c.ID, i, reply, r.Regions, r.Problems)
			return
		}
	}
}

// syntax are the anchors that stand outside regions: the start anchor, and the
// close of the implicit field where that is not open.
func syntax(t *testing.T, c corpus.Case) (patterns []*rx.Pattern) {
	t.Helper()
	add := func(o value.Value, key string) {
		var sources []string
		if s, ok := o.Get(key + "_pattern").AsString(); ok {
			sources = append(sources, s)
		}
		if s, ok := o.Get(key).AsString(); ok {
			sources = append(sources, regexp.QuoteMeta(s))
		}
		for _, source := range sources {
			p, err := rx.Compile(source)
			if err != nil {
				t.Fatal(err)
			}
			patterns = append(patterns, p)
		}
	}
	spec, _ := c.Input.Get("response_template")
	add(spec, "start_anchor")
	fields, _ := spec.Get("fields").AsObject()
	for _, f := range fields.All() {
		if f.Get("open").IsNull() && f.Get("open_pattern").IsNull() {
			add(f, "close")
		}
	}
	return patterns
}

// holds tells whether a text is somewhere in a value.
func holds(v value.Value, text string) bool {
	if s, ok := v.AsString(); ok {
		return strings.Contains(s, text)
	}
	list, _ := v.AsArray()
	for _, item := range list.All() {
		if holds(item, text) {
			return true
		}
	}
	o, _ := v.AsObject()
	for _, item := range o.All() {
		if holds(item, text) {
			return true
		}
	}
	return text == ""
}
