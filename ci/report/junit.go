package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
)

// The elements of JUnit's XML, as CI systems read it: a suite for each subject, a
// test case for each rule and for each finding of it.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Skipped *junitSkipped `xml:"skipped"`
		Error   *junitTrouble `xml:"error"`
		Failure *junitTrouble `xml:"failure"`
		Out     *junitText    `xml:"system-out"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
	junitTrouble struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	junitText struct {
		Text string `xml:",chardata"`
	}
)

// WriteJUnit writes the report as JUnit's XML. A rule that held is a test case that
// passed; each finding is one of its own: a failure if it fails the run, skipped if
// a list has it, and passed with its text as output else. What could not be looked
// at is an error.
func (r *Report) WriteJUnit(w io.Writer) error {
	p := r.printable()
	all := junitSuites{Name: "beamdiff " + p.Verb}
	subjects := p.Subjects
	if p.Verb != "check" || len(subjects) < 2 { // findings are of the run as a whole
		subjects = []Subject{{Name: p.title()}}
	}
	for i, s := range subjects {
		suite := junitSuite{Name: oneLine(s.Name), Time: "0"}
		for _, u := range p.Rules {
			p.junitRule(&suite, u, func(f Finding) bool {
				whose := slices.IndexFunc(subjects, func(s Subject) bool { return s.Role == f.Subject })
				return max(whose, 0) == i // what is nobody's is told once, with the first
			})
		}
		if i == 0 {
			for _, why := range p.NotChecked {
				suite.add(junitCase{Name: "not checked: " + oneLine(why), Error: &junitTrouble{Message: oneLine(why), Type: "not checked"}})
			}
			if p.Interrupted {
				suite.add(junitCase{Name: "the run ends", Error: &junitTrouble{Message: "interrupted", Type: "interrupted"}})
			}
		}
		all.Tests, all.Failures, all.Errors = all.Tests+suite.Tests, all.Failures+suite.Failures, all.Errors+suite.Errors
		all.Suites = append(all.Suites, suite)
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

// title names what was looked at.
func (r *Report) title() string {
	out := ""
	for i, s := range r.Subjects {
		if i > 0 {
			out += " → "
		}
		out += s.Name
	}
	if out == "" {
		out = r.Verb
	}
	return out
}

// junitRule adds the test cases of a rule: those of its findings that are the
// suite's.
func (r *Report) junitRule(suite *junitSuite, u Rule, own func(Finding) bool) {
	broken := false
	for _, f := range r.Findings {
		if f.Rule != u.ID || !own(f) {
			continue
		}
		broken = true
		var b bytes.Buffer
		r.finding(&b, f)
		c := junitCase{Name: u.ID + ": " + cut(oneLine(f.Message), 200), Class: u.ID}
		switch {
		case r.Fails(f):
			c.Failure = &junitTrouble{Message: oneLine(f.Message), Type: string(f.Level), Text: b.String()}
		case f.Status != New:
			c.Skipped = &junitSkipped{Message: oneLine(fmt.Sprintf("%s %s %s", f.Status, f.Level, f.Known))}
		default:
			c.Out = &junitText{b.String()}
		}
		suite.add(c)
	}
	if !broken {
		suite.add(junitCase{Name: u.ID, Class: u.ID})
	}
}

// add counts a test case in.
func (s *junitSuite) add(c junitCase) {
	if c.Class == "" {
		c.Class = "beamdiff"
	}
	c.Time = "0"
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}
