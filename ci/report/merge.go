package report

import "slices"

// Add puts the report of further subjects behind r: rules that both have are one,
// with their counts added up. Policy, Verb and Version stay r's.
func (r *Report) Add(other Report) {
	r.Subjects = append(r.Subjects, other.Subjects...)
	r.Findings = append(r.Findings, other.Findings...)
	r.NotChecked = append(r.NotChecked, other.NotChecked...)
	r.Notes = append(r.Notes, other.Notes...)
	r.Interrupted = r.Interrupted || other.Interrupted
	for _, u := range other.Rules {
		i := slices.IndexFunc(r.Rules, func(has Rule) bool { return has.ID == u.ID })
		if i < 0 {
			r.Rules = append(r.Rules, u)
			continue
		}
		r.Rules[i].Asked += u.Asked
		r.Rules[i].Held += u.Held
	}
}
