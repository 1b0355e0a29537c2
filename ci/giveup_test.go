package ci

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// renders are n render cases in a list.
func renders(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"id": "c%02d", "messages": [{"role": "user", "content": "%d"}]}`, i, i))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// failing is an engine that fails the requests for which bad holds, by their
// number, and counts them.
func failing(asked *int, bad func(n int) bool) *fake {
	return likeNative("failing", func(_ engine.Request, o corpus.Outcome) corpus.Outcome {
		*asked++
		if bad(*asked) {
			return corpus.Outcome{Kind: corpus.Failed, Why: "timed out", Offset: -1}
		}
		return o
	})
}

// An engine that fails five requests in a row is asked no more, and every case
// that it was not asked is counted as failed.
func TestGivenUp(t *testing.T) {
	asked := 0
	r := &Runner{Engines: []engine.Engine{native(), failing(&asked, func(int) bool { return true })}, Cases: casesOf(t, renders(20)), Jobs: 1}
	res, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if asked != failuresInRow {
		t.Errorf("asked %d times, want %d", asked, failuresInRow)
	}
	if n := res.Total(); n.Failed != 20 || res.ExitCode() != ExitEngine {
		t.Errorf("%+v, exit %d", n, res.ExitCode())
	}
	if got, want := res.Cases[19].Verdicts[0].What, "given up after 5 failures of render in a row: timed out"; got != want {
		t.Errorf("the last case: %q, want %q", got, want)
	}
	if got := res.Cases[4].Verdicts[0].What; got != "timed out" {
		t.Errorf("the fifth case: %q", got)
	}
}

// An answer between failures begins the count anew; a case that failed is not
// asked again, one that differs is.
func TestNotGivenUp(t *testing.T) {
	asked := 0
	r := &Runner{Engines: []engine.Engine{native(), failing(&asked, func(n int) bool { return n%5 != 0 })}, Cases: casesOf(t, renders(20)), Jobs: 1}
	res, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := res.Total(); asked != 20 || n.Failed != 16 || n.Same != 4 {
		t.Errorf("asked %d times, %+v", asked, n)
	}
}

// One operation given up leaves the others; a reply that fails in one piece is
// not fed in others.
func TestGivenUpByOperation(t *testing.T) {
	streams := 0
	e := likeNative("failing", func(r engine.Request, o corpus.Outcome) corpus.Outcome {
		if r.Op == engine.OpStream {
			streams++
			return corpus.Outcome{Kind: corpus.Failed, Why: "timed out", Offset: -1}
		}
		return o
	})
	r := &Runner{Engines: []engine.Engine{e, native()}, Cases: casesOf(t, `[
		{"id": "a", "reply": "<|channel|>final<|message|>4<|return|>", "prefix": ""},
		{"id": "b", "messages": [{"role": "user", "content": "x"}]}]`), Jobs: 1}
	res, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if streams != 1 || res.Cases[0].Kind() != corpus.EngineFailed || res.Cases[1].Kind() != corpus.Same {
		t.Errorf("%d streams, %s, %s", streams, res.Cases[0].Kind(), res.Cases[1].Kind())
	}
}
