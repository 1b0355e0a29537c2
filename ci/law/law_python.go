package law

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/beamdiff/beamdiff/ci/report"
)

// leaks are what Python writes where JSON or a text belongs.
var leaks = []struct {
	form *regexp.Regexp
	what string
}{
	{regexp.MustCompile(`\[\{'|\{'[^'\n]*': |\['[^'\n]*'(?:, '|\])`), "a list or an object in Python's spelling"},
	{regexp.MustCompile(`<[a-zA-Z_.]+ object at 0x[0-9a-f]+>|<bound method |<built-in method |<function [a-z_.]+ at |<generator object|dict_(?:items|keys|values)\(\[|<Macro `), "an object of Python's"},
	{regexp.MustCompile(`(?:^|[^\pL\pN_'"])(None)(?:[^\pL\pN_'"]|$)`), "None, where JSON has null"},
	{regexp.MustCompile(`(?:^|[^\pL\pN_'"])(True|False)(?:[^\pL\pN_'"]|$)`), "True or False, where JSON has true or false"},
	{regexp.MustCompile(`(?:^|[^\pL\pN_'"])(Undefined|nan|inf)(?:[^\pL\pN_'"]|$)`), "a value of Python's that is none of JSON's"},
}

var noPython = Law{
	Rule: rule("render/no-python", report.Error, "No spelling of Python's gets into a prompt: null is not None, true is not True, an object is JSON"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		shapes, err := s.rendered(ctx)
		if err != nil {
			return err
		}
		preface, err := s.ownWords(ctx)
		if err != nil {
			return err
		}
		for _, r := range shapes {
			p, ok := r.last()
			if !ok {
				continue
			}
			left, ok := withdraw(p, r.Last(), leaky)
			if !ok {
				continue
			}
			var troubles []Trouble
			for _, l := range leaks {
				for _, at := range l.form.FindAllStringIndex(left, -1) {
					if slices.Contains(preface, left[at[0]:at[1]]) {
						continue
					}
					where := near(left, at[0], r)
					troubles = append(troubles, Trouble{
						Level: r.level(), Cause: l.what + " " + where,
						Message: fmt.Sprintf("%s: %s, %s", r.ID, l.what, where),
						Advice:  "write values with tojson, and leave out what is none",
						Witness: around("the prompt", p, at[0]),
						wrote:   wrote(at[0]),
					})
					break
				}
			}
			found(r.Last().Prompt, troubles...)
		}
		return nil
	},
}

func leaky(text string) bool {
	return slices.ContainsFunc(leaks, func(l struct {
		form *regexp.Regexp
		what string
	}) bool {
		return l.form.MatchString(text)
	})
}

// ownWords are what in the simplest prompt looks like Python: the template's own
// prose may speak of None.
func (s *Subject) ownWords(ctx context.Context) ([]string, error) {
	var out []string
	for _, id := range []string{"one-question", "tools-unused"} {
		r, err := s.shape(ctx, id)
		if err != nil {
			return nil, err
		}
		p, ok := r.last()
		if !ok {
			continue
		}
		for _, l := range leaks[2:] {
			out = append(out, l.form.FindAllString(p, -1)...)
		}
	}
	return out, nil
}

// near says in what of the request a byte of a prompt is.
func near(prompt string, at int, r *rendered) string {
	messages := r.Last().Messages
	best, last := -1, -1 // where the last text before it stands, and its message
	for _, w := range wordsOf(messages) {
		if p, ok := find(prompt, w.text, 0); ok && w.kind != kindKey && w.kind != kindCall && p.start <= at && p.start > best {
			best, last = p.start, w.message
		}
	}
	role := func(i int) string {
		if i < 0 || i >= len(messages) {
			return ""
		}
		return text(messages[i].Get("role"))
	}
	calls := func(i int) bool { return i >= 0 && i < len(messages) && messages[i].Get("tool_calls").Truthy() }
	switch {
	case (last < 0 || role(last) == "system") && r.Last().Tools.Truthy():
		return "in the declaration of tools"
	case calls(last) || calls(last+1):
		return "in a call"
	case role(last) == "tool" || role(last+1) == "tool":
		return "in a result"
	}
	return "in the content of a message"
}
