package finding

import (
	"fmt"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// format is the version of a finding's file.
const format = 1

// object builds a JSON object of names and values in turn.
func object(pairs ...any) value.Value {
	o := value.NewObject(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case value.Value:
			o.Set(pairs[i].(string), v)
		case string:
			o.Set(pairs[i].(string), value.String(v))
		case int:
			o.Set(pairs[i].(string), value.Int(int64(v)))
		case bool:
			o.Set(pairs[i].(string), value.Bool(v))
		}
	}
	return o.Value()
}

func list[T any](items []T, write func(T) value.Value) value.Value {
	out := make([]value.Value, len(items))
	for i, item := range items {
		out[i] = write(item)
	}
	return value.List(out...)
}

// Encode writes the finding as a file: one JSON object, in which NaN and
// Infinity stand as Python writes them. The error is that of corpus.EncodeOne.
func (f *Finding) Encode() ([]byte, error) {
	small, err := caseValue(f.Case)
	if err != nil {
		return nil, err
	}
	found, err := caseValue(f.Found)
	if err != nil {
		return nil, err
	}
	v := object(
		"finding", format,
		"signature", string(f.Signature),
		"also", list(f.Also, func(s Signature) value.Value { return value.String(string(s)) }),
		"verdict", object("kind", string(f.Verdict.Kind), "left", f.Verdict.Left, "right", f.Verdict.Right,
			"path", f.Verdict.Path, "offset", f.Verdict.Offset, "left_text", f.Verdict.LeftText, "right_text", f.Verdict.RightText,
			"what", f.Verdict.What, "chunks", f.Verdict.Chunks),
		"case", small,
		"found", found,
		"stable", f.Stable,
		"shrunk", f.Shrunk,
		"tries", f.Tries,
		"met", f.Met,
		"origin", object("beamdiff", f.Beamdiff, "seed", fmt.Sprint(f.Seed), "number", f.Number, "generator", f.Generator),
		"engines", list(f.Engines, infoValue),
		"answers", list(f.Answers, func(a Answer) value.Value {
			return object("engine", a.Engine, "op", string(a.Op), "chunks", a.Chunks, "outcome", outcomeValue(a.Outcome))
		}))
	return append(value.Append(nil, v, value.Style{Indent: " "}), '\n'), nil
}

func caseValue(c corpus.Case) (value.Value, error) {
	text, err := corpus.EncodeOne(c)
	if err != nil {
		return value.Null(), err
	}
	return value.Loads(string(text))
}

func texts(items []string) value.Value { return list(items, value.String) }

func infoValue(in engine.Info) value.Value {
	versions := &value.Object{}
	for _, v := range in.Versions {
		versions.Set(v.Name, value.String(v.Version))
	}
	return object("name", in.Name, "versions", versions.Value(), "checkpoint", in.Checkpoint, "checkpoint_hash", in.CheckpointHash,
		"formats", texts(in.Formats), "abilities", texts(in.Abilities), "notes", texts(in.Notes))
}

func outcomeValue(o corpus.Outcome) value.Value {
	switch o.Kind {
	case corpus.OK:
		return object("ok", o.Value)
	case corpus.Raised:
		return object("error", object("class", o.Class, "message", o.Message, "offset", int(o.Offset)))
	case corpus.Cannot:
		return object("cannot", o.Why)
	}
	return object("failed", o.Why)
}
