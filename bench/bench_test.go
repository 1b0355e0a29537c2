package bench_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/bench"
	"github.com/beamdiff/beamdiff/ci"
)

// all are the cases that a process does by itself, those of the comparison too.
func all() bench.Suite { return append(bench.Default(), ci.BenchCases()...) }

// run runs the cases of a family that this process does itself as Go benchmarks:
// what needs another process is for beamdiff bench.
func run(b *testing.B, family string) {
	for _, c := range all() {
		if c.Family != family {
			continue
		}
		b.Run(c.Name()[len(family)+1:], func(b *testing.B) { benchmark(b, c) })
	}
}

// benchmark is one case. Every operation checks its answer.
func benchmark(b *testing.B, c bench.Case) {
	body, err := c.Prepare(&bench.Env{Context: b.Context()})
	if err != nil {
		b.Fatal(err)
	}
	exact, err := bench.Counted(c, body)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(body.Bytes))
	runtime.GC() // nobody pays for what another left
	before := bench.ProcessorTime()
	for b.Loop() {
		if err := body.Run(); err != nil {
			b.Fatal(err)
		}
	}
	if cpu := bench.ProcessorTime() - before; cpu > 0 {
		b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N), bench.UnitCPU)
	}
	for _, v := range exact {
		b.ReportMetric(v.Value, v.Unit)
	}
}

func BenchmarkRender(b *testing.B) { run(b, "Render") }
func BenchmarkParse(b *testing.B)  { run(b, "Parse") }
func BenchmarkType(b *testing.B)   { run(b, "Type") }
func BenchmarkDecode(b *testing.B) { run(b, "Decode") }
func BenchmarkMask(b *testing.B)   { run(b, "Mask") }
func BenchmarkScan(b *testing.B)   { run(b, "Scan") }
func BenchmarkJudge(b *testing.B)  { run(b, "Judge") }

// Every family has its wrapper above, and every case a name, a why and an answer.
func TestSuite(t *testing.T) {
	suite := all()
	if got := suite.Families(); !slices.Equal(got, []string{"Render", "Parse", "Type", "Decode", "Mask", "Scan", "Judge"}) {
		t.Errorf("families without a wrapper: %v", got)
	}
	names := map[string]bool{}
	for _, c := range suite {
		if names[c.Name()] || c.Why == "" {
			t.Errorf("%s: twice, or without a why", c.Name())
		}
		names[c.Name()] = true
	}
}
