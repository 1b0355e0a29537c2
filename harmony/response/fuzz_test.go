package response

import (
	"math/rand"
	"testing"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/bench/replies"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// requireNothingLost checks that every byte of a reply is in a region, in a
// problem, in a start anchor, or space.
func requireNothingLost(t *testing.T, tpl *Template, r harmony.Reply, reply string) {
	t.Helper()
	covered := make([]bool, len(reply))
	cover := func(s harmony.Span) {
		for i := max(0, s.Start); i < min(s.End, int64(len(reply))); i++ {
			covered[i] = true
		}
	}
	for _, region := range r.Regions {
		cover(region.Span)
	}
	for _, p := range r.Problems {
		cover(p.Span)
	}
	_ = tpl.start.Each(reply, tpl.start.NewScan(), func(m *rx.Match) bool {
		cover(harmony.Span{Start: int64(m.Start), End: int64(m.End)})
		return true
	})
	for i, c := range reply {
		if !covered[i] && !value.IsSpace(c) {
			t.Errorf("%q: byte %d is in no region and no problem: %+v %v", reply, i, r.Regions, r.Problems)
			return
		}
	}
}

// Any reply, cut anywhere, has one answer; nothing panics and nothing is lost.
func FuzzParseCuts(f *testing.F) {
	for _, kind := range replies.Kinds {
		f.Add(kind.Make(200), int64(1))
	}
	for _, c := range traps {
		f.Add(c.reply, int64(2))
	}
	f.Add(openFinal+"é\xff", int64(3))
	var all []*Template
	for _, tpl := range beamTemplates(f) {
		all = append(all, tpl)
	}
	beam := len(all)
	for _, c := range traps {
		all = append(all, compileJSON(f, `{"start_anchor":"@","fields":`+c.fields+`}`))
	}
	f.Fuzz(func(t *testing.T, reply string, seed int64) {
		rng := rand.New(rand.NewSource(seed))
		for _, i := range []int{rng.Intn(beam), rng.Intn(len(all))} {
			tpl := all[i]
			stop := []harmony.Stop{harmony.StopUnknown(), harmony.StopLength(), harmony.StopToken("<|call|>")}[rng.Intn(3)]
			o := Options{Prefix: &noPrefix, Problems: true, Lenient: rng.Intn(2) == 0, Stop: stop}
			whole := readWhole(tpl, o, reply)
			one := readCut(tpl, o, reply, func(int) int { return len(reply) })
			whole.events = one.events
			cut := readCut(tpl, o, reply, func(int) int { return 1 + rng.Intn(7) })
			if one != whole || cut != whole {
				t.Fatalf("template %d, reply %q\nwhole %+v\none   %+v\ncut   %+v", i, reply, whole, one, cut)
			}
			if r, err := tpl.Parse(reply, o); err == nil && i < beam && utf8.ValidString(reply) && stop == (harmony.Stop{}) {
				requireNothingLost(t, tpl, r, reply)
			}
		}
	})
}

// No template makes Compile panic, and none that it takes makes reading panic.
func FuzzCompile(f *testing.F) {
	for _, c := range traps {
		f.Add(`{"start_anchor":"@","fields":`+c.fields+`}`, c.reply)
	}
	f.Fuzz(func(t *testing.T, template, reply string) {
		v, err := value.Loads(template)
		if err != nil {
			return
		}
		tpl, err := Compile(v)
		if err != nil {
			return
		}
		if len(reply) > 200 {
			reply = reply[:200]
		}
		o := Options{Prefix: &noPrefix, Problems: true}
		whole := readWhole(tpl, o, reply)
		cut := readCut(tpl, o, reply, func(int) int { return 2 })
		if whole.events = cut.events; whole != cut {
			t.Fatalf("%s, %q\nwhole %+v\ncut   %+v", template, reply, whole, cut)
		}
	})
}
