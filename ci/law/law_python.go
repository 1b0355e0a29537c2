package law

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// leaks are what Python writes where JSON or a text belongs.
var leaks = []struct {
	form   *regexp.Regexp
	what   string
	object bool // that no call of Python's may hold either
}{
	{regexp.MustCompile(`\[\{'|\{'[^'\n]*': |\['[^'\n]*'(?:, '|\])`), "a list or an object in Python's spelling", false},
	{regexp.MustCompile(`<[a-zA-Z_.]+ object at 0x[0-9a-f]+>|<bound method |<built-in method |<function [a-z_.]+ at |<generator object|dict_(?:items|keys|values)\(\[|<Macro `), "an object of Python's", true},
	{regexp.MustCompile(`(?:^|[^\pL\pN_'"])(None)(?:[^\pL\pN_'"]|$)`), "None, where JSON has null", false},
	{regexp.MustCompile(`(?:^|[^\pL\pN_'"])(True|False)(?:[^\pL\pN_'"]|$)`), "True or False, where JSON has true or false", false},
	{regexp.MustCompile(`(?:^|[^\pL\pN_'"])(Undefined|nan|inf)(?:[^\pL\pN_'"]|$)`), "a value of Python's that is none of JSON's", true},
}

var noPython = Law{
	Rule: rule("render/no-python", report.Error, "No spelling of Python's gets into a prompt: null is not None, true is not True, an object is JSON"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		shapes, err := s.rendered(ctx)
		if err != nil {
			return err
		}
		own := prose(checkpoint.Literals(s.ChatTemplate))
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
					if own.says(left, at[0], at[1]) || !l.object && r.calledInPython(left, at[0]) {
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
	for _, l := range leaks {
		if l.form.MatchString(text) {
			return true
		}
	}
	return false
}

// prose are the template's own words, which may speak of None.
type prose []string

// besideLeak is how many bytes beside a leak have to be the template's own, too.
const besideLeak = 8

// says tells whether what stands from start to end of a prompt is in the template's
// own words: with what stands before it, or with what follows.
func (own prose) says(prompt string, start, end int) bool {
	before := prompt[cut(prompt, start-besideLeak):end]
	after := prompt[start:cut(prompt, end+besideLeak)]
	return slices.ContainsFunc(own, func(text string) bool {
		return strings.Contains(text, before) || strings.Contains(text, after)
	})
}

// calledInPython tells whether a byte of a prompt is among the arguments of a call
// that is written as one of Python's, f(a=True): there its spelling is right.
func (r *rendered) calledInPython(prompt string, at int) bool {
	for _, w := range wordsOf(r.Last().Messages) {
		if w.kind != kindCall {
			continue
		}
		from := strings.LastIndex(prompt[:at], w.text+"(")
		if from < 0 {
			continue
		}
		arguments := prompt[from+len(w.text) : at+1]
		if strings.Contains(arguments, "=") && !strings.Contains(arguments, "<|") {
			return true
		}
	}
	return false
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
