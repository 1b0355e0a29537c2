package campaign_test

import (
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/campaign"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// gaveUp is the native engine that reaches its limit on every reply.
func gaveUp() *faulty {
	return &faulty{answer: func(r engine.Request, o corpus.Outcome) corpus.Outcome {
		return corpus.Outcome{Kind: corpus.Raised, Class: "LimitError", Message: "too many steps", Offset: -1}
	}}
}

// replies are replies to one template.
func replies(template string) []campaign.Generator {
	return []campaign.Generator{{Name: "replies", Weight: 1, Make: func(s *fuzz.Source) corpus.Case {
		in := &value.Object{}
		in.Set("reply", value.String(s.Text()))
		in.Set("prefix", value.String(""))
		if template != "" {
			v, err := value.Loads(template)
			if err != nil {
				panic(err)
			}
			in.Set("response_template", v)
		}
		return corpus.Case{Kind: corpus.Parse, Input: in}
	}}}
}

// Native Go at its limit of steps is counted where the pattern backtracks, and a
// finding on every other template.
func TestLimited(t *testing.T) {
	for template, want := range map[string]struct{ limited, findings int }{
		`{"start_anchor": "@", "fields": {"a": {"open_pattern": "(a|b)+(?<!c)!"}, "c": {}}}`: {20, 0},
		`{"start_anchor": "@", "fields": {"a": {"open": "x", "close": "z"}, "c": {}}}`:       {0, 1},
		"": {0, 1},
	} {
		c := plan(t, gaveUp(), 20)
		c.Generators = replies(template)
		if r := run(t, c, t.TempDir()); r.Limited != want.limited || len(r.Findings) != want.findings {
			t.Errorf("%q: %d limited, %d findings; want %d and %d", template, r.Limited, len(r.Findings), want.limited, want.findings)
		}
	}
}

// A finding on which an engine is slow is as small as it gets in its time, and the
// campaign goes on.
func TestShrinkFor(t *testing.T) {
	slow := gaveUp()
	give := slow.answer
	slow.answer = func(r engine.Request, o corpus.Outcome) corpus.Outcome {
		time.Sleep(20 * time.Millisecond)
		return give(r, o)
	}
	c := plan(t, slow, 3)
	c.Generators, c.ShrinkFor = replies(""), time.Nanosecond
	r := run(t, c, t.TempDir())
	if r.Cases != 3 || len(r.Findings) != 1 || r.Findings[0].Shrunk || !r.Findings[0].Stable {
		t.Errorf("%d cases, %d findings, %+v", r.Cases, len(r.Findings), r.Findings[0])
	}
}
