package ci

import (
	"fmt"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// judge compares two answers to a case of the kind. Errors of a parse are
// compared by class, since the library's texts embed Python's spellings; all
// other errors by class and text.
func judge(kind corpus.Kind, left, right corpus.Outcome) (corpus.Verdict, *Where, string) {
	for _, o := range []corpus.Outcome{left, right} {
		if o.Kind == corpus.Failed {
			return corpus.EngineFailed, nil, o.Why
		}
	}
	for _, o := range []corpus.Outcome{left, right} {
		if o.Kind == corpus.Cannot {
			return corpus.CannotSay, nil, o.Why
		}
	}
	switch {
	case left.Kind == corpus.OK && right.Kind == corpus.OK:
		l, r := left.Value, right.Value
		if kind == corpus.Mask || kind == corpus.EncodeIDs {
			l, r = sharedTokens(l, r)
		}
		if w := Locate("$", l, r); w != nil {
			return corpus.ValueDiffers, w, ""
		}
	case left.Kind != right.Kind:
		return corpus.ErrorDiffers, &Where{Path: "$error", Offset: -1, Left: told(left), Right: told(right)}, ""
	case left.Class != right.Class:
		return corpus.ErrorDiffers, whereText("$error.class", left.Class, right.Class), ""
	case kind != corpus.Parse && left.Message != right.Message:
		return corpus.ErrorDiffers, whereText("$error.message", left.Message, right.Message), ""
	}
	return corpus.Same, nil, ""
}

// told is an outcome in one line, for a difference where one side raised.
func told(o corpus.Outcome) string {
	if o.Kind == corpus.OK {
		return short(o.Value)
	}
	return Visible(o.Class + ": " + o.Message)
}

// unlike compares two answers of one engine to the same question, asked in two
// ways; nil where they are one. Offsets of errors count here, and so does text.
func unlike(first, again corpus.Outcome) *Where {
	switch {
	case first.Kind != again.Kind:
		return &Where{Path: "$", Offset: -1, Left: toldAll(first), Right: toldAll(again)}
	case first.Kind == corpus.OK:
		return Locate("$", first.Value, again.Value)
	case first.Kind == corpus.Raised && first.Class != again.Class:
		return whereText("$error.class", first.Class, again.Class)
	case first.Kind == corpus.Raised && first.Message != again.Message:
		return whereText("$error.message", first.Message, again.Message)
	case first.Kind == corpus.Raised && first.Offset != again.Offset:
		return &Where{Path: "$error.offset", Offset: -1, Left: fmt.Sprint(first.Offset), Right: fmt.Sprint(again.Offset)}
	}
	return nil
}

func toldAll(o corpus.Outcome) string {
	switch o.Kind {
	case corpus.Cannot, corpus.Failed:
		return o.Kind.String() + ": " + o.Why
	}
	return told(o)
}

// mergeEvents brings the events of a stream into one list, whatever the feeds
// were: neighbouring chunks of one region become one.
func mergeEvents(stream value.Value) value.Value {
	var merged []value.Value
	add := func(events value.Value) {
		list, _ := events.AsArray()
		for _, e := range list.All() {
			if n := len(merged); n > 0 && sameRegionChunk(merged[n-1], e) {
				o, _ := merged[n-1].AsObject()
				before, _ := o.Get("text")
				l, _ := before.AsString()
				r, _ := e.Get("text").AsString()
				o.Set("text", value.String(l+r))
				continue
			}
			merged = append(merged, e.Clone())
		}
	}
	add(stream.Get("initial"))
	feeds, _ := stream.Get("feeds").AsArray()
	for _, f := range feeds.All() {
		add(f)
	}
	add(stream.Get("final"))
	return value.List(merged...)
}

func sameRegionChunk(a, b value.Value) bool {
	for _, e := range []value.Value{a, b} {
		if t, _ := e.Get("type").AsString(); t != "region_chunk" {
			return false
		}
	}
	return value.Equal(a.Get("field"), b.Get("field")) && value.Equal(a.Get("dirty"), b.Get("dirty"))
}

// streamed is a stream's answer with its events merged and what else it says
// left out: what every cut of a reply must agree on.
func streamed(o corpus.Outcome) corpus.Outcome {
	if o.Kind == corpus.OK {
		o.Value = value.Members(
			value.Member{Name: "message", Value: o.Value.Get("message")},
			value.Member{Name: "events", Value: mergeEvents(o.Value)})
	}
	return o
}
