package gate

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// asOne is a law that each case breaks whose chat template writes a word.
func asOne(word string) law.Law {
	return law.Law{Rule: report.Rule{ID: "test/word", Level: report.Error, Title: "x"},
		Ask: func(_ context.Context, s *law.Subject, found law.Found) error {
			c := corpus.Case{ID: "test/" + word}
			if strings.Contains(s.ChatTemplate, word) {
				found(c, law.Trouble{Cause: word, Message: "it writes " + word})
			} else {
				found(c)
			}
			return nil
		}}
}

// A law that the candidate breaks is a finding; one that the base breaks already is
// not, unless it is asked for, and then it is old.
func TestLaws(t *testing.T) {
	cand := sideOf(t, templateFile, "{#- The turns. -#}", "{#- The torns. -#}")
	r := runChange(t, cand, asOne("torns"), asOne("<|start|>"))
	if len(r.Findings) != 1 || r.Findings[0].Signature != "test/word torns" || r.Findings[0].Status != report.New || r.ExitCode() != report.ExitFailed {
		t.Errorf("findings %+v", r.Findings)
	}
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "1 finding of laws the base has too") }) {
		t.Errorf("notes %q", r.Notes)
	}
	g := &Gate{Base: sideOf(t, templateFile), Candidate: cand, Cases: []corpus.Case{}, Laws: []law.Law{asOne("<|start|>")}, Old: true}
	r, err := g.Run(t.Context())
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Status != report.Old {
		t.Errorf("with the old ones: %+v, %v", r, err)
	}
}

// A run that is interrupted tells what it has found, and that it is not all.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	g := &Gate{Base: sideOf(t, templateFile), Candidate: sideOf(t, templateFile, `'<|start|>user<|message|>'`, `'<|start|>usr<|message|>'`), Cases: few()}
	g.Progress = func(phase string, _, _ int) {
		if phase == "replies" {
			stop()
		}
	}
	r, err := g.Run(ctx)
	if err != nil || !r.Interrupted || len(r.Findings) != 1 || r.ExitCode() != report.ExitBroken {
		t.Fatalf("%+v, %v", r, err)
	}
	if p := r.Findings[0].Places; len(p) == 0 || !strings.Contains(p[0].Text, "usr") {
		t.Errorf("places %+v", p)
	}
}

// stuck is an engine that has no answer for conversations of several messages.
type stuck struct {
	engine.Engine
	asked *atomic.Int64
}

func (e stuck) Do(ctx context.Context, r engine.Request) corpus.Outcome {
	e.asked.Add(1)
	v, _ := r.Case.Get("messages")
	if list, _ := v.AsArray(); list.Len() > 1 {
		return corpus.Outcome{Kind: corpus.Failed, Why: "timed out", Offset: -1}
	}
	return e.Engine.Do(ctx, r)
}

// A side that has no answer for some conversations is soon not asked any more: each
// costs its limits. Of the candidate that is a finding, of the base it is not checked.
func TestStuck(t *testing.T) {
	for _, role := range []string{Base, Candidate} {
		g := &Gate{Base: sideOf(t, templateFile), Candidate: sideOf(t, templateFile), Format: "beam", Laws: []law.Law{asOne("torns")}}
		var asked atomic.Int64
		side := &g.Candidate
		if role == Base {
			side = &g.Base
		}
		side.Engine = stuck{side.Engine, &asked}
		r, err := g.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Rule == ruleEngine && f.Level == report.Error })
		if found != (role == Candidate) || r.ExitCode() == report.ExitPassed || len(r.NotChecked) > 0 != (role == Base) {
			t.Errorf("%s: exit code %d, not checked %q, findings %+v", role, r.ExitCode(), r.NotChecked, r.Findings)
		}
		if n := asked.Load(); n > 2*batch {
			t.Errorf("%s: asked %d times", role, n)
		}
	}
}

// A known difference is told as such, and fails nothing; one that no longer holds
// does.
func TestKnown(t *testing.T) {
	var c corpus.Case
	for _, c = range corpus.Embedded() {
		if c.ID == "documentation/effort/high" || c.Kind == corpus.Render && c.Suite == "documentation" {
			break
		}
	}
	c.Input, c.Want = plain(c), nil
	g := &Gate{Base: sideOf(t, templateFile), Candidate: sideOf(t, templateFile, `<|start|>system<|message|>`, `<|start|>System<|message|>`), Cases: []corpus.Case{c}}
	r, err := g.Run(t.Context())
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Status != report.New {
		t.Fatalf("%+v, %v", r, err)
	}
	one := &run{Gate: g, base: newSide(Base, g.Base), cand: newSide(Candidate, g.Candidate)}
	known := corpus.KnownDifference{ID: "k", Cases: []string{c.ID}, Engines: [2]string{Base, Candidate}, Verdict: corpus.ValueDiffers, Reason: "meant",
		Outcomes: [][2]corpus.Outcome{{one.ask(t.Context(), one.base, "render", c), one.ask(t.Context(), one.cand, "render", c)}}}
	g.Known = []corpus.KnownDifference{known}
	r, err = g.Run(t.Context())
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Status != report.Known || r.Failed() {
		t.Errorf("known: %+v, %v", r, err)
	}
	known.Outcomes[0][1] = known.Outcomes[0][0]
	r, err = g.Run(t.Context())
	if err != nil || !slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Rule == report.ListRule }) || r.ExitCode() != report.ExitFailed {
		t.Errorf("changed: %+v, %v", r, err)
	}
}
