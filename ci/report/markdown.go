package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// markdownLimit is how long a comment on a pull request may be, in characters; it
// is counted in bytes here, which are never fewer.
const markdownLimit = 65536

// WriteMarkdown writes the report as a comment for a pull request or the summary of
// a job: the verdict, a table by rule, and each finding folded up, or where it is of
// many subjects a table of them; as much as fits into 65,536 bytes. What is left out
// is counted.
func (r *Report) WriteMarkdown(w io.Writer) error {
	p := r.printable()
	var b bytes.Buffer
	mark := "✅"
	if p.Failed() {
		mark = "❌"
	}
	fmt.Fprintf(&b, "### %s beamdiff %s\n\n", mark, markdown(p.Verdict()))
	if len(p.Subjects) < many {
		for _, s := range p.Subjects {
			b.WriteString("- " + markdown(s.line()) + "\n")
		}
	} else {
		fmt.Fprintf(&b, "%s, %d with findings\n", plural(len(p.Subjects), "subject"), len(p.bySubject()))
	}
	p.markdownTable(&b)
	markdownList(&b, "Not checked", p.NotChecked)
	markdownList(&b, "Notes", p.Notes)
	var end bytes.Buffer
	fmt.Fprintf(&end, "\n<sub>%s asked, %d held in every case; beamdiff %s</sub>\n", plural(len(p.Rules), "rule"), p.held(), markdown(p.Version))
	if len(p.Subjects) < many {
		p.markdownFindings(&b, markdownLimit-end.Len())
	} else {
		p.markdownSubjects(&b, markdownLimit-end.Len())
	}
	b.Write(end.Bytes())
	_, err := w.Write(b.Bytes())
	return err
}

// markdownTable writes the numbers by rule.
func (r *Report) markdownTable(b *bytes.Buffer) {
	broken := r.byRule()
	if len(broken) == 0 {
		return
	}
	subjects := len(r.Subjects) >= many
	head, line := "| rule | errors | warnings | notes | cases |", "|---|--:|--:|--:|--:|"
	if subjects {
		head, line = head+" subjects | in error |", line+"--:|--:|"
	}
	b.WriteString("\n" + head + "\n" + line + "\n")
	for _, t := range broken {
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d |", markdown(t.name), t.Errors, t.Warnings, t.Notes, t.cases)
		if subjects {
			fmt.Fprintf(b, " %d | %d |", t.subjects, t.wrong)
		}
		b.WriteByte('\n')
	}
}

// markdownList writes a heading with a line each, as far as half the comment goes.
func markdownList(b *bytes.Buffer, head string, list []string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n**%s**\n\n", head)
	for i, l := range list {
		if b.Len() > markdownLimit/2 {
			fmt.Fprintf(b, "- and %d more\n", len(list)-i)
			return
		}
		fmt.Fprintf(b, "- %s\n", markdown(oneLine(l)))
	}
}

// markdownSubjects writes the numbers of the subjects that have findings, those with
// the most errors first, as many as fit.
func (r *Report) markdownSubjects(b *bytes.Buffer, limit int) {
	broken := r.bySubject()
	slices.SortStableFunc(broken, func(x, y tally) int {
		return cmp.Or(cmp.Compare(y.Errors, x.Errors), cmp.Compare(y.Warnings, x.Warnings))
	})
	const end = "\n</details>\n"
	left := func(n int) string {
		return fmt.Sprintf("\n%s more; the JSON report has them all.\n", plural(n, "subject"))
	}
	limit -= len(left(len(broken))) + len(end)
	b.WriteString("\n<details><summary>by subject</summary>\n\n| subject | errors | warnings | notes |\n|---|--:|--:|--:|\n")
	for i, t := range broken {
		row := fmt.Sprintf("| %s | %d | %d | %d |\n", markdown(oneLine(t.name)), t.Errors, t.Warnings, t.Notes)
		if b.Len()+len(row) > limit {
			b.WriteString(left(len(broken) - i))
			break
		}
		b.WriteString(row)
	}
	b.WriteString(end)
}

// markdownFindings writes the findings that fit, those that fail the run first.
func (r *Report) markdownFindings(b *bytes.Buffer, limit int) {
	var order []Finding
	for _, fails := range []bool{true, false} {
		for _, f := range r.Findings {
			if r.Fails(f) == fails {
				order = append(order, f)
			}
		}
	}
	left := func(n int) string {
		return fmt.Sprintf("\n%s left out here for want of room; the JSON report has them all.\n", plural(n, "finding"))
	}
	limit -= len(left(len(order)))
	for i, f := range order {
		text := r.markdownFinding(f)
		if b.Len()+len(text) > limit {
			b.WriteString(left(len(order) - i))
			return
		}
		b.WriteString(text)
	}
}

// markdownFinding writes one finding, folded up: the line that is seen says where.
func (r *Report) markdownFinding(f Finding) string {
	var b bytes.Buffer
	sign := map[Level]string{Error: "🔴", Warning: "🟡", Note: "🔵"}[f.Level]
	status := ""
	if f.Status != New {
		status = " (" + string(f.Status) + ")"
	}
	fmt.Fprintf(&b, "\n<details><summary>%s %s%s: %s</summary>\n\n", sign, html(f.Rule), status, html(oneLine(f.Message)))
	if f.Subject != "" {
		fmt.Fprintf(&b, "of %s\n\n", markdown(oneLine(f.Subject)))
	}
	if f.Advice != "" {
		fmt.Fprintf(&b, "%s\n\n", markdown(oneLine(f.Advice)))
	}
	var code bytes.Buffer
	for _, at := range f.Places {
		fmt.Fprintf(&code, "%s\n", r.place(at))
	}
	if f.Known != "" {
		fmt.Fprintf(&code, "listed: %s\n", oneLine(f.Known))
	}
	if len(f.Cases) > 0 {
		fmt.Fprintf(&code, "%s: %s\n", plural(len(f.Cases), "case"), some(f.Cases))
	}
	if f.Smallest != nil {
		r.witness(&code, f.Smallest)
	}
	if code.Len() > 0 {
		fence := fence(code.String())
		fmt.Fprintf(&b, "%s\n%s%s\n", fence, code.String(), fence)
	}
	b.WriteString("\n</details>\n")
	return b.String()
}

// fence is a run of backticks that does not stand in text.
func fence(text string) string {
	longest, run := 0, 0
	for _, c := range text {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", max(3, longest+1))
}

// markdown is text that Markdown shows as it is: no emphasis, no link, no mention
// of a person, no cell of a table.
func markdown(text string) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c == '\n':
			b.WriteByte(' ')
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		case c == '&':
			b.WriteString("&amp;")
		case c == '@': // else it calls on a person or a team
			b.WriteString("&#64;")
		case strings.ContainsRune("\\`*_{}[]|~#!$", c):
			b.WriteByte('\\')
			b.WriteRune(c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// html is text within an element.
func html(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;", "`", "&#96;", "*", "&#42;", "_", "&#95;", "[", "&#91;", "|", "&#124;").Replace(text)
}
