package report

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/beamdiff/beamdiff/corpus"
)

// Baseline is a list of findings that were there before. As a file it is TOML, a
// [[finding]] each. With reasons it is a list of known findings as well
// ([Baseline.Known]).
type Baseline struct {
	// Name is the file's, for messages.
	Name    string
	Entries []Entry
}

// Entry is one finding of a list. Signature, with Subject where a report has
// several, says which; Rule and Message tell people.
type Entry struct {
	Subject   string
	Signature string
	Rule      string
	Message   string
	// Reason says why it is not mended, Link where that is told, Owner who sees to it.
	// They may be "".
	Reason, Link, Owner string
	// Expires is the last day on which the entry counts; the zero date is none.
	Expires corpus.Date
}

// BaselineOf makes a list of a report's findings, in their order.
func BaselineOf(r *Report) *Baseline {
	b := &Baseline{}
	for _, f := range r.valid().Findings {
		if f.Rule != ListRule {
			b.Entries = append(b.Entries, Entry{Subject: f.Subject, Signature: f.Signature, Rule: f.Rule, Message: cut(Printable(f.Message), 300)})
		}
	}
	return b
}

// entry is an Entry as TOML has it.
type entry struct {
	Subject   string `toml:"subject,omitempty"`
	Rule      string `toml:"rule"`
	Signature string `toml:"signature"`
	Message   string `toml:"message"`
	Reason    string `toml:"reason,omitempty"`
	Link      string `toml:"link,omitempty"`
	Owner     string `toml:"owner,omitempty"`
	Expires   any    `toml:"expires,omitempty"` // a local date, or its text
}

type entries struct {
	Finding []entry `toml:"finding"`
}

// Write writes the list as a file that [ReadBaseline] reads.
func (b *Baseline) Write(w io.Writer) error {
	head := "# Findings that were there when this list was written. An entry may say its reason,\n" +
		"# owner, link, and the last day on which it counts: expires = 2026-12-31.\n"
	if len(b.Entries) == 0 {
		head += "# There were none.\n"
	}
	if _, err := io.WriteString(w, head+"\n"); err != nil {
		return err
	}
	var file entries
	for _, e := range b.Entries {
		t := entry{Subject: e.Subject, Rule: e.Rule, Signature: e.Signature, Message: e.Message, Reason: e.Reason, Link: e.Link, Owner: e.Owner}
		if e.Expires != (corpus.Date{}) {
			t.Expires = e.Expires.String()
		}
		file.Finding = append(file.Finding, t)
	}
	enc := toml.NewEncoder(w)
	enc.Indent = ""
	return enc.Encode(file)
}

// ListError is a list that cannot be read, and where.
type ListError struct {
	Name string
	Line int // counts from 1; 0 is the file as a whole
	What string
	Err  error
}

func (e *ListError) Error() string {
	at := e.Name
	if e.Line > 0 {
		at += fmt.Sprintf(":%d", e.Line)
	}
	return at + ": " + e.What
}

func (e *ListError) Unwrap() error { return e.Err }

// ReadBaseline reads a list; name is for messages. The error is a *ListError.
func ReadBaseline(r io.Reader, name string) (*Baseline, error) {
	var file entries
	meta, err := toml.NewDecoder(r).Decode(&file)
	var bad toml.ParseError
	switch {
	case errors.As(err, &bad):
		return nil, &ListError{Name: name, Line: bad.Position.Line, What: bad.Message, Err: err}
	case err != nil:
		return nil, &ListError{Name: name, What: err.Error(), Err: err}
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, &ListError{Name: name, What: fmt.Sprintf("the key %s is not one of a finding: subject, rule, signature, message, reason, link, owner, expires", unknown[0])}
	}
	b := &Baseline{Name: name}
	seen := map[[2]string]bool{}
	for i, t := range file.Finding {
		e := Entry{Subject: t.Subject, Signature: t.Signature, Rule: t.Rule, Message: t.Message, Reason: t.Reason, Link: t.Link, Owner: t.Owner}
		fail := func(format string, args ...any) (*Baseline, error) {
			return nil, &ListError{Name: name, What: fmt.Sprintf("finding %d: ", i+1) + fmt.Sprintf(format, args...)}
		}
		key := [2]string{e.Subject, e.Signature}
		switch {
		case e.Signature == "":
			return fail("signature is missing; it says which finding is meant")
		case seen[key]:
			return fail("the signature %q stands twice", e.Signature)
		}
		seen[key] = true
		if e.Expires, err = day(t.Expires); err != nil {
			return fail("expires: %v", err)
		}
		b.Entries = append(b.Entries, e)
	}
	return b, nil
}

// day is a date of TOML, or its text.
func day(v any) (corpus.Date, error) {
	switch v := v.(type) {
	case nil:
		return corpus.Date{}, nil
	case string:
		return corpus.ParseDate(v)
	case time.Time:
		if v.Location().String() == "date-local" { // as the toml package marks one
			return corpus.DateOf(v), nil
		}
	}
	return corpus.Date{}, fmt.Errorf("%v is no day; write 2026-12-31", v)
}

// Known holds that each entry gives its reason, its owner and its last day, as a
// list of known findings must. The error is a *ListError.
func (b *Baseline) Known() error {
	for i, e := range b.Entries {
		for _, need := range []struct {
			name string
			has  bool
		}{{"reason", e.Reason != ""}, {"owner", e.Owner != ""}, {"expires", e.Expires != corpus.Date{}}} {
			if !need.has {
				return &ListError{Name: b.Name, What: fmt.Sprintf("finding %d: %s is missing; a known finding has a reason, an owner and a last day", i+1, need.name)}
			}
		}
	}
	return nil
}
