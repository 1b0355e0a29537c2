package rx

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkCompile compiles patterns that are long, and long four times.
func BenchmarkCompile(b *testing.B) {
	for _, unit := range []string{`\g<`, "(?P<", "[:", "{", `[^b]|`, "(a)(?P=1)", `(?i:\w)`} {
		for _, times := range []int{500, 2000} {
			b.Run(fmt.Sprintf("unit=%s/times=%d", unit, times), func(b *testing.B) {
				src := strings.Repeat(unit, times)
				for b.Loop() {
					_, _ = Compile(src)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)), "ns/byte")
			})
		}
	}
}
