package ci

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// closing is a fake that counts how often it was closed.
type closing struct {
	fake
	closed int
}

func (c *closing) Close() error { c.closed++; return nil }

// elsewhereCases name the run's checkpoint, another one twice, and none.
const elsewhereCases = `[
	{"id": "there/one", "reply": "x", "prefix": "", "checkpoint": "gpt-oss"},
	{"id": "here", "reply": "x", "prefix": ""},
	{"id": "by-name", "reply": "x", "prefix": "", "checkpoint": "qwen3"},
	{"id": "there/two", "kind": "render", "messages": [], "checkpoint": "gpt-oss"}]`

// Cases that name a checkpoint are asked of that one's engines, which are opened
// once and closed; the order of the report is that of the cases.
func TestCasesAtTheirCheckpoint(t *testing.T) {
	answer := func(name, text string) *closing {
		return &closing{fake: fake{name, engine.Info{Abilities: []string{"parse", "render"}, Formats: []string{"beam"}}, func(r engine.Request) corpus.Outcome {
			if name == "native" && r.Op == engine.OpRender {
				return corpus.Outcome{Kind: corpus.Cannot, Why: "renders beam only", Offset: -1}
			}
			return okValue(object("role", value.String(text)))
		}}}
	}
	there := []*closing{answer("native", "there"), answer("reference", "there")}
	var opened []string
	r := &Runner{
		Engines: []engine.Engine{answer("native", "here"), answer("reference", "here")}, Cases: casesOf(t, elsewhereCases),
		Checkpoint: "qwen3", Format: "hermes",
		OpenCheckpoint: func(_ context.Context, name string, cases int) ([]engine.Engine, string, error) {
			opened = append(opened, name)
			if cases != 2 {
				t.Errorf("opened for %d cases", cases)
			}
			return []engine.Engine{there[0], there[1]}, "gpt-oss", nil
		},
	}
	res, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(opened, []string{"gpt-oss"}) || there[0].closed == 0 || there[1].closed == 0 {
		t.Errorf("opened %q, closed %d and %d times", opened, there[0].closed, there[1].closed)
	}
	want := map[string]string{"there/one": "there", "here": "here", "by-name": "here", "there/two": "there"}
	var ids []string
	for _, c := range res.Cases {
		ids = append(ids, c.Case.ID)
		role, _ := c.Outcomes[1].Outcome.Value.Get("role").AsString()
		if role != want[c.Case.ID] || c.Fails() {
			t.Errorf("%s was answered %q, fails %v: %+v", c.Case.ID, role, c.Fails(), c.Verdicts)
		}
	}
	if !slices.Equal(ids, []string{"there/one", "here", "by-name", "there/two"}) {
		t.Errorf("the order is %q", ids)
	}
	// The native engine has no renderer for the format, says so, and does not fail.
	if last := res.Cases[3]; last.Kind() != corpus.CannotSay {
		t.Errorf("a prompt of another format: %s", last.Kind())
	}
	if len(res.Checkpoints) != 1 || res.Checkpoints[0].Name != "gpt-oss" || res.Checkpoints[0].Cases != 2 {
		t.Errorf("the checkpoints are %+v", res.Checkpoints)
	}
}

// Without a way to open them such cases are not run, and say how they would be; a
// known difference in one is then no stale entry.
func TestCasesElsewhereAreLeftOut(t *testing.T) {
	whole := func(name string) *fake { // it does not stream
		return &fake{name, engine.Info{Abilities: []string{"parse"}}, func(engine.Request) corpus.Outcome { return okValue(object()) }}
	}
	r := &Runner{
		Engines: []engine.Engine{whole("native"), whole("reference")},
		Cases:   casesOf(t, elsewhereCases), Checkpoint: "qwen3", Full: true,
		Known: []corpus.KnownDifference{{ID: "k", Cases: []string{"there/one"}, Engines: [2]string{"native", "reference"}, Verdict: corpus.ValueDiffers}},
	}
	res, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Cases) != 2 || len(res.NotRun) != 2 || res.NotRun[0].Why != "it names another checkpoint: --all runs it, or --checkpoint with that name" {
		t.Errorf("%d cases, not run %+v", len(res.Cases), res.NotRun)
	}
	if code := res.ExitCode(); code != ExitSame {
		t.Errorf("exit code %d, %+v", code, res.Known)
	}
	r.Known[0].Cases = []string{"nowhere"} // but one that names no case is
	if res, err = r.Run(t.Context()); err != nil || res.ExitCode() != ExitDifferences {
		t.Errorf("an entry without a case passes: %v", err)
	}
}

// A checkpoint that cannot be opened ends the run: no case of it is passed over.
func TestCheckpointThatDoesNotOpen(t *testing.T) {
	broken := errors.New("no wheel")
	r := &Runner{
		Engines: []engine.Engine{saying("native", okValue(object()))}, Cases: casesOf(t, elsewhereCases),
		OpenCheckpoint: func(context.Context, string, int) ([]engine.Engine, string, error) { return nil, "", broken },
	}
	if _, err := r.Run(t.Context()); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
