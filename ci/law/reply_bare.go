package law

import (
	"context"
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// askBare looks for what should not be in a message that was read: markers, nulls,
// empty fields; and reads a turn of the stop token alone, and one of nothing.
func askBare(ctx context.Context, s *Subject, found Found) error {
	written, err := s.turns(ctx)
	if err != nil {
		return err
	}
	var cases []corpus.Case
	var stops []string
	seen := map[string]bool{}
	for i := range written.turns {
		t := &written.turns[i]
		if t.quotes {
			continue
		}
		if !seen[t.stop] { // a model that has nothing to say
			seen[t.stop] = true
			cases, stops = append(cases, t.read("nothing", t.prompt, t.stop)), append(stops, t.stop)
		}
		cases, stops = append(cases, t.read("read", t.prompt, t.text)), append(stops, t.stop)
	}
	got, err := parse(ctx, s, "reply/bare", cases)
	if err != nil {
		return err
	}
	for i, o := range got {
		reply, _ := cases[i].Input.Get("reply")
		if o.Kind == corpus.Raised {
			if text(reply) == stops[i] {
				found(cases[i], Trouble{Level: report.Warning, Cause: "nothing raises " + o.Class, Message: "a turn of nothing but its end cannot be read: " + told(o), Places: templatePlace})
			}
			continue // reply/reads-back tells it
		}
		markers := append([]string{stops[i]}, s.Added...)
		var troubles []Trouble
		o, _ := o.Value.AsObject()
		for key, v := range o.All() {
			for _, t := range notBare(key, v, markers) {
				if text(reply) == stops[i] { // a model that stops where it never should
					t.Level, t.Cause = report.Warning, t.Cause+" of a turn of nothing"
				}
				troubles = append(troubles, t)
			}
		}
		found(cases[i], troubles...)
	}
	return nil
}

// notBare is what is wrong with a field of a message.
func notBare(key string, v value.Value, markers []string) (out []Trouble) {
	trouble := func(cause, message string) {
		out = append(out, Trouble{Cause: cause + " in " + key, Message: message, Places: templatePlace,
			Witness: report.Witness{At: "the message, " + key, Sides: []report.Side{{Name: "read", Text: value.Dumps(v)}}}})
	}
	switch v.Kind() {
	case value.KindNull:
		trouble("null", fmt.Sprintf("the field %s of the message is null", key))
	case value.KindString:
		for _, marker := range markers {
			if marker != "" && strings.Contains(text(v), marker) {
				trouble("marker", fmt.Sprintf("the marker %s is left in the field %s", marker, key))
				break
			}
		}
		if text(v) == "" {
			trouble("empty text", fmt.Sprintf("the field %s is there and empty: it comes from the template's defaults", key))
		}
	case value.KindArray:
		if a, _ := v.AsArray(); a.Len() == 0 {
			trouble("empty list", fmt.Sprintf("the field %s is there and empty: it comes from the template's defaults", key))
		}
	}
	return out
}
