package reference_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
)

// Each release of Transformers answers as itself: what one cannot do, its info
// says; a prompt of the default checkpoint is the same in all; and the parser that
// 5.24.0 brought is in no other. The first run of a release fetches it. Other
// releases are tried where BEAMDIFF_RELEASES is all, as scripts/nightly sets it.
func TestReleases(t *testing.T) {
	const (
		hello = `{"messages":[{"role":"user","content":"Hello!"}]}`
		text  = `{"reply":"a","prefix":"","response_template":{"start_anchor":"@","fields":{"v":{"content":"text"}}}}`
		tools = `{"reply":"a","prefix":"","tools":[],"response_template":{"start_anchor":"@","fields":{"v":{"content":"text"}}}}`
		calls = `{"reply":"[f()]","prefix":"","response_template":{"start_anchor":"@","fields":{"v":{"content":"python-call-list"}}}}`
		safe  = `{"messages":[{"role":"user","content":"<|return|>"}],"sanitize_control_tokens":true}`
	)
	type answers struct{ text, tools, calls, safe string } // a class, or the kind of outcome
	const same, cannot, refused = "ok", "cannot", "ValueError"
	releases := []struct {
		version string
		want    answers
	}{
		{python.Release(), answers{same, same, same, same}},
		{"5.23.0", answers{same, same, refused, same}},
		{"5.18.0", answers{same, same, refused, cannot}},
		{"5.13.1", answers{same, cannot, refused, cannot}},
		{"4.57.6", answers{cannot, cannot, cannot, cannot}},
	}
	if os.Getenv("BEAMDIFF_RELEASES") != "all" {
		releases = releases[:2]
	}
	usual, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	prompt := do(t, usual, engine.OpRender, hello)
	for _, r := range releases {
		t.Run(r.version, func(t *testing.T) {
			e := open(t, reference.Options{Workers: 1, Date: "2025-06-01", Python: python.Options{Release: r.version, Progress: func(e python.Event) { t.Log(e.Text) }}})
			info, err := e.Info(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if e.Name() != "reference@"+r.version || !slices.Contains(info.Versions, engine.Version{Name: "transformers", Version: r.version}) {
				t.Errorf("%s is of %v", e.Name(), info.Versions)
			}
			if had := slices.Contains(info.Abilities, "parse"); had != (r.want.text != cannot) {
				t.Errorf("its info says that it can %s", strings.Join(info.Abilities, ", "))
			}
			if got := do(t, e, engine.OpRender, hello); got.Kind != corpus.OK || !value.Equal(got.Value, prompt.Value) {
				t.Errorf("it renders %+v", got)
			}
			got := answers{}
			for op, ask := range map[*string]struct {
				op   engine.Op
				text string
			}{&got.text: {engine.OpParse, text}, &got.tools: {engine.OpStream, tools}, &got.calls: {engine.OpParse, calls}, &got.safe: {engine.OpEncode, safe}} {
				switch o := do(t, e, ask.op, ask.text); o.Kind {
				case corpus.OK:
					*op = same
				case corpus.Raised:
					*op = o.Class
				case corpus.Cannot:
					*op = cannot
				default:
					*op = o.Why
				}
			}
			if got != r.want {
				t.Errorf("text, tools, calls, safe: got %+v, want %+v", got, r.want)
			}
		})
	}
}
