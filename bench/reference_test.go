package bench_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/bench"
)

// The right answers are the reference's: on every input of a few KiB the
// checkpoint's Python gives what the native side is held to.
func TestReference(t *testing.T) {
	env := bench.NewEnv(t.Context())
	defer env.Close()
	var small bench.Suite
	for _, c := range bench.References() {
		least := c.Label("size") == "8KiB" && (c.Label("kind") == "calls" || c.Label("cut") == "")
		if c.Impl == bench.InProcess && (c.Size <= 2<<10 || least) {
			small = append(small, c)
		}
	}
	if len(small) < 80 {
		t.Fatalf("only %d cases", len(small))
	}
	results, err := (&bench.Run{Suite: small, Rounds: 1, Each: time.Microsecond, Turns: 1}).Run(env)
	if err != nil {
		t.Fatal(err)
	}
	if len(results.Missing) > 0 {
		t.Fatalf("NOT RUN: %v", results.Missing[0].Why)
	}
	if len(results.Records) != len(small) {
		t.Errorf("%d of %d cases were measured", len(results.Records), len(small))
	}
}

// The peers that are Python read and write what they are meant to, in an
// environment of their own each; what they do not is known.
func TestPythonPeers(t *testing.T) {
	env := bench.NewEnv(t.Context())
	defer env.Close()
	var err error
	if env.Source, err = filepath.Abs(".."); err != nil {
		t.Fatal(err)
	}
	scripts := map[string]int{}
	for _, p := range bench.Peers {
		if p.Script != nil {
			scripts[p.Name] = 0
		}
	}
	var small bench.Suite
	for _, c := range bench.PeerCases() {
		if _, has := scripts[c.Impl]; has && c.Label("size") == "4KiB" || c.Size == 4<<10 && c.Impl == bench.Native {
			small = append(small, c)
			scripts[c.Impl]++
		}
	}
	for name, n := range scripts {
		if n < 4 {
			t.Errorf("%s: %d cases", name, n)
		}
	}
	results, err := (&bench.Run{Suite: small, Rounds: 1, Each: time.Microsecond, Turns: 1}).Run(env)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range results.Missing {
		t.Errorf("NOT RUN: %s: %s", m.Name, m.Why)
	}
}
