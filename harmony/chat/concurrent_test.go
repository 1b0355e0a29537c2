package chat

import (
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
)

// A view serves several replies at once.
func TestConcurrent(t *testing.T) {
	tpl := templateOf(t, fieldsOf["calls"])
	v := NewView(tpl.MessageFields(), Options{NewID: func() string { return "id" }})
	const reply = `<c>a b </c><f look>{"x": [1, "é"]}</f><c>c</c>`
	deltas := func(size int) string {
		p, err := tpl.NewParser(response.Options{Prefix: new(string)})
		if err != nil {
			return err.Error()
		}
		var out []Delta
		s := v.Stream()
		for at := 0; at < len(reply); at += size {
			events, err := p.Feed(reply[at:min(at+size, len(reply))])
			if err != nil {
				return err.Error()
			}
			out = append(out, s.Add(events)...)
		}
		events, end, err := p.Finalize(harmony.StopUnknown())
		if err != nil {
			return err.Error()
		}
		out = append(out, s.Finish(events, end, harmony.StopUnknown())...)
		return show(v, out)
	}
	const want = `c:a b 0 look({"x": [1, "é"]}) c:c tool_calls`
	done := make(chan string)
	for i := range 8 {
		go func() { done <- deltas(1 + i) }()
	}
	for range 8 {
		if got := <-done; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
