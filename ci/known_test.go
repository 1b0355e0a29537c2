package ci

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

func knownList(t *testing.T, cases, verdict, outcomes, expires string) []corpus.KnownDifference {
	t.Helper()
	text := "[[known]]\nid = \"k\"\ncases = " + cases + "\nengines = [\"a\", \"b\"]\nverdict = \"" + verdict + "\"\noutcomes = " + outcomes +
		"\nreason = \"r\"\nlink = \"l\"\nowner = \"o\"\nexpires = " + expires + "\n"
	list, err := corpus.DecodeKnown([]byte(text), "known.toml")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// An entry explains just the difference that it pins; whatever else is there
// fails.
func TestKnown(t *testing.T) {
	const pinned = `[['{"value": "x"}', '{"value": "y"}']]`
	tests := []struct {
		name, cases, verdict, outcomes string
		left, right                    string
		today                          string
		full, strict                   bool
		known, exit                    int
		message                        string // part of it
	}{
		{name: "explained", cases: `["hello"]`, verdict: "value differs", outcomes: pinned, left: "x", right: "y", known: 1},
		{name: "another value", cases: `["hello"]`, verdict: "value differs", outcomes: pinned, left: "x", right: "z", exit: 1, message: "no longer differs in that way"},
		{name: "no difference", cases: `["hello"]`, verdict: "value differs", outcomes: pinned, left: "y", right: "y", exit: 1, message: "no longer differs in that way"},
		{name: "sides swapped", cases: `["hello"]`, verdict: "value differs", outcomes: pinned, left: "y", right: "x", exit: 1, message: "no longer differs in that way"},
		{name: "another verdict", cases: `["hello"]`, verdict: "error differs", outcomes: pinned, left: "x", right: "y", exit: 1, message: "no longer differs in that way"},
		{name: "no such case, full", cases: `["gone"]`, verdict: "value differs", outcomes: pinned, left: "x", right: "x", full: true, exit: 1, message: "no case is named gone"},
		{name: "no such case, part", cases: `["gone"]`, verdict: "value differs", outcomes: pinned, left: "x", right: "x"},
		{name: "last day", cases: `["hello"]`, verdict: "value differs", outcomes: pinned, left: "x", right: "y", today: "2026-06-30", known: 1},
		{name: "expired", cases: `["hello"]`, verdict: "value differs", outcomes: pinned, left: "x", right: "y", today: "2026-07-01", known: 1, message: "expired on 2026-06-30"},
		{name: "expired, strict", cases: `["hello"]`, verdict: "value differs", outcomes: pinned, left: "x", right: "y", today: "2026-07-01", strict: true, known: 1, exit: 1, message: "expired on 2026-06-30"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &Runner{
				Engines: []engine.Engine{saying("a", okText(tt.left)), saying("b", okText(tt.right))},
				Cases:   casesOf(t, renderHello+"}"), Known: knownList(t, tt.cases, tt.verdict, tt.outcomes, "2026-06-30"),
				Full: tt.full, Today: tt.today, ExpiredFails: tt.strict,
			}
			res, err := r.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if n := res.Total(); n.Known != tt.known || res.ExitCode() != tt.exit {
				t.Errorf("%+v, exit %d; want %d known, exit %d", n, res.ExitCode(), tt.known, tt.exit)
			}
			if got := strings.Join(res.Known[0].Messages, "; "); (got == "") != (tt.message == "") || !strings.Contains(got, tt.message) {
				t.Errorf("message %q, want %q", got, tt.message)
			}
		})
	}
}

// An entry for engines that do not run is left alone.
func TestKnownOfOthers(t *testing.T) {
	r := &Runner{Engines: []engine.Engine{saying("a", okText("x"))}, Cases: casesOf(t, renderHello+"}"), Full: true,
		Known: knownList(t, `["hello"]`, "value differs", `[['{"value": "x"}', '{"value": "y"}']]`, "2099-01-01")}
	res, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if res.ExitCode() != ExitSame || len(res.Known[0].Messages) > 0 {
		t.Errorf("exit %d, %q", res.ExitCode(), res.Known[0].Messages)
	}
}

// An unstable reference is explained beside the engine that it judges.
func TestKnownUnstable(t *testing.T) {
	message := `{"value": {"role": "assistant", "thinking": "Sum.", "content": "The answer is 4"}}`
	known := knownList(t, `["answer"]`, "unstable", "[['"+message+"', '"+message+"']]", "2099-01-01")
	known[0].Engines = [2]string{"native", "reference"}
	res, err := (&Runner{Engines: []engine.Engine{native(), unstable("reference")}, Cases: casesOf(t, parseAnswer), Known: known}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := res.Total(); n.Known != 1 || n.Unstable != 0 || len(res.Known[0].Messages) > 0 {
		t.Errorf("%+v, %q", n, res.Known[0].Messages)
	}
}

// An entry may explain a failing engine, and an unstable one.
func TestKnownKinds(t *testing.T) {
	failing := saying("b", corpus.Outcome{Kind: corpus.Failed, Why: "any words"})
	r := &Runner{Engines: []engine.Engine{saying("a", okText("x")), failing}, Cases: casesOf(t, renderHello+"}"),
		Known: knownList(t, `["hello"]`, "engine failed", `[['{"value": "x"}', '{"failed": "crash"}']]`, "2099-01-01")}
	res, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if res.ExitCode() != ExitSame || res.Total().Known != 1 {
		t.Errorf("exit %d, %+v", res.ExitCode(), res.Total())
	}
}

// A day that is none is no day on which nothing expires.
func TestToday(t *testing.T) {
	for _, today := range []string{"yesterday", "2026-02-30", "2026-01-31T00:00:00Z"} {
		r := &Runner{Engines: []engine.Engine{saying("a", okText("x"))}, Cases: casesOf(t, renderHello+"}"), Today: today}
		if res, err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), today) {
			t.Errorf("%s: %v, %v", today, res, err)
		}
	}
}
