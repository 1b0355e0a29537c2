package gate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// fieldPlaces are where the response templates differ: in the field in which
// messages part if that one changed, else in each that did.
func (r *run) fieldPlaces(field string) (out []report.Place) {
	changed := changedFields(r.base.Checkpoint.ResponseTemplate, r.cand.Checkpoint.ResponseTemplate)
	name, _, _ := strings.Cut(strings.TrimPrefix(field, "$."), ".")
	if slices.Contains(changed, name) && r.cand.configLine(name) > 0 {
		changed = []string{name}
	}
	for _, c := range changed {
		if line := r.cand.configLine(c); line > 0 {
			out = append(out, report.Place{Role: Candidate, File: responseTemplate, Line: line, Text: c})
		}
	}
	for _, c := range changed {
		if line := r.base.configLine(c); line > 0 && r.cand.configLine(c) == 0 {
			out = append(out, report.Place{Role: Base, File: responseTemplate, Line: line, Text: c})
		}
	}
	return out
}

// changedFields are the fields of two response templates that differ, and other
// members of them.
func changedFields(base, cand value.Value) (out []string) {
	look := func(a, b value.Value, skip string) {
		x, _ := a.AsObject()
		y, _ := b.AsObject()
		if x == nil || y == nil {
			return
		}
		for name, v := range x.All() {
			if other, ok := y.Get(name); name != skip && (!ok || report.Locate("$", v, other) != nil) {
				out = append(out, name)
			}
		}
		for name := range y.All() {
			if _, ok := x.Get(name); !ok {
				out = append(out, name)
			}
		}
	}
	look(base.Get("fields"), cand.Get("fields"), "")
	look(base, cand, "fields")
	return out
}

// configLine is the line of a member of the response template in the file that has
// it; 0 where it cannot be told.
func (s *side) configLine(member string) int {
	text, err := os.ReadFile(filepath.Join(s.Dir, configFile))
	if err != nil || s.Dir == "" {
		return 0
	}
	at := strings.Index(string(text), `"response_template"`)
	if at < 0 {
		return 0
	}
	i := strings.Index(string(text[at:]), value.Dumps(value.String(member))+":")
	if i < 0 {
		return 0
	}
	return 1 + strings.Count(string(text[:at+i]), "\n")
}
