package bench_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

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

// counted is a case that is ready, and what was counted of it: once, however often
// it is measured.
type counted struct {
	*bench.Body
	exact []benchfmt.Value
}

var ready = map[string]counted{}

// benchmark is one case. Every operation checks its answer.
func benchmark(b *testing.B, c bench.Case) {
	body, ok := ready[c.Name()]
	if !ok {
		var err error
		if body.Body, err = c.Prepare(&bench.Env{Context: context.Background()}); err != nil {
			b.Fatal(err)
		}
		if body.exact, err = bench.Counted(c, body.Body); err != nil {
			b.Fatal(err)
		}
		ready[c.Name()] = body
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
	for _, v := range body.exact {
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

// Every family has its wrapper above.
func TestFamilies(t *testing.T) {
	if got := all().Families(); !slices.Equal(got, []string{"Render", "Parse", "Type", "Decode", "Mask", "Scan", "Judge"}) {
		t.Errorf("families without a wrapper: %v", got)
	}
}

// whole is what beamdiff bench measures where nothing is left out.
func whole() bench.Suite {
	return slices.Concat(all(), bench.EncodeCases(), bench.References(), bench.PeerCases(), ci.DiffCases())
}

// Every case has a name of its own and a why; every family has the checkpoint's
// Python or a limit beside the native side where there is one, and every peer has
// cases.
func TestWhole(t *testing.T) {
	names, impls := map[string]bool{}, map[string]map[string]bool{}
	for _, c := range whole() {
		if names[c.Name()] || c.Why == "" || c.Prepare == nil {
			t.Errorf("%s: twice, or without a why", c.Name())
		}
		names[c.Name()] = true
		if impls[c.Family] == nil {
			impls[c.Family] = map[string]bool{}
		}
		impls[c.Family][c.Impl] = true
	}
	for family, want := range map[string][]string{
		"Render": {bench.Native, bench.InProcess, bench.Through, "copy", "minijinja", "minijinja/from=python", "gonja", "openai-harmony", "oss-harmony"},
		"Parse":  {bench.Native, bench.InProcess, bench.Through, "scan", "splitter", "ollama", "smg", "openai-harmony", "oss-harmony", "sglang"},
		"Encode": {bench.Native, bench.InProcess, bench.Through},
		"Mask":   {bench.Native, bench.InProcess, bench.Through},
		"Type":   {bench.Native}, "Decode": {bench.Native}, "Scan": {bench.Native}, "Judge": {bench.Native},
		"Diff": {bench.Native, bench.InProcess},
	} {
		for _, impl := range want {
			if !impls[family][impl] {
				t.Errorf("%s has no %s", family, impl)
			}
		}
	}
	for _, p := range bench.Peers {
		if !impls["Render"][p.Name] && !impls["Parse"][p.Name] {
			t.Errorf("%s has no case", p.Name)
		}
	}
}

// Inputs double from 1 KiB, or the least that they can be made in, to 1 MiB.
func TestSizes(t *testing.T) {
	sizes := map[string][]int{}
	for _, c := range whole() {
		if c.Impl == bench.Native && c.Size > 0 {
			key := strings.Replace(c.Name(), "/size="+bench.SizeName(c.Size), "", 1)
			sizes[key] = append(sizes[key], c.Size)
		}
	}
	for name, list := range sizes {
		if from := slices.Index(bench.Sizes, list[0]); from > 3 || !slices.Equal(list, bench.Sizes[from:]) {
			t.Errorf("%s: sizes %v", name, list)
		}
	}
	if len(sizes) < 60 {
		t.Errorf("only %d inputs", len(sizes))
	}
}
