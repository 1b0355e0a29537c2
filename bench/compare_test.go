package bench

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// resultsOf reads measurements: for each name, times in nanoseconds, and
// allocations.
func resultsOf(t *testing.T, name string, allocs int, times ...float64) *Results {
	t.Helper()
	var b strings.Builder
	for _, ns := range times {
		fmt.Fprintf(&b, "Benchmark%s 1 %g ns/op %d allocs/op\n", name, ns, allocs)
	}
	r, err := Read(strings.NewReader(b.String()), "test")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// around are n times within 2 % of a middle, in an order that is no trend.
func around(middle float64, n int) (list []float64) {
	for i := range n {
		list = append(list, middle*(1+0.02*math.Sin(float64(7*i))))
	}
	return list
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name            string
		before, after   []float64
		allocs, nowAlso int
		judging         Judging
		time, counted   Verdict
	}{
		{"a fifth slower", around(100, 10), around(120, 10), 3, 3, Judging{}, Slower, Alike},
		{"a fifth faster", around(120, 10), around(100, 10), 3, 3, Judging{}, Faster, Alike},
		{"the same", around(100, 10), around(100, 10), 3, 3, Judging{}, Alike, Alike},
		{"slower, below the threshold", around(100, 10), around(107, 10), 3, 3, Judging{}, Alike, Alike},
		{"the same, with a lower threshold", around(100, 10), around(107, 10), 3, 3, Judging{Threshold: 0.05}, Slower, Alike},
		{"slower, in too few rounds to be certain", around(100, 2), around(150, 2), 3, 3, Judging{}, Alike, Alike},
		{"certain, but not among so many", around(100, 5), around(120, 5), 3, 3, Judging{Together: 1000}, Alike, Alike},
		{"one allocation more", around(100, 10), around(100, 10), 3, 4, Judging{}, Alike, More},
		{"one less", around(100, 1), around(100, 1), 3, 2, Judging{}, Alike, Less},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Compare(resultsOf(t, "A", c.allocs, c.before...), resultsOf(t, "A", c.nowAlso, c.after...), c.judging)
			if len(got.Changes) != 2 || got.Changes[0].Verdict != c.time || got.Changes[1].Verdict != c.counted {
				t.Fatalf("%+v", got.Changes)
			}
			if want := c.time.Regressed() || c.counted.Regressed(); want != (len(got.Regressed()) > 0) {
				t.Errorf("regressed: %+v", got.Regressed())
			}
			if want := got.Changes[0].New / got.Changes[0].Old; math.Abs(got.Geomean-want) > 1e-9 {
				t.Errorf("geometric mean %v, not %v", got.Geomean, want)
			}
		})
	}
	one := Compare(resultsOf(t, "A", 1, 5), resultsOf(t, "B", 1, 5), Judging{})
	if len(one.Changes) != 2 || one.Changes[0].Verdict != Unmatched || one.Changes[1].Verdict != Unmatched || len(one.Regressed()) > 0 {
		t.Errorf("what only one side has: %+v", one.Changes)
	}
	if c := Compare(resultsOf(t, "A", 1, around(1, 10)...), resultsOf(t, "A", 1, around(2, 10)...), Judging{ExactOnly: true}); c.Timed != 0 || len(c.Regressed()) > 0 {
		t.Errorf("times of another machine are compared: %+v", c)
	}
}

// The budget is held in both directions, and to every name.
func TestCheckBudget(t *testing.T) {
	for used, want := range map[int]string{3: "", 4: "A: 4 allocs/op, the budget is 3", 2: "A: 2 allocs/op, the budget is 3"} {
		over, strays := CheckBudget(resultsOf(t, "A", 3, 1), resultsOf(t, "A", used, 1))
		if len(strays) > 0 || (want == "") != (len(over) == 0) || want != "" && over[0].String() != want {
			t.Errorf("%d: %v %v", used, over, strays)
		}
	}
	if _, strays := CheckBudget(resultsOf(t, "A", 3, 1), resultsOf(t, "B", 3, 1)); len(strays) != 2 {
		t.Errorf("strays: %v", strays)
	}
}

func TestGrowth(t *testing.T) {
	for _, exponent := range []float64{1, 1.5, 2} {
		var b strings.Builder
		for _, size := range Sizes {
			ns := math.Pow(float64(size), exponent)
			fmt.Fprintf(&b, "BenchmarkA/size=%s/impl=native 1 %g ns/op %g MB/s\n", SizeName(size), ns, float64(size)/ns*1e3)
		}
		r, err := Read(strings.NewReader(b.String()), "test")
		if err != nil {
			t.Fatal(err)
		}
		g := r.Growths()["A/impl=native"]
		if math.Abs(g.Exponent-exponent) > 1e-3 || g.Sizes != 9 {
			t.Errorf("%+v, not %v", g, exponent)
		}
	}
}

func TestSelect(t *testing.T) {
	s := Suite{{Family: "Parse", Labels: []Label{{"kind", "calls"}, {"size", "1KiB"}}, Impl: "native"},
		{Family: "Parse", Labels: []Label{{"kind", "calls-short"}, {"size", "1KiB"}}, Impl: "scan"}, {Family: "Render", Impl: "native"}}
	for pattern, want := range map[string]string{
		"Parse": "01", "Parse/": "01", "Parse/kind=calls": "0", "Parse/kind=calls*": "01", "*": "012", "*/impl=native": "02", "Pars": "", "*scan": "1", "*size=?KiB*": "01",
	} {
		got := ""
		chosen, err := s.Select([]string{pattern})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range chosen {
			for i := range s {
				if s[i].Name() == c.Name() {
					got += fmt.Sprint(i)
				}
			}
		}
		if got != want {
			t.Errorf("%s: cases %s, not %s", pattern, got, want)
		}
	}
	if _, err := s.Select([]string{"[a"}); err == nil {
		t.Error("a broken pattern is taken")
	}
}

// A row for each implementation of an input, at the size asked for or, where one
// was not measured there, the nearest; and what is missing is told.
func TestTable(t *testing.T) {
	var s Suite
	var b strings.Builder
	for _, impl := range []string{"native", "scan", "python/where=inproc", "peer"} {
		for i, size := range []int{32 << 10, 64 << 10} {
			c := Case{Family: "Parse", Labels: []Label{{"kind", "calls"}, {"size", SizeName(size)}}, Impl: impl, Size: size}
			s = append(s, c)
			if impl == "peer" || impl == "python/where=inproc" && i == 1 {
				continue
			}
			for range 6 {
				fmt.Fprintf(&b, "Benchmark%s 1 %d ns/op\n", c.Name(), map[string]int{"native": 200, "scan": 100, "python/where=inproc": 900}[impl]<<i)
			}
		}
	}
	r, err := Read(strings.NewReader(b.String()), "test")
	if err != nil {
		t.Fatal(err)
	}
	r.Missing = []Missing{{s[6].Name(), "no such\nprogram"}, {s[7].Name(), "no such\nprogram"}}
	var out strings.Builder
	if err := NewTable(s, r, 64<<10).WriteMarkdown(&out); err != nil {
		t.Fatal(err)
	}
	want := `### Parse

| input | implementation | time | ± | speed | native=1 | growth | allocs | bytes | steps |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|
| kind=calls/size=32KiB | native | 200.0ns | 0 % |  | 1.00 |  |  |  |  |
| kind=calls/size=32KiB | scan (limit) | 100.0ns | 0 % |  | 0.50 |  |  |  |  |
| kind=calls/size=32KiB | python/where=inproc | 900.0ns | 0 % |  | 4.50 |  |  |  |  |
| kind=calls/size=64KiB | native | 400.0ns | 0 % |  | 1.00 |  |  |  |  |
| kind=calls/size=64KiB | scan (limit) | 200.0ns | 0 % |  | 0.50 |  |  |  |  |

- missing: peer (2 inputs): no such program
`
	if got := out.String(); !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
}
