package report

import (
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
)

// ListRule is the ID of the rule that lists of findings are kept up.
const ListRule = "list/current"

// ListRuleOf is the rule, with its page.
func ListRuleOf() Rule {
	return Rule{ID: ListRule, Title: "Every entry of a list of findings is about one that is still there", Level: Error,
		Help: "A list that names what is long mended, or whose days are over, hides the next fault of that kind. " +
			"Take the entry out, or look at it again and give it another day. `--write-baseline` writes a baseline anew."}
}

// Mark gives the findings that the list has the status: Old for a baseline, Known
// for a list of known findings. today decides what has expired; the zero date lets
// nothing expire.
//
// What is wrong with the list becomes findings of [ListRule]: an entry that no
// finding is of, unless its rule was not asked or the run could not look at
// everything, and one that has expired, which marks nothing. They are errors of a
// list of known findings, and notes of a baseline.
func (b *Baseline) Mark(r *Report, status Status, today corpus.Date) {
	level := Error
	if status == Old {
		level = Note
		r.Compared = true
	}
	rule := ListRuleOf()
	var wrong []Finding
	tell := func(e Entry, cause, message string) {
		rule.Asked++
		if cause == "" {
			rule.Held++
			return
		}
		wrong = append(wrong, Finding{Subject: e.Subject, Rule: ListRule, Level: level, Status: New,
			Signature: ListRule + " " + cause + " " + e.Signature, Message: message})
	}
	for _, e := range b.Entries {
		expired := today != corpus.Date{} && e.Expires != corpus.Date{} && today.After(e.Expires)
		found := false
		for i := range r.Findings {
			f := &r.Findings[i]
			if valid(f.Subject) != e.Subject || valid(f.Signature) != e.Signature {
				continue
			}
			found = true
			if !expired && f.Status != Known {
				f.Status, f.Known = status, e.told()
			}
		}
		switch {
		case expired:
			tell(e, "expired", fmt.Sprintf("%s: the entry for %q expired on %s: look at it again (%s)", b.Name, e.Signature, e.Expires, e.told()))
		case found:
			tell(e, "", "")
		case r.looked(e):
			tell(e, "stale", fmt.Sprintf("%s: nothing is found any more of %q: take the entry out", b.Name, e.Signature))
		}
	}
	i := slices.IndexFunc(r.Rules, func(u Rule) bool { return u.ID == ListRule })
	if i < 0 {
		r.Rules = append(r.Rules, rule)
	} else {
		r.Rules[i].Asked += rule.Asked
		r.Rules[i].Held += rule.Held
	}
	for j := range r.Findings {
		if r.Findings[j].Status == "" {
			r.Findings[j].Status = New
		}
	}
	r.Findings = append(r.Findings, wrong...)
}

// told is what an entry has to say for people.
func (e Entry) told() string {
	out := e.Reason
	if out == "" {
		out = "no reason given"
	}
	if e.Owner != "" {
		out += "; owner " + e.Owner
	}
	if e.Link != "" {
		out += "; " + e.Link
	}
	if e.Expires != (corpus.Date{}) {
		out += "; until " + e.Expires.String()
	}
	return out
}

// looked tells whether the run would have met what an entry is about.
func (r *Report) looked(e Entry) bool {
	if r.Interrupted || len(r.NotChecked) > 0 {
		return false
	}
	subject := e.Subject == "" || slices.ContainsFunc(r.Subjects, func(s Subject) bool { return valid(s.Role) == e.Subject })
	return subject && slices.ContainsFunc(r.Rules, func(u Rule) bool { return u.ID == e.Rule })
}
