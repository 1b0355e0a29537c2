package response

import (
	"fmt"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
)

// The whole reply at once, 64 KiB.
func BenchmarkParse(b *testing.B) {
	for name, tpl := range beamTemplates(b) {
		for _, reply := range []string{"ordinary", "calls", "run of <", "near-miss markers", "to= that never ends", "prose with < outside"} {
			text := replies[reply](64 << 10)
			b.Run(fmt.Sprintf("template=%s/reply=%s", name, reply), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := tpl.Parse(text, Options{Prefix: &noPrefix}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// Feeds of a few bytes; ns/feed is the figure to compare.
func BenchmarkFeed(b *testing.B) {
	tpl := beamTemplate(b)
	for _, reply := range []string{"ordinary", "calls", "run of <", "to= that never ends"} {
		for _, size := range []int{1, 4} {
			text := replies[reply](64 << 10)
			b.Run(fmt.Sprintf("reply=%s/feed=%d", reply, size), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				feeds := 0
				for b.Loop() {
					p, err := tpl.NewParser(Options{Prefix: &noPrefix})
					if err != nil {
						b.Fatal(err)
					}
					for at := 0; at < len(text); at += size {
						if _, err := p.Feed(text[at:min(at+size, len(text))]); err != nil {
							b.Fatal(err)
						}
						feeds++
					}
					if _, _, err := p.Finalize(harmony.Stop{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(feeds), "ns/feed")
			})
		}
	}
}
