package campaign

import (
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/harmony/response"
)

// atLimit counts, in the journal, the cases that are limited.
const atLimit finding.Signature = "limit"

// limited tells whether native Go gave up at a limit of its own where the other
// engine answered, on a template that the case brings and that backtracks. That is
// what is promised of such patterns ([response.Template.Backtracks]): it is counted,
// and no finding. At the limit on any other template it is one.
func limited(c corpus.Case, v finding.Verdict) bool {
	gaveUp := func(o corpus.Outcome) bool { return o.Kind == corpus.Raised && o.Class == "LimitError" }
	if gaveUp(v.LeftOutcome) == gaveUp(v.RightOutcome) {
		return false
	}
	source, brought := c.Input.Get("response_template")
	if !brought {
		return false
	}
	t, err := response.Compile(source)
	return err == nil && len(t.Backtracks()) > 0
}
