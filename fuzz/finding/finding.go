package finding

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Finding is a case in which engines part, and all that is needed to judge it
// again.
type Finding struct {
	Signature Signature
	// Also are signatures that turned out to be of the same fault.
	Also []Signature
	// Verdict on Case.
	Verdict Verdict
	// Case is as small as it could be made; Found is as it was met.
	Case, Found corpus.Case
	// Stable: asked again twice, with nothing else going on, the engines answered
	// the same. A finding that is not is flaky.
	Stable bool
	// Shrunk tells that no smaller case was found, and how many were tried.
	Shrunk bool
	Tries  int
	// Met is how often the signature was met.
	Met int
	Origin
	// Engines say what they are, with their versions; the last is the judge.
	Engines []engine.Info
	// Answers are all that the engines answered about Case.
	Answers []Answer
}

// Origin says where a finding comes from.
type Origin struct {
	Beamdiff  string // version of this program
	Seed      uint64 // of the campaign
	Number    int    // of the case in the campaign
	Generator string // or "mutation"
}

// ID names the finding: that of its signature.
func (f *Finding) ID() string { return f.Signature.ID() }

// Name gives a case the id that its kind and input give it: every engine and
// every random cut sees the same case under the same name.
func Name(c corpus.Case) corpus.Case {
	sum := sha256.Sum256([]byte(string(c.Kind) + value.Dumps(c.Input.Value())))
	c.ID = "fuzz/" + hex.EncodeToString(sum[:8])
	return c
}

// Ask judges the finding's case once. It gives the worst verdict that fails and
// its signature; "" where none fails. The answers are kept in the finding.
func (f *Finding) Ask(ctx context.Context, judge Judge, engines []engine.Engine) (Verdict, Signature, error) {
	recorders, wrapped := Record(engines)
	verdicts, err := judge(ctx, wrapped, f.Case)
	if err != nil {
		return Verdict{}, "", err
	}
	f.Answers, f.Engines = nil, nil
	for _, r := range recorders {
		info, err := r.Info(ctx)
		if err != nil {
			return Verdict{}, "", err
		}
		info.Name = r.Name()
		f.Engines = append(f.Engines, info)
		f.Answers = append(f.Answers, r.Answers()...)
	}
	v, ok := Worst(verdicts)
	if !ok {
		return v, "", nil
	}
	return v, Sign(f.Case.Kind, v), nil
}

// Confirm asks about the case again, twice: Stable is whether it has the
// signature both times. The finding has the verdict and the answers of the last
// time that it had.
func (f *Finding) Confirm(ctx context.Context, judge Judge, engines []engine.Engine) error {
	f.Stable = true
	for range 2 {
		again := *f
		v, signature, err := again.Ask(ctx, judge, engines)
		if err != nil {
			return err
		}
		if signature != f.Signature {
			f.Stable = false
			if f.Answers != nil {
				continue
			}
		} else {
			f.Verdict = v
		}
		f.Answers, f.Engines = again.Answers, again.Engines
	}
	return nil
}
