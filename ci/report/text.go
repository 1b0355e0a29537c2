package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
)

// many is from how many subjects on the text tells numbers instead of findings.
const many = 8

// WriteText writes the report for people, without colour. Where it is of many
// subjects it gives tables, and each finding only under Verbose.
func (r *Report) WriteText(w io.Writer) error {
	p := r.printable()
	var b bytes.Buffer
	fmt.Fprintf(&b, "beamdiff %s %s\n", p.Verb, p.Version)
	if len(p.Subjects) < many {
		for _, s := range p.Subjects {
			b.WriteString(s.line() + "\n")
		}
	} else {
		p.tables(&b)
	}
	if len(p.Subjects) < many || p.Verbose {
		for _, f := range p.Findings {
			p.finding(&b, f)
		}
	}
	lines(&b, "Not checked", p.NotChecked)
	lines(&b, "Notes", p.Notes)
	fmt.Fprintf(&b, "\n%s asked, %d held in every case\n%s\n", plural(len(p.Rules), "rule"), p.held(), p.Verdict())
	_, err := w.Write(b.Bytes())
	return err
}

// line names a subject.
func (s Subject) line() string {
	out := s.Name
	if s.Role != "" && s.Role != s.Name {
		out = s.Role + ": " + out
	}
	if s.Hash != "" {
		out += " (sha256 " + s.Hash[:min(12, len(s.Hash))] + ")"
	}
	return oneLine(out)
}

// held is how many rules no finding is of.
func (p *Report) held() int {
	n := 0
	for _, u := range p.Rules {
		if p.count(func(f Finding) bool { return f.Rule == u.ID }) == (Counts{}) {
			n++
		}
	}
	return n
}

// finding writes one finding in full.
func (p *Report) finding(b *bytes.Buffer, f Finding) {
	head := string(f.Level)
	if f.Status != New {
		head += ", " + string(f.Status)
	}
	if f.Subject != "" {
		head += " in " + oneLine(f.Subject)
	}
	fmt.Fprintf(b, "\n%s: %s: %s\n", head, f.Rule, oneLine(f.Message))
	for _, at := range f.Places {
		fmt.Fprintf(b, "  %s\n", p.place(at))
	}
	if f.Known != "" {
		fmt.Fprintf(b, "  listed: %s\n", oneLine(f.Known))
	}
	if len(f.Cases) > 0 {
		fmt.Fprintf(b, "  %s: %s\n", plural(len(f.Cases), "case"), some(f.Cases))
	}
	if s := f.Smallest; s != nil {
		p.witness(b, s)
	}
	if f.Advice != "" {
		fmt.Fprintf(b, "  do: %s\n", oneLine(f.Advice))
	}
}

func (p *Report) witness(b *bytes.Buffer, s *Witness) {
	if s.At != "" {
		fmt.Fprintf(b, "  %s\n", oneLine(s.At))
	}
	wide := 0
	for _, side := range s.Sides {
		wide = max(wide, len(side.Name))
	}
	for _, side := range s.Sides {
		fmt.Fprintf(b, "    %-*s  %s\n", wide, side.Name, oneLine(side.Text))
	}
	if s.Input != "" {
		fmt.Fprintf(b, "  smallest, %s: %s\n", s.Case, oneLine(s.Input))
	}
	if s.Command != "" {
		fmt.Fprintf(b, "  again: %s\n", oneLine(s.Command))
	}
}

// place writes a place as FILE:LINE: TEXT.
func (p *Report) place(at Place) string {
	out := p.path(at)
	if at.Line > 0 {
		out += fmt.Sprintf(":%d", at.Line)
	}
	if at.Text != "" {
		out += ": " + strings.TrimLeft(at.Text, " \t")
	}
	return oneLine(out)
}

// path is the path of a place's file, or what the file is where it has none.
func (p *Report) path(at Place) string {
	for _, s := range p.Subjects {
		if s.Role == at.Role {
			return cmp.Or(s.Files[at.File], at.File)
		}
	}
	return at.File
}

// lines writes a heading with a line each; nothing where there is none.
func lines(b *bytes.Buffer, head string, list []string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", head)
	for _, l := range list {
		fmt.Fprintf(b, "  %s\n", oneLine(l))
	}
}

// longest is how much of one line is written, in bytes.
const longest = 2000

// oneLine is text on one line, cut where it is very long.
func oneLine(text string) string {
	return cut(strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(text), longest)
}

// cut is text, or so many of its bytes and how many more there are; no character is
// cut in two.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && continues(text, most) {
		most--
	}
	return fmt.Sprintf("%s… (%d bytes more)", text[:most], len(text)-most)
}

// some lists the first names and counts the rest.
func some(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
