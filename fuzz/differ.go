package fuzz

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Differ asks the reference about inputs and compares its answers for the whole
// reply with the subject's for any cut.
type Differ struct {
	Reference engine.Engine
	Subject   Subject
	// Inflight is the number of inputs that are asked about at once; 0 means 32.
	Inflight int
}

// Difference is an input that the subject and the reference read differently.
type Difference struct {
	Input *Input
	What  string // message, events or error
	// Native and Reference are the two answers, as text.
	Native, Reference string
}

// String is a repro to paste: the input and both answers.
func (d *Difference) String() string {
	return fmt.Sprintf("the %s differs\n%s  native    %s\n  reference %s\n", d.What, d.Input.repro(d.Input.Cut), d.Native, d.Reference)
}

// Report is what a run of a Differ found.
type Report struct {
	Pairs       int // replies with a cut that both sides read
	Errors      int // of them the reference raised
	Unstable    int // of them the reference answers otherwise when the reply is cut
	Failed      []string
	Differences []*Difference
}

func (r *Report) String() string {
	return fmt.Sprintf("%d pairs, %d with a reference error, %d unstable in the reference, %d failed, %d differences",
		r.Pairs, r.Errors, r.Unstable, len(r.Failed), len(r.Differences))
}

// Merge adds another report.
func (r *Report) Merge(o *Report) {
	r.Pairs += o.Pairs
	r.Errors += o.Errors
	r.Unstable += o.Unstable
	r.Failed = append(r.Failed, o.Failed...)
	r.Differences = append(r.Differences, o.Differences...)
}

// answer is what one side gives, as text to compare.
type answer struct{ class, message, events string }

// Run compares n inputs that next makes, by their number.
func (d *Differ) Run(ctx context.Context, n int, next func(i int) *Input) *Report {
	var report Report
	var mu sync.Mutex
	InFlight(n, d.Inflight, func(i int) func() {
		in := next(i)
		return func() {
			one := d.compare(ctx, in, i%8 == 0)
			mu.Lock()
			defer mu.Unlock()
			report.Merge(one)
		}
	})
	return &report
}

// compare asks about one input. The operation parse, which is the same reading
// without events, is asked too where all is set.
func (d *Differ) compare(ctx context.Context, in *Input, all bool) *Report {
	r := &Report{}
	whole, why := d.ask(ctx, engine.OpStream, in, nil)
	cut, whyCut := d.ask(ctx, engine.OpStream, in, in.Cut.At)
	if why += whyCut; why != "" {
		r.Failed = append(r.Failed, why+"\n"+in.repro(in.Cut))
		return r
	}
	r.Pairs++
	if whole.class != "" {
		r.Errors++
	}
	if whole != cut {
		r.Unstable++
	}
	differs := func(what, native, reference string) bool {
		if native == reference {
			return false
		}
		r.Differences = append(r.Differences, &Difference{in, what, native, reference})
		return true
	}
	if all {
		parsed, why := d.ask(ctx, engine.OpParse, in, nil)
		if why != "" {
			r.Failed = append(r.Failed, why+"\n"+in.repro(in.Cut))
		}
		if differs("reference's own message", whole.class+whole.message, parsed.class+parsed.message) {
			return r
		}
	}
	for _, c := range []Cut{{}, in.Cut} {
		got := d.native(in, c)
		if differs("error", got.class, whole.class) || differs("message", got.message, whole.message) || differs("events", got.events, whole.events) {
			return r
		}
	}
	return r
}

func (d *Differ) native(in *Input, cut Cut) answer {
	r := d.Subject.Read(in, in.Options(), cut)
	if class, _ := ErrorOf(r.Err); class != "" {
		return answer{class: class}
	}
	return answer{message: r.Message, events: Merged(r.Events)}
}

// ask asks the reference, which is fed at the positions of a cut, or whole.
func (d *Differ) ask(ctx context.Context, op engine.Op, in *Input, at []int) (a answer, failed string) {
	out := d.Reference.Do(ctx, engine.Request{Op: op, Case: in.Case(at)})
	switch {
	case out.Kind == corpus.Raised:
		return answer{class: out.Class}, ""
	case out.Kind != corpus.OK:
		return a, fmt.Sprintf("%s: %s", out.Kind, out.Why)
	case op == engine.OpParse:
		return answer{message: value.Dumps(out.Value)}, ""
	}
	return answer{message: value.Dumps(out.Value.Get("message")), events: MergedStream(out.Value)}, ""
}

// Case is the input as the keys of a parse case, cut at positions in bytes that
// are not inside a character.
func (in *Input) Case(at []int) *value.Object {
	o := value.NewObject(5)
	o.Set("reply", value.String(in.Reply))
	o.Set("prefix", value.String(in.Prefix))
	o.Set("response_template", in.Template.Spec)
	if in.Tools != nil {
		o.Set("tools", value.List(in.Tools...))
	}
	if token, ok := in.Stop.Token(); ok {
		o.Set("stop", value.Members(value.Member{Name: "token", Value: value.String(token)}))
	} else if in.Stop.Length() {
		o.Set("stop", value.String("length"))
	}
	if len(at) > 0 {
		index := corpus.NewIndex(in.Reply)
		chunks := make([]value.Value, len(at))
		for i, pos := range at {
			char, _ := index.Char(pos)
			chunks[i] = value.Int(int64(char))
		}
		o.Set("chunks", value.List(chunks...))
	}
	return o
}

// MergedStream is [Merged] for the answer to a stream request.
func MergedStream(stream value.Value) string {
	var out []value.Value
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			o, _ := out[len(out)-1].AsObject()
			o.Set("text", value.String(text.String()))
			text.Reset()
		}
	}
	add := func(events value.Value) {
		list, _ := events.AsArray()
		for _, e := range list.All() {
			chunk, isChunk := e.Get("text").AsString()
			if !isChunk || text.Len() == 0 {
				flush()
				out = append(out, e)
			}
			text.WriteString(chunk)
		}
	}
	add(stream.Get("initial"))
	feeds, _ := stream.Get("feeds").AsArray()
	for _, f := range feeds.All() {
		add(f)
	}
	add(stream.Get("final"))
	flush()
	return value.Dumps(value.List(out...))
}
