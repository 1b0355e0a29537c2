package response

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/bench/replies"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// A parser that is reset reads as a new one, whatever it read before, and keeps
// nothing of it.
func TestReset(t *testing.T) {
	prefix := "<|start|>assistant" + openFinal + "so far"
	others := []struct {
		o    Options
		fed  string
		ends bool
	}{
		{Options{Prefix: &noPrefix}, openThinking + "a<|end|>" + openFinal + "b<|en", true},
		{Options{Prefix: &noPrefix}, openCall + "<rfl:parameter name=\"ci", false},
		{Options{Prefix: &prefix, Problems: true}, " and on<|return|>outside", true},
		{Options{Prefix: &noPrefix, Lenient: true}, openFinal + "é"[:1], true},
		{Options{Prefix: &noPrefix, Limits: Limits{Bytes: 3}}, "abcdef", true},
		{Options{Prefix: &noPrefix, Discard: true}, openFinal + "x<", true},
		{Options{}, "", false}, // refused
	}
	for name, tpl := range beamTemplates(t) {
		used, err := tpl.NewParser(Options{Prefix: &noPrefix})
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range others {
			reply := "x" + openThinking + "hm <|end|> y" + openCall + parameter + "<|call|>" + openFinal + "é<|return|>z"
			for _, o := range []Options{{Prefix: &noPrefix, Problems: true}, {Prefix: &prefix}} {
				if used.Reset(other.o) == nil {
					_, err = used.Feed(other.fed)
				}
				if other.ends {
					_, _, err = used.Finalize(harmony.Stop{})
				}
				_ = err
				fresh, err := tpl.NewParser(o)
				if err != nil {
					t.Fatal(err)
				}
				if err := used.Reset(o); err != nil {
					t.Fatal(err)
				}
				if a, b := merged(used.InitialEvents()), merged(fresh.InitialEvents()); a != b {
					t.Errorf("%s: initial events %s, want %s", name, a, b)
				}
				if got, want := readFed(used, reply), readFed(fresh, reply); got != want {
					t.Errorf("%s, after %q:\n%+v, want\n%+v", name, other.fed, got, want)
				}
			}
		}
	}
}

// readFed reads a reply through a parser, three bytes a feed.
func readFed(p *Parser, reply string) answer {
	var events []harmony.Event
	for at := 0; at < len(reply); at += 3 {
		more, err := p.Feed(reply[at:min(at+3, len(reply))])
		events = append(events, more...)
		if err != nil {
			return answer{err: classOf(err)}
		}
	}
	more, r, err := p.Finalize(harmony.Stop{})
	return answer{merged(append(events, more...)), value.Dumps(r.Message), describe(r), classOf(err)}
}

// What the memory of a stream may cost: nothing to reset, and nothing for each
// feed, also where text is held or a character is cut.
func TestStreamAllocations(t *testing.T) {
	tpl := beamTemplate(t)
	p, err := tpl.NewParser(Options{Prefix: &noPrefix})
	if err != nil {
		t.Fatal(err)
	}
	if got := testing.AllocsPerRun(100, func() {
		if err := p.Reset(Options{Prefix: &noPrefix}); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations to reset", got)
	}
	const feeds = 10_000
	for name, unit := range map[string]string{"prose": "word ", "less": "<", "near miss": "<|en", "one less": "a", "Han": "你好", "to=": " to=x<|"} {
		for _, size := range []int{1, 4} {
			text := strings.Repeat(unit, feeds*size/len(unit)+1)[:feeds*size]
			head := openFinal
			if name == "to=" {
				head = ""
			}
			if name == "one less" {
				head += "<"
			}
			got := testing.AllocsPerRun(1, func() {
				if err := p.Reset(Options{Prefix: &noPrefix}); err != nil {
					t.Fatal(err)
				}
				if _, err := p.Feed(head); err != nil {
					t.Fatal(err)
				}
				for at := 0; at < len(text); at += size {
					if _, err := p.Feed(text[at : at+size]); err != nil {
						t.Fatal(err)
					}
				}
			})
			if got > feeds/50 {
				t.Errorf("%s, %d bytes a feed: %v allocations for %d feeds", name, size, got, feeds)
			}
		}
	}
}

// A whole reply of calls costs the calls alone: three objects each, and the two
// lists that hold them.
func TestCallAllocations(t *testing.T) {
	tpl := beamTemplate(t)
	text := replies.Named("calls-short").Make(1 << 20)
	calls := 0
	got := testing.AllocsPerRun(3, func() {
		reply, err := tpl.Parse(text, Options{Prefix: &noPrefix})
		if err != nil {
			t.Fatal(err)
		}
		calls = len(reply.Calls)
	})
	if most := float64(3*calls + 100); calls < 5000 || got > most {
		t.Errorf("%v allocations for %d calls", got, calls)
	}
}
