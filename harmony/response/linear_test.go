package response

import (
	"fmt"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
)

// stepsOf reads a reply and gives the steps: whole, or in feeds of size bytes.
func stepsOf(t testing.TB, tpl *Template, reply string, size int) int64 {
	p, err := tpl.NewParser(Options{Prefix: &noPrefix})
	if err != nil {
		t.Fatal(err)
	}
	if size == 0 {
		p.silent = true
		p.fed = len(reply)
		if err := p.readEnd(reply); err != nil {
			t.Fatal(err)
		}
		return p.Steps()
	}
	for at := 0; at < len(reply); at += size {
		if _, err := p.Feed(reply[at:min(at+size, len(reply))]); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := p.Finalize(harmony.Stop{}); err != nil {
		t.Fatal(err)
	}
	return p.Steps()
}

// Steps for each byte must not grow with the reply, whatever it holds and
// however it is cut.
func TestLinear(t *testing.T) {
	const small, large = 64 << 10, 1 << 20
	for name, tpl := range map[string]*Template{"beam": beamTemplate(t), "gateway": gateway(t, "false")} {
		for reply, g := range replies {
			for _, size := range []int{0, 1, 4, 61} {
				t.Run(fmt.Sprintf("template=%s/reply=%s/feed=%d", name, reply, size), func(t *testing.T) {
					a, b := g.make(small), g.make(large)
					perSmall := float64(stepsOf(t, tpl, a, size)) / float64(len(a))
					perLarge := float64(stepsOf(t, tpl, b, size)) / float64(len(b))
					if perLarge > perSmall*1.05 || perLarge > 40 {
						t.Errorf("steps per byte: %.2f at 64 KiB, %.2f at 1 MiB", perSmall, perLarge)
					}
				})
			}
		}
	}
}
