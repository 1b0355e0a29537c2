package ci

import (
	"context"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Judge is the judge of campaigns: it asks and judges as Run does, once and
// without known differences. Its Engines and Cases are not used. The engine
// that the others are judged by is asked for the whole reply alone: how it
// answers cuts is no finding.
func (r *Runner) Judge() finding.Judge {
	var mu sync.Mutex
	infos := map[string]engine.Info{}
	know := func(ctx context.Context, e engine.Engine) (engine.Info, error) {
		mu.Lock()
		defer mu.Unlock()
		info, ok := infos[e.Name()]
		if ok {
			return info, nil
		}
		info, err := e.Info(ctx)
		if err != nil {
			return info, &EngineError{Engine: e.Name(), Err: err}
		}
		infos[e.Name()] = info
		return info, nil
	}
	return func(ctx context.Context, engines []engine.Engine, c corpus.Case) ([]finding.Verdict, error) {
		one := *r
		one.Engines, one.infos, one.failures, one.wholeJudge = engines, nil, nil, true
		for _, e := range engines {
			info, err := know(ctx, e)
			if err != nil {
				return nil, err
			}
			one.infos = append(one.infos, info)
			one.failures = append(one.failures, &failures{})
		}
		result := one.judgeCase(ctx, c)
		var out []finding.Verdict
		for _, v := range result.Verdicts {
			if v.Kind != corpus.Same {
				out = append(out, v.finding())
			}
		}
		return out, nil
	}
}

// finding is the verdict as findings keep it.
func (v Verdict) finding() finding.Verdict {
	f := finding.Verdict{Kind: v.Kind, Left: v.Left, Right: v.Right, LeftOutcome: v.LeftOutcome, RightOutcome: v.RightOutcome,
		Offset: -1, What: v.What, Chunks: v.Chunks, Fails: v.Fails}
	if v.Where != nil {
		f.Path, f.Offset, f.LeftText, f.RightText = v.Where.Path, v.Where.Offset, v.Where.Left, v.Where.Right
	}
	return f
}
