package response

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/bench/replies"
	"github.com/beamdiff/beamdiff/harmony"
)

// stepsOf reads a reply and gives the steps for each byte: whole, or in feeds of
// size bytes.
func stepsOf(t testing.TB, tpl *Template, o Options, reply string, size int) float64 {
	o.Prefix = &noPrefix
	p, err := tpl.NewParser(o)
	if err != nil {
		t.Fatal(err)
	}
	if size == 0 {
		p.silent = true
		p.fed = len(reply)
		if err := p.readEnd(reply); err != nil {
			t.Fatal(err)
		}
		p.finish(harmony.Stop{})
		return float64(p.Steps()) / float64(len(reply))
	}
	for at := 0; at < len(reply); at += size {
		if _, err := p.Feed(reply[at:min(at+size, len(reply))]); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := p.Finalize(harmony.Stop{}); err != nil {
		t.Fatal(err)
	}
	return float64(p.Steps()) / float64(len(reply))
}

// Steps for each byte must not grow with the reply, whatever it holds, however it
// is cut, and whether problems are asked for or not.
func TestLinear(t *testing.T) {
	const small, large = 64 << 10, 1 << 20
	problems := Options{Problems: true, Reasoning: true, Markers: []string{"<|end|>", "<|call|>"}}
	for name, tpl := range map[string]*Template{"beam": beamTemplate(t), "gateway": gateway(t, "false")} {
		for _, kind := range replies.Kinds {
			a, b := kind.Make(small), kind.Make(large)
			if calls := strings.Count(b, openCall); kind.Name == "calls-short" && calls < 10_000 {
				b = kind.Make(large * 10_100 / calls) // as many as the table of hostile replies asks for
			}
			for _, with := range []struct {
				name string
				o    Options
				most float64 // steps a byte
				cuts []int
			}{{"off", Options{}, 40, []int{0, 1, 4, 61}}, {"on", problems, 120, []int{0, 1, 61}}} {
				for _, size := range with.cuts {
					if name != "beam" && size == 1 {
						continue // one template is enough for what takes longest
					}
					t.Run(fmt.Sprintf("template=%s/reply=%s/problems=%s/feed=%d", name, kind.Name, with.name, size), func(t *testing.T) {
						perSmall, perLarge := stepsOf(t, tpl, with.o, a, size), stepsOf(t, tpl, with.o, b, size)
						if perLarge > perSmall*1.05 || perLarge > with.most {
							t.Errorf("steps per byte: %.2f at 64 KiB, %.2f at 1 MiB", perSmall, perLarge)
						}
					})
				}
			}
		}
	}
}

// The test of growth sees a reader whose steps grow.
func TestLinearSeesGrowth(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor":"@","fields":{"x":{"open_pattern":"(?=[^!]*!)a"},"c":{}}}`)
	small := stepsOf(t, tpl, Options{}, strings.Repeat("a", 100), 0)
	if large := stepsOf(t, tpl, Options{}, strings.Repeat("a", 1600), 0); large < small*8 {
		t.Errorf("%.0f steps a byte, then %.0f: a search that is squared is not counted", small, large)
	}
}
