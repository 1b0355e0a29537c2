package ci

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// vocabulary is that of the native engine, which is beside it; nil where there is
// none.
func (r *Runner) vocabulary() (*token.Vocabulary, *engine.Native) {
	for _, e := range r.Engines {
		if n, ok := e.(*engine.Native); ok {
			if v, err := n.Vocabulary(); err == nil {
				return v, n
			}
		}
	}
	return nil, nil
}

// forged are the added tokens that the texts of a conversation spell. Where it is
// encoded safely they are those in the names of members, which the reference does
// not look at.
func forged(v *token.Vocabulary, in *value.Object) []token.Finding {
	safe, _ := in.Get("sanitize_control_tokens")
	texts := &value.Object{}
	for name, v := range in.All() {
		if name == "chat_template" || name == "date" {
			continue
		}
		if safe.Truthy() {
			v = names(v)
		}
		texts.Set(name, v)
	}
	found, err := token.Forged(v, texts.Value())
	if err != nil { // a text that the tokenizer's normalizer cannot be followed on
		found = append(found, token.Finding{Law: token.LawForged, Offset: -1, Detail: err.Error()})
	}
	return found
}

// names is a value without its texts: what is left are the names of members.
func names(v value.Value) value.Value {
	switch v.Kind() {
	case value.KindArray:
		items, _ := v.AsArray()
		out := value.List()
		a, _ := out.AsArray()
		for _, item := range items.All() {
			a.Append(names(item))
		}
		return out
	case value.KindObject:
		o, _ := v.AsObject()
		out := &value.Object{}
		for name, member := range o.All() {
			out.Set(name, names(member))
		}
		return out.Value()
	}
	return value.Null()
}

// laws holds a case and its ids against the laws of tokens, where the native
// engine knows the checkpoint's.
func (j *judging) laws(ctx context.Context) {
	v, native := j.runner.vocabulary()
	if v == nil {
		return
	}
	if j.c.Kind == corpus.Parse {
		j.result.Findings = stripped(v, native, j.c.Input)
		return
	}
	j.result.Findings = forged(v, j.c.Input)
	for _, key := range []string{"truncation", "padding", "sanitize_control_tokens"} {
		if asked, _ := j.c.Input.Get(key); asked.Truthy() {
			return // the ids are not those of the text
		}
	}
	for _, a := range j.result.Outcomes {
		if !hasIDs(a.Outcome) {
			continue
		}
		text, _ := a.Outcome.Value.Get("text").AsString()
		e, ok := encodingOf(a.Outcome.Value, text)
		if !ok {
			continue // which is a difference
		}
		j.result.Findings = append(j.result.Findings, token.CheckEncoding(v, text, e)...)
		for _, f := range control(ctx, v, native, j.c, text, e) {
			told := func(g token.Finding) bool { return g.Path == f.Path && g.Offset == f.Offset && g.Token == f.Token }
			if !slices.ContainsFunc(j.result.Findings, told) {
				j.result.Findings = append(j.result.Findings, f)
			}
		}
		spans, isMask := byteSpans(a.Outcome.Value.Get("spans"), text)
		bits, hasMask := integers(a.Outcome.Value.Get("assistant_masks"))
		if isMask && hasMask && j.runner.Format == "beam" {
			mask := make([]bool, len(bits))
			for i, bit := range bits {
				mask[i] = bit == 1
			}
			j.result.Findings = append(j.result.Findings, token.CheckMask(v, e, mask, spans, beam.StopTokens())...)
		}
		return // the ids of the others are the same, or differ
	}
}

// control compares the control ids of a prompt with the markers that the native
// renderer wrote; it tells the texts of the request that wrote others. None where
// it does not render the same prompt.
func control(ctx context.Context, v *token.Vocabulary, native *engine.Native, c corpus.Case, text string, e token.Encoding) []token.Finding {
	tracer := token.NewTracer(v)
	marked, err := tracer.Mark(c.Input.Value())
	if err != nil {
		return nil // as CheckEncoding tells
	}
	request, _ := marked.AsObject()
	op := engine.OpEncode
	if c.Kind == corpus.Mask {
		op = engine.OpMask
	}
	prompt, _ := native.Do(ctx, engine.Request{Op: op, Case: request}).Value.Get("text").AsString()
	trace, err := tracer.Trace(prompt)
	if err != nil || trace.Text != text {
		return nil
	}
	return token.CheckControl(v, trace, e)
}

// stripped looks whether a reply in ids is told from the same without its special
// tokens, as the native engine reads both.
func stripped(v *token.Vocabulary, native *engine.Native, in *value.Object) []token.Finding {
	given, _ := in.Get("reply_ids")
	list, ok := integers(given)
	if !ok {
		return nil
	}
	ids := make([]token.ID, len(list))
	for i, id := range list {
		ids[i] = token.ID(id)
	}
	return token.CheckStripped(v, ids, func(text string) (harmony.Reply, error) {
		c := value.NewObject(in.Len())
		for name, v := range in.All() {
			if name != "reply_ids" && name != "chunks" {
				c.Set(name, v)
			}
		}
		c.Set("reply", value.String(text))
		r := native.Read(c, engine.ReadOptions{Problems: true})
		if r.Outcome.Kind != corpus.OK {
			return harmony.Reply{}, fmt.Errorf("%s: %s", r.Outcome.Class, r.Outcome.Message)
		}
		return harmony.Reply{Message: r.Outcome.Value, Problems: r.Problems}, nil
	})
}

// encodingOf reads the ids of an answer, with their offsets in bytes.
func encodingOf(v value.Value, text string) (e token.Encoding, ok bool) {
	ids, ok := integers(v.Get("input_ids"))
	if !ok {
		return e, false
	}
	for _, id := range ids {
		e.IDs = append(e.IDs, token.ID(id))
	}
	e.Offsets, ok = byteSpans(v.Get("offsets"), text)
	return e, ok
}

// byteSpans reads ranges of characters as spans of bytes.
func byteSpans(v value.Value, text string) ([]harmony.Span, bool) {
	ranges, ok := pairs(v)
	if !ok {
		return nil, false
	}
	index := corpus.NewIndex(text)
	spans := make([]harmony.Span, len(ranges))
	for i, r := range ranges {
		start, ok1 := index.Byte(int(r[0]))
		end, ok2 := index.Byte(int(r[1]))
		if !ok1 || !ok2 {
			return nil, false
		}
		spans[i] = harmony.Span{Start: int64(start), End: int64(end)}
	}
	return spans, true
}

// findings tells which laws of tokens the cases break: a line for each law, under
// Verbose each finding.
func (r *Report) findings(b *bytes.Buffer) {
	var groups []group
	for _, c := range r.Cases {
		for _, f := range c.Findings {
			groups = under(groups, lawNote(f.Law), c.Case.ID)
		}
	}
	r.grouped(b, "Laws of token ids that cases break, which fails nothing", groups)
	if !r.Verbose {
		return
	}
	for _, c := range r.Cases {
		for _, f := range c.Findings {
			fmt.Fprintf(b, "  %s: %s\n", c.Case.ID, printable(f.String()))
		}
	}
}

// lawNote says what a law is about.
func lawNote(law token.Law) string {
	if law == token.LawForged {
		return law.String() + ", a caller's text writes a control token"
	}
	return law.String()
}
