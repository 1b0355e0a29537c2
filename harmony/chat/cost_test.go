package chat

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
)

var longText = "<c>" + strings.Repeat("Some words, and\n\n  more; ", 2000)

// feedsOf are the events of a reply, fed size bytes at a time.
func feedsOf(t testing.TB, tpl *response.Template, reply string, size int) (feeds [][]harmony.Event) {
	p, err := tpl.NewParser(response.Options{Prefix: new(string)})
	if err != nil {
		t.Fatal(err)
	}
	for chunk := range pieces(reply, func() int { return size }) {
		events, err := p.Feed(chunk)
		if err != nil {
			t.Fatal(err)
		}
		feeds = append(feeds, append([]harmony.Event(nil), events...))
	}
	return feeds
}

// A delta of text allocates nothing, whatever the cut.
func TestAllocations(t *testing.T) {
	for _, template := range []string{"stripped", "kept"} {
		for _, size := range []int{1, 4} {
			tpl := templateOf(t, fieldsOf[template])
			v, feeds := viewOf(tpl), feedsOf(t, tpl, longText, size)
			var dst []byte
			deltas := 0
			allocs := testing.AllocsPerRun(3, func() {
				s := v.Stream()
				deltas = 0
				for _, events := range feeds {
					for _, d := range s.Add(events) {
						dst = v.AppendChunk(dst[:0], d)
						deltas++
					}
				}
			})
			if allocs > 8 || deltas < 10_000 {
				t.Errorf("%s, %d bytes a feed: %v allocations for %d deltas", template, size, allocs, deltas)
			}
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	tpl := templateOf(b, fieldsOf["stripped"])
	v, feeds := viewOf(tpl), feedsOf(b, tpl, longText, 4)
	b.ReportAllocs()
	for b.Loop() {
		s := v.Stream()
		for _, events := range feeds {
			s.Add(events)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(feeds)), "ns/feed")
}
