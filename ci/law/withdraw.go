package law

import (
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// callers are all texts of a request, and the names of its objects, the longest
// first.
func callers(step *Step) []string {
	var out []string
	var walk func(v value.Value)
	walk = func(v value.Value) {
		switch v.Kind() {
		case value.KindString:
			out = append(out, text(v))
		case value.KindArray:
			a, _ := v.AsArray()
			for _, item := range a.All() {
				walk(item)
			}
		case value.KindObject:
			o, _ := v.AsObject()
			for name, item := range o.All() {
				out = append(out, name)
				walk(item)
			}
		}
	}
	for _, m := range step.Messages {
		walk(m)
	}
	walk(step.Tools)
	slices.SortStableFunc(out, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(out)
}

// withdraw takes out of a prompt those texts of the caller that a law would
// mistake for the template's, each for as many spaces. ok is false where one is
// in the prompt in a form that cannot be found.
func withdraw(prompt string, step *Step, mistaken func(text string) bool) (string, bool) {
	for _, text := range callers(step) {
		if !mistaken(text) {
			continue
		}
		places := all(prompt, text)
		if places == nil {
			if _, there := find(prompt, text, 0); there {
				return "", false
			}
		}
		for _, p := range places {
			prompt = prompt[:p.start] + strings.Repeat(" ", p.end-p.start) + prompt[p.end:]
		}
	}
	return prompt, true
}
