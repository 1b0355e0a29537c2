package bench

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/bench/replies"
	"github.com/beamdiff/beamdiff/harmony/response"
)

// The yardsticks read the replies as the engine does, to the byte: the cases
// themselves look at lengths alone.
func TestYardsticks(t *testing.T) {
	tpl, err := beamTemplate()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ordinary", "ordinary-han"} {
		text := replies.Named(name).Make(64 << 10)
		if got, want := replies.Scan([]byte(text)), strings.Count(text, "<"); got != want || got == 0 {
			t.Errorf("%s: the scan found %d of %d", name, got, want)
		}
		reply, err := tpl.Parse(text, response.Options{Prefix: &noPrefix})
		if err != nil {
			t.Fatal(err)
		}
		s := &replies.Splitter{} // one, as the cases have: what it is reset from must not show
		for _, cut := range cuts {
			s.Reset()
			for _, chunk := range replies.Cut(text, cut) {
				s.Feed(chunk)
			}
			thinking, final := s.End()
			for key, got := range map[string][]byte{"thinking": thinking, "content": final} {
				if want, _ := reply.Message.Get(key).AsString(); string(got) != want || want == "" {
					t.Errorf("%s, cut %s: the splitter's %s differs", name, cutName(cut), key)
				}
			}
		}
	}
}
