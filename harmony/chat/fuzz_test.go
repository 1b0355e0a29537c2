package chat

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
)

// Any reply, cut anywhere, is streamed as it is whole.
func FuzzDeltas(f *testing.F) {
	templates := []*response.Template{beam(f)}
	for _, name := range slices.Sorted(maps.Keys(fieldsOf)) {
		if name != "two reason" { // there the message has another order, and no problem tells
			templates = append(templates, templateOf(f, fieldsOf[name]))
		}
	}
	for i, reply := range []string{
		" a<t>b</t> c", "<c> a </c>\n<c>b", "<t>a</t><r>b</r><t>c", `<f x>{"k":1}</f><f y>2`, `{"name":"x"}<c>a</c>{"name":`,
		"<c>1</c><c>[]", greeting, lookup + lookup[:60],
	} {
		for seed := range templates {
			f.Add(reply, uint64(seed*31+i))
		}
	}
	f.Fuzz(func(t *testing.T, reply string, seed uint64) {
		if !utf8.ValidString(reply) || len(reply) > 2000 {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 2))
		i := rng.IntN(len(templates))
		o := response.Options{Prefix: new(string), Problems: rng.IntN(2) == 0,
			Stop: []harmony.Stop{harmony.StopUnknown(), harmony.StopLength(), harmony.StopToken("<|call|>")}[rng.IntN(3)]}
		got := read(templates[i], o, pieces(reply, func() int { return 1 + rng.IntN(9) }), nil)
		if err := law(templates[i], o, reply, got); err != nil {
			t.Fatalf("template %d, %q: %v", i, reply, err)
		}
	})
}
