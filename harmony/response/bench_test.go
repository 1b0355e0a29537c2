package response

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/bench/replies"
	"github.com/beamdiff/beamdiff/harmony"
)

// cuts are the ways in which replies are fed, by name: characters a feed, 0 for
// the whole reply at once.
var cuts = []struct {
	name string
	size int
}{{"whole", 0}, {"4", 4}, {"1", 1}}

// reader is one implementation that reads a reply in chunks, or whole where there
// is one. It panics where its answer is wrong: a wrong answer has no speed.
type reader func(chunks []string)

// nativeReader reads with the engine. Feeds go through one parser that is reset.
func nativeReader(tb testing.TB, tpl *Template, want int) reader {
	o := Options{Prefix: &noPrefix}
	p, err := tpl.NewParser(o)
	if err != nil {
		tb.Fatal(err)
	}
	return func(chunks []string) {
		var reply harmony.Reply
		var err error
		if len(chunks) == 1 {
			reply, err = tpl.Parse(chunks[0], o)
		} else {
			must(p.Reset(o) == nil)
			for _, chunk := range chunks {
				_, err = p.Feed(chunk)
				must(err == nil)
			}
			_, reply, err = p.Finalize(harmony.Stop{})
		}
		must(err == nil && tally(reply) == want)
	}
}

// bareReader builds the message of a reply whose regions are known.
func bareReader(tb testing.TB, tpl *Template, text string, want int) reader {
	l := newBareLoop(tb, tpl, text)
	return func(chunks []string) { must(tally(l.read(chunks)) == want) }
}

// tally is what a reply is checked by: the bytes of its texts and the number of
// its calls.
func tally(r harmony.Reply) int {
	thinking, _ := r.Message.Get("thinking").AsString()
	content, _ := r.Message.Get("content").AsString()
	return len(thinking) + len(content) + len(r.Calls)
}

func must(ok bool) {
	if !ok {
		panic("a reader's answer is wrong")
	}
}

// wanted is the answer for a reply, read once.
func wanted(tb testing.TB, tpl *Template, text string) int {
	reply, err := tpl.Parse(text, Options{Prefix: &noPrefix})
	if err != nil {
		tb.Fatal(err)
	}
	return tally(reply)
}

// growth is how much dearer a byte of 1 MiB may be than one of 64 KiB: so many
// times, or so many times what a bare loop that builds the same message shows.
const (
	growth       = 1.3
	growthRounds = 9 // fewer judge nothing
)

// BenchmarkGrowth gives the time a byte of a reply of 1 MiB as a multiple of that
// of one of 64 KiB, for the replies that make careless readers quadratic, and the
// same for the bare loop: the medians of the rounds, each of which takes both
// sizes. It fails where the engine grows more than it may, by the medians and by
// the least times.
func BenchmarkGrowth(b *testing.B) {
	tpl := beamTemplate(b)
	for _, kind := range replies.Kinds {
		for _, c := range cuts {
			b.Run(fmt.Sprintf("reply=%s/cut=%s", kind.Name, c.name), func(b *testing.B) {
				const small, large = 64 << 10, 1 << 20
				var read [4]reader
				var chunks [4][]string
				for i, n := range []int{small, large} {
					text := kind.Make(n)
					want := wanted(b, tpl, text)
					chunks[i], chunks[2+i] = replies.Cut(text, c.size), replies.Cut(text, c.size)
					read[i], read[2+i] = nativeReader(b, tpl, want), bareReader(b, tpl, text, want)
				}
				// Of each, so many times that a round is long enough to be measured.
				start := time.Now()
				read[1](chunks[1])
				times := 1 + int(2*time.Millisecond/(1+time.Since(start)))
				var ratios [2][]float64
				least := [2]float64{math.Inf(1), math.Inf(1)} // of the engine, nanoseconds a byte
				for b.Loop() {
					for k := range ratios {
						var took [2]time.Duration
						for i, n := range []int{times * large / small, times} { // as many bytes
							runtime.GC() // nobody pays for what another left
							start := time.Now()
							for range n {
								read[2*k+i](chunks[2*k+i])
							}
							took[i] = time.Since(start)
						}
						ratios[k] = append(ratios[k], float64(took[1])/float64(took[0]))
						for i := range took {
							if k == 0 {
								least[i] = min(least[i], float64(took[i])/float64(times*large))
							}
						}
					}
				}
				for i := range ratios {
					slices.Sort(ratios[i])
				}
				native, bare := ratios[0][b.N/2], ratios[1][b.N/2]
				b.ReportMetric(native, "x-growth")
				b.ReportMetric(bare, "x-growth-bare")
				b.ReportMetric(least[1], "ns/byte")
				b.ReportMetric(0, "ns/op")
				switch {
				case b.N < growthRounds:
					b.Logf("NOT JUDGED: %d rounds, at least %d are needed: -benchtime %dx", b.N, growthRounds, growthRounds)
				case min(native, least[1]/least[0]) > growth*max(1, bare): // on a busy machine the median alone tells of others
					b.Errorf("a byte of 1 MiB takes %.2f times what one of 64 KiB does; the bare loop %.2f times", native, bare)
				}
			})
		}
	}
}
