package report

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// printable is the report with all its texts as [Printable] writes them.
func (r *Report) printable() *Report { return r.mapText(Printable) }

// valid is the report with all its texts in UTF-8: what is none is an escape.
func (r *Report) valid() *Report { return r.mapText(valid) }

func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		n := i
		for n < len(text) && text[n] < utf8.RuneSelf {
			n++
		}
		b.WriteString(text[i:n])
		if i = n; i == len(text) {
			break
		}
		if _, size := utf8.DecodeRuneInString(text[i:]); size > 1 {
			b.WriteString(text[i : i+size])
			i += size
			continue
		}
		size := 1
		if surrogate(text[i:]) {
			size = 3
		}
		b.WriteString(Visible(text[i : i+size]))
		i += size
	}
	return b.String()
}

// surrogate tells whether text begins with a lone surrogate, as WTF-8 writes it.
func surrogate(text string) bool {
	return len(text) >= 3 && text[0] == 0xed && text[1] >= 0xa0 && text[1] <= 0xbf && text[2]&0xc0 == 0x80
}

// mapText is a copy of the report with each text as to writes it. A list that is nil
// is an empty one in the copy.
func (r *Report) mapText(to func(string) string) *Report {
	c := *r
	c.Version = to(r.Version)
	c.Subjects = each(r.Subjects, func(s *Subject) {
		s.Role, s.Name, s.Hash = to(s.Role), to(s.Name), to(s.Hash)
		files := s.Files
		s.Files = map[string]string{}
		for k, v := range files {
			s.Files[to(k)] = to(v)
		}
	})
	c.Rules = each(r.Rules, func(u *Rule) { u.ID, u.Title, u.Help = to(u.ID), to(u.Title), to(u.Help) })
	c.Findings = each(r.Findings, func(f *Finding) {
		for _, s := range []*string{&f.Subject, &f.Rule, &f.Signature, &f.Message, &f.Advice, &f.Known} {
			*s = to(*s)
		}
		if f.Status == "" {
			f.Status = New
		}
		f.Cases = each(f.Cases, func(id *string) { *id = to(*id) })
		f.Places = each(f.Places, func(p *Place) { p.Role, p.File, p.Text = to(p.Role), to(p.File), to(p.Text) })
		if f.Smallest != nil {
			w := *f.Smallest
			w.Case, w.Input, w.Command, w.At = to(w.Case), to(w.Input), to(w.Command), to(w.At)
			w.Sides = each(w.Sides, func(s *Side) { s.Name, s.Text = to(s.Name), to(s.Text) })
			f.Smallest = &w
		}
	})
	for _, f := range c.Findings { // a form that goes by rules leaves none out
		if !slices.ContainsFunc(c.Rules, func(u Rule) bool { return u.ID == f.Rule }) {
			c.Rules = append(c.Rules, Rule{ID: f.Rule, Title: f.Rule, Level: f.Level})
		}
	}
	c.NotChecked = each(r.NotChecked, func(s *string) { *s = to(*s) })
	c.Notes = each(r.Notes, func(s *string) { *s = to(*s) })
	return &c
}

// each is a copy of a list, never nil, with every item changed.
func each[T any](list []T, change func(*T)) []T {
	out := append([]T{}, list...)
	for i := range out {
		change(&out[i])
	}
	return out
}
