package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
)

// A list written from a report is read back and makes all its findings old; nothing
// of it is stale.
func TestBaseline(t *testing.T) {
	r := fixture()
	var b bytes.Buffer
	if err := BaselineOf(r).Write(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "baseline.toml", b.Bytes())
	list, err := ReadBaseline(&b, "base.toml")
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Entries) != len(r.Findings) {
		t.Fatalf("%d entries of %d findings", len(list.Entries), len(r.Findings))
	}
	for i := range r.Findings {
		r.Findings[i].Status = ""
	}
	list.Mark(r, Old, corpus.Date{})
	for _, f := range r.Findings {
		if f.Status != Old {
			t.Errorf("%s %q is %s", f.Rule, f.Signature, f.Status)
		}
	}
	r.Policy.NewOnly = true
	if r.Failed() {
		t.Error(r.Verdict())
	}
}

// What lists say of findings, and what is said of lists.
func TestMark(t *testing.T) {
	today := corpus.Date{Year: 2026, Month: 12, Day: 1}
	yesterday, tomorrow := corpus.Date{Year: 2026, Month: 11, Day: 30}, corpus.Date{Year: 2026, Month: 12, Day: 2}
	type row struct {
		name   string
		entry  Entry
		status Status
		want   Status // of the finding
		wrong  string // what is told of the entry
		level  Level
		code   int
	}
	for _, tt := range []row{
		{"baseline", Entry{Signature: "s", Rule: "a/b"}, Old, Old, "", "", 1},
		{"known", Entry{Signature: "s", Rule: "a/b"}, Known, Known, "", "", 0},
		{"last day", Entry{Signature: "s", Rule: "a/b", Expires: today}, Known, Known, "", "", 0},
		{"not yet expired", Entry{Signature: "s", Rule: "a/b", Expires: tomorrow}, Known, Known, "", "", 0},
		{"expired baseline", Entry{Signature: "s", Rule: "a/b", Expires: yesterday}, Old, New, "expired on 2026-11-30", Note, 1},
		{"expired known", Entry{Signature: "s", Rule: "a/b", Expires: yesterday}, Known, New, "expired on 2026-11-30", Error, 1},
		{"stale baseline", Entry{Signature: "t", Rule: "a/b"}, Old, New, "take the entry out", Note, 1},
		{"stale known", Entry{Signature: "t", Rule: "a/b"}, Known, New, "take the entry out", Error, 1},
		{"of another subject", Entry{Signature: "s", Rule: "a/b", Subject: "other"}, Known, New, "", "", 1},
		{"rule not asked", Entry{Signature: "t", Rule: "a/c"}, Known, New, "", "", 1},
	} {
		r := &Report{Rules: []Rule{{ID: "a/b"}}, Findings: []Finding{{Rule: "a/b", Level: Error, Signature: "s", Message: "m"}}}
		list := &Baseline{Name: "list.toml", Entries: []Entry{tt.entry}}
		list.Mark(r, tt.status, today)
		if got := r.Findings[0].Status; got != tt.want {
			t.Errorf("%s: the finding is %s, want %s", tt.name, got, tt.want)
		}
		told := ""
		var level Level
		if len(r.Findings) > 1 {
			told, level = r.Findings[1].Message, r.Findings[1].Level
		}
		if (told == "") != (tt.wrong == "") || !strings.Contains(told, tt.wrong) || level != tt.level {
			t.Errorf("%s: told %q at level %q, want %q at %q", tt.name, told, level, tt.wrong, tt.level)
		}
		if r.ExitCode() != tt.code {
			t.Errorf("%s: exit code %d, want %d", tt.name, r.ExitCode(), tt.code)
		}
	}
}

// A run that could not look at everything calls no entry stale.
func TestMarkNotChecked(t *testing.T) {
	for _, r := range []*Report{{NotChecked: []string{"x"}}, {Interrupted: true}} {
		r.Rules = []Rule{{ID: "a/b"}}
		(&Baseline{Entries: []Entry{{Signature: "t", Rule: "a/b"}}}).Mark(r, Known, corpus.Date{})
		if len(r.Findings) != 0 {
			t.Errorf("told: %+v", r.Findings)
		}
	}
}

// A checkpoint is found again in a list whatever its folder is called.
func TestMarkSubjectName(t *testing.T) {
	const role = "a\xff \u202e"
	r := &Report{Subjects: []Subject{{Role: role}}, Rules: []Rule{{ID: "a/b"}},
		Findings: []Finding{{Subject: role, Rule: "a/b", Level: Error, Signature: "s", Message: "m"}}}
	var b bytes.Buffer
	if err := BaselineOf(r).Write(&b); err != nil {
		t.Fatal(err)
	}
	list, err := ReadBaseline(&b, "base.toml")
	if err != nil {
		t.Fatal(err)
	}
	list.Mark(r, Old, corpus.Date{})
	if r.Findings[0].Status != Old || len(r.Findings) != 1 {
		t.Errorf("%+v", r.Findings)
	}
	r.Findings = nil
	list.Mark(r, Old, corpus.Date{})
	if len(r.Findings) != 1 || r.Findings[0].Rule != ListRule {
		t.Errorf("what is mended is not told: %+v", r.Findings)
	}
}

// Both lists at once: what is known stays known whatever the baseline has.
func TestMarkTwice(t *testing.T) {
	r := &Report{Rules: []Rule{{ID: "a/b"}}, Findings: []Finding{{Rule: "a/b", Level: Error, Signature: "s", Message: "m"}}}
	list := &Baseline{Entries: []Entry{{Signature: "s", Rule: "a/b", Reason: "why"}}}
	list.Mark(r, Known, corpus.Date{})
	list.Mark(r, Old, corpus.Date{})
	if r.Findings[0].Status != Known || len(r.Rules) != 2 || r.Rules[1].Asked != 2 || r.Rules[1].Held != 2 {
		t.Errorf("%+v", r)
	}
}

func TestReadBaselineErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"[[finding]]\nsignature = 's'\nreson = 'x'\n", "list.toml: the key finding.reson is not one of a finding"},
		{"[[finding]]\nrule = 's'\n", "list.toml: finding 1: signature is missing"},
		{"[[finding]]\nsignature = 's'\n[[finding]]\nsignature = 's'\n", `finding 2: the signature "s" stands twice`},
		{"[[finding]]\nsignature = 's'\nexpires = 7\n", "expires: 7 is no day"},
		{"[[finding]]\nsignature = 's'\nexpires = 2026-12-31T10:00:00Z\n", "is no day"},
		{"[[finding]]\nsignature = 's'\nexpires = '2026-02-30'\n", "expires: "},
		{"[[finding]]\nsignature = \n", "list.toml:2: "},
	} {
		_, err := ReadBaseline(strings.NewReader(tt.text), "list.toml")
		var bad *ListError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
	}
	list, err := ReadBaseline(strings.NewReader("[[finding]]\nsignature = 's'\nexpires = 2026-12-31\n[[finding]]\nsignature = 't'\nexpires = '2026-12-31'\n"), "x")
	if err != nil || list.Entries[0].Expires != list.Entries[1].Expires || list.Entries[0].Expires.String() != "2026-12-31" {
		t.Errorf("%+v %v", list, err)
	}
}

// A list of known findings gives reasons.
func TestKnownList(t *testing.T) {
	whole := Entry{Signature: "s", Reason: "r", Owner: "o", Expires: corpus.Date{Year: 2026, Month: 12, Day: 1}}
	if err := (&Baseline{Entries: []Entry{whole}}).Known(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Entry){
		"reason": func(e *Entry) { e.Reason = "" }, "owner": func(e *Entry) { e.Owner = "" }, "expires": func(e *Entry) { e.Expires = corpus.Date{} },
	} {
		e := whole
		change(&e)
		if err := (&Baseline{Entries: []Entry{whole, e}}).Known(); err == nil || !strings.Contains(err.Error(), "finding 2: "+want+" is missing") {
			t.Errorf("without %s: %v", want, err)
		}
	}
}
