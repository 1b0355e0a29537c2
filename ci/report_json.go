package ci

import (
	_ "embed"
	"io"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// ReportSchema is the JSON schema of what WriteJSON writes.
//
//go:embed schema/report.schema.json
var ReportSchema []byte

// reportVersion changes when a reader of the old form would go wrong.
const reportVersion = 1

// WriteJSON writes the whole result: every case with every answer and verdict.
// The same run writes the same bytes; schema/report.schema.json says what they
// are.
func (r *Report) WriteJSON(w io.Writer) error {
	n := r.Total()
	out := object(
		"report", value.Int(reportVersion),
		"version", value.String(r.Version),
		"seed", value.String(utoa(r.Seed)),
		"today", value.String(r.Today),
		"exit", value.Int(int64(r.ExitCode())),
		"interrupted", value.Bool(r.Interrupted),
		"engines", list(r.Engines, engineValue),
		"checkpoints", list(r.Checkpoints, func(c CheckpointResult) value.Value {
			return object("name", value.String(c.Name), "cases", value.Int(int64(c.Cases)), "engines", list(c.Engines, engineValue))
		}),
		"total", countsValue("", n),
		"suites", list(r.Suites(), func(s Suite) value.Value { return countsValue(s.Name, s.Counts) }),
		"cases", list(r.Cases, r.caseValue),
		"not_run", list(r.NotRun, func(n NotRun) value.Value {
			return object("id", value.String(n.ID), "why", value.String(n.Why))
		}),
		"decisions", list(r.Decisions, decisionValue),
		"known", list(r.Known, func(k KnownResult) value.Value {
			return object("id", value.String(k.ID), "cases", texts(k.Cases), "messages", texts(k.Messages), "fails", value.Bool(k.Fails))
		}),
	)
	_, err := w.Write(append(value.Append(nil, out, value.Style{Indent: "  "}), '\n'))
	return err
}

func engineValue(e engine.Info) value.Value {
	versions := &value.Object{}
	for _, v := range e.Versions {
		versions.Set(v.Name, value.String(v.Version))
	}
	return object("name", value.String(e.Name), "versions", versions.Value(),
		"checkpoint", value.String(e.Checkpoint), "checkpoint_hash", value.String(e.CheckpointHash),
		"formats", texts(e.Formats), "abilities", texts(e.Abilities), "notes", texts(e.Notes))
}

func countsValue(name string, n Counts) value.Value {
	o := &value.Object{}
	if name != "" {
		o.Set("suite", value.String(name))
	}
	for _, c := range []struct {
		name string
		n    int
	}{{"cases", n.Cases}, {"same", n.Same}, {"differ", n.Differ}, {"failed", n.Failed}, {"cannot", n.Cannot}, {"unstable", n.Unstable}, {"known", n.Known}} {
		o.Set(c.name, value.Int(int64(c.n)))
	}
	return o.Value()
}

func (r *Report) caseValue(c CaseResult) value.Value {
	repeat := ""
	if r.Command != nil {
		repeat = r.Command(c.Case.ID)
	}
	answers := &value.Object{}
	for _, a := range c.Outcomes {
		answers.Set(a.Engine, outcomeValue(a.Outcome))
	}
	return object(
		"id", value.String(c.Case.ID), "suite", value.String(c.Case.Suite), "kind", value.String(string(c.Case.Kind)),
		"format", value.String(c.Case.Format), "domain", value.String(string(c.Case.Domain)),
		"source", value.String(c.Case.Source), "decision", value.String(c.Case.Decision),
		"verdict", value.String(string(c.Kind())), "fails", value.Bool(c.Fails()),
		"feeds", value.Int(int64(c.Feeds)), "limited", value.Bool(c.Limited),
		"want_not_compared", value.String(c.WantNotCompared),
		"ids_not_compared", value.String(c.IDsNotCompared),
		"findings", list(c.Findings, func(f token.Finding) value.Value { return value.String(f.String()) }),
		"answers", answers.Value(),
		"verdicts", list(c.Verdicts, verdictValue),
		"repeat", value.String(repeat))
}

// outcomeValue holds a value as the text that json.dumps writes, since a value
// may be what strict JSON cannot say (NaN, a repeated surrogate), and since it
// is text that was compared.
func outcomeValue(o corpus.Outcome) value.Value {
	switch o.Kind {
	case corpus.OK:
		return object("json", value.String(value.Dumps(o.Value)))
	case corpus.Raised:
		return object("class", value.String(o.Class), "message", value.String(o.Message), "offset", value.Int(o.Offset))
	case corpus.Cannot:
		return object("cannot", value.String(o.Why))
	}
	return object("failed", value.String(o.Why))
}

func verdictValue(v Verdict) value.Value {
	where := value.Null()
	if v.Where != nil {
		where = object("path", value.String(v.Where.Path), "offset", value.Int(int64(v.Where.Offset)),
			"left", value.String(v.Where.Left), "right", value.String(v.Where.Right))
	}
	o := object(
		"left", value.String(v.Left), "right", value.String(v.Right),
		"verdict", value.String(string(v.Kind)), "fails", value.Bool(v.Fails),
		"what", value.String(v.What), "where", where)
	members, _ := o.AsObject()
	if !v.Chunks.IsNull() {
		members.Set("chunks", v.Chunks)
	}
	if v.KnownID != "" {
		members.Set("known", value.String(v.KnownID))
		members.Set("was", value.String(string(v.Was)))
	}
	if v.Kind != corpus.Same {
		members.Set("left_answer", outcomeValue(v.LeftOutcome))
		members.Set("right_answer", outcomeValue(v.RightOutcome))
	}
	return o
}

func decisionValue(d DecisionResult) value.Value {
	return object("decision", value.String(d.Decision), "engine", value.String(d.Engine), "cases", texts(d.Cases),
		"settings", texts(d.Settings), "settles", value.Int(int64(d.Settles)))
}

// object builds an object from names and values in turn.
func object(pairs ...any) value.Value {
	o := &value.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1].(value.Value))
	}
	return o.Value()
}

func list[T any](items []T, to func(T) value.Value) value.Value {
	out := make([]value.Value, len(items))
	for i, item := range items {
		out[i] = to(item)
	}
	return value.List(out...)
}

func texts(items []string) value.Value { return list(items, value.String) }
