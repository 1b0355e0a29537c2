package finding

import (
	"fmt"
	"math"
	"strconv"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// FileError says why a file is no finding.
type FileError struct {
	File string // as it was given to Decode
	Path string // JSON path of the fault; "" is the whole
	Msg  string
	Err  error // the cause, where another package found it
}

func (e *FileError) Error() string {
	at := e.File
	if e.Path != "" {
		at += ": " + e.Path
	}
	return at + ": " + e.Msg
}

func (e *FileError) Unwrap() error { return e.Err }

// IsFinding tells whether a file is meant to be a finding, and not a case.
func IsFinding(data []byte) bool {
	v, err := value.Loads(string(data))
	return err == nil && !v.Get("finding").IsNull()
}

// Decode reads a finding. name is the file's, for errors, which are
// *[FileError].
func Decode(data []byte, name string) (*Finding, error) {
	root, err := value.Loads(string(data))
	if err != nil {
		return nil, &FileError{File: name, Msg: "is not JSON: " + err.Error(), Err: err}
	}
	r := &reader{file: name}
	if n := r.integer(root, "", "finding"); r.err == nil && n != format {
		return nil, &FileError{File: name, Path: "finding", Msg: fmt.Sprintf("is %d, and this program reads findings of the form %d", n, format)}
	}
	f := &Finding{Signature: Signature(r.text(root, "", "signature"))}
	for _, s := range r.texts(root, "", "also") {
		f.Also = append(f.Also, Signature(s))
	}
	f.Case, f.Found = r.kase(root, "case"), r.kase(root, "found")
	f.Stable, f.Shrunk = r.bool(root, "stable"), r.bool(root, "shrunk")
	f.Tries, f.Met = r.integer(root, "", "tries"), r.integer(root, "", "met")
	v := root.Get("verdict")
	f.Verdict = Verdict{
		Kind: corpus.Verdict(r.text(v, "verdict.", "kind")), Left: r.text(v, "verdict.", "left"), Right: r.text(v, "verdict.", "right"),
		Path: r.text(v, "verdict.", "path"), Offset: r.integer(v, "verdict.", "offset"), LeftText: r.text(v, "verdict.", "left_text"),
		RightText: r.text(v, "verdict.", "right_text"), What: r.text(v, "verdict.", "what"), Chunks: v.Get("chunks"), Fails: true}
	o := root.Get("origin")
	seed, err := strconv.ParseUint(r.text(o, "origin.", "seed"), 10, 64)
	if err != nil {
		r.fail("origin.seed", "must be a number")
	}
	f.Origin = Origin{Beamdiff: r.text(o, "origin.", "beamdiff"), Seed: seed, Number: r.integer(o, "origin.", "number"), Generator: r.text(o, "origin.", "generator")}
	for i, e := range r.list(root, "engines") {
		f.Engines = append(f.Engines, r.info(e, fmt.Sprintf("engines[%d].", i)))
	}
	for i, a := range r.list(root, "answers") {
		at := fmt.Sprintf("answers[%d].", i)
		f.Answers = append(f.Answers, Answer{Engine: r.text(a, at, "engine"), Op: engine.Op(r.text(a, at, "op")), Chunks: a.Get("chunks"),
			Outcome: r.outcome(a.Get("outcome"), at+"outcome")})
	}
	if r.err != nil {
		return nil, r.err
	}
	return f, nil
}

// reader reads the members of a finding and keeps the first fault.
type reader struct {
	file string
	err  error
}

func (r *reader) fail(path, msg string) {
	if r.err == nil {
		r.err = &FileError{File: r.file, Path: path, Msg: msg}
	}
}

func (r *reader) text(v value.Value, at, key string) string {
	s, ok := v.Get(key).AsString()
	if !ok {
		r.fail(at+key, "must be a string")
	}
	return s
}

func (r *reader) integer(v value.Value, at, key string) int {
	n, ok := v.Get(key).AsInt()
	if !ok {
		r.fail(at+key, "must be a whole number")
	}
	return int(n)
}

func (r *reader) bool(v value.Value, key string) bool {
	b, ok := v.Get(key).AsBool()
	if !ok {
		r.fail(key, "must be true or false")
	}
	return b
}

func (r *reader) list(v value.Value, key string) (items []value.Value) {
	a, ok := v.Get(key).AsArray()
	if !ok {
		r.fail(key, "must be a list")
	}
	for _, item := range a.All() {
		items = append(items, item)
	}
	return items
}

func (r *reader) texts(v value.Value, at, key string) (texts []string) {
	a, ok := v.Get(key).AsArray()
	for _, item := range a.All() {
		s, isText := item.AsString()
		ok = ok && isText
		texts = append(texts, s)
	}
	if !ok {
		r.fail(at+key, "must be a list of strings")
	}
	return texts
}

// kase reads a case, which says its kind.
func (r *reader) kase(root value.Value, key string) corpus.Case {
	cases, err := corpus.Decode(appendJSON(nil, root.Get(key)), r.file)
	if err == nil && len(cases) == 1 {
		return cases[0]
	}
	msg := "is not one case"
	if err != nil {
		msg = err.Error()
	}
	if r.err == nil {
		r.err = &FileError{File: r.file, Path: key, Msg: msg, Err: err}
	}
	return corpus.Case{}
}

func (r *reader) info(v value.Value, at string) engine.Info {
	in := engine.Info{Name: r.text(v, at, "name"), Checkpoint: r.text(v, at, "checkpoint"), CheckpointHash: r.text(v, at, "checkpoint_hash")}
	versions, ok := v.Get("versions").AsObject()
	if !ok {
		r.fail(at+"versions", "must be an object")
	}
	for name := range versions.All() {
		in.Versions = append(in.Versions, engine.Version{Name: name, Version: r.text(versions.Value(), at+"versions.", name)})
	}
	in.Formats, in.Abilities, in.Notes = r.texts(v, at, "formats"), r.texts(v, at, "abilities"), r.texts(v, at, "notes")
	return in
}

func (r *reader) outcome(v value.Value, at string) corpus.Outcome {
	o := corpus.Outcome{Offset: -1}
	if members, ok := v.AsObject(); !ok || members.Len() != 1 {
		r.fail(at, "must be one of ok, error, cannot and failed")
		return o
	}
	m, _ := v.AsObject()
	switch m.At(0).Name {
	case "ok":
		o.Kind, o.Value = corpus.OK, m.At(0).Value
	case "error":
		e := m.At(0).Value
		o.Kind, o.Class, o.Message = corpus.Raised, r.text(e, at+".error.", "class"), r.text(e, at+".error.", "message")
		o.Offset = int64(r.integer(e, at+".error.", "offset"))
	case "cannot":
		o.Kind, o.Why = corpus.Cannot, r.text(v, at+".", "cannot")
	case "failed":
		o.Kind, o.Why = corpus.Failed, r.text(v, at+".", "failed")
	default:
		r.fail(at, "must be one of ok, error, cannot and failed")
	}
	return o
}

// appendJSON writes a value as a case file has it: an infinity, which JSON has no
// word for, as a number that reads back as one.
func appendJSON(dst []byte, v value.Value) []byte {
	switch v.Kind() {
	case value.KindArray:
		a, _ := v.AsArray()
		dst = append(dst, '[')
		for i, item := range a.All() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, item)
		}
		return append(dst, ']')
	case value.KindObject:
		o, _ := v.AsObject()
		dst = append(dst, '{')
		for i := range o.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(value.PyDumps.AppendString(dst, o.At(i).Name), ':')
			dst = appendJSON(dst, o.At(i).Value)
		}
		return append(dst, '}')
	case value.KindFloat:
		f, _ := v.AsFloat()
		switch {
		case math.IsInf(f, 1):
			return append(dst, "1e999"...)
		case math.IsInf(f, -1):
			return append(dst, "-1e999"...)
		}
	}
	return value.Append(dst, v, value.PyDumps)
}
