package campaign_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/campaign"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

const engineKey = "BEAMDIFF_TEST_ENGINE" // the fault of the engine that this test binary is to be

func TestMain(m *testing.M) {
	if fault := os.Getenv(engineKey); fault != "" {
		serve(fault)
		return
	}
	os.Exit(m.Run())
}

// serve is the native engine behind the protocol. Asked to render the content
// "bad" it does what its fault says, and "always" does so whatever it is asked.
func serve(fault string) {
	n := newNative()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		request, err := value.Loads(in.Text())
		if err != nil {
			os.Exit(1)
		}
		id, _ := request.Get("id").AsInt()
		op, _ := request.Get("op").AsString()
		input, _ := request.Get("case").AsObject()
		switch {
		case op == "info":
			fmt.Printf(`{"id": %d, "ok": {"name": "broken", "formats": ["beam"], "abilities": ["render", "parse", "stream", "mask"]}}`+"\n", id)
			continue
		case op == "close":
			return
		case fault == "always" || strings.Contains(in.Text(), `"bad"`):
			breakDown(fault)
		}
		o := n.Do(context.Background(), engine.Request{Op: engine.Op(op), Case: input})
		text, _ := o.Value.AsString()
		fmt.Printf(`{"id": %d, "ok": %s}`+"\n", id, value.Dumps(value.String(text)))
	}
}

func breakDown(fault string) {
	switch fault {
	case "hangs":
		time.Sleep(time.Hour)
	case "eats memory":
		var keep [][]byte
		for {
			b := make([]byte, 16<<20)
			for i := range b {
				b[i] = 1
			}
			keep = append(keep, b)
		}
	}
	os.Exit(3)
}

// greetings are conversations of one user, one in eight a bad one.
var greetings = campaign.Generator{Name: "greetings", Weight: 1, Make: func(s *fuzz.Source) corpus.Case {
	text := fmt.Sprint(s.N(1000))
	if s.OneIn(8) {
		text = "bad"
	}
	message := value.Members(value.Member{Name: "role", Value: value.String("user")}, value.Member{Name: "content", Value: value.String(text)})
	in, _ := value.Members(value.Member{Name: "messages", Value: value.List(message)}).AsObject()
	return corpus.Case{Kind: corpus.Render, Format: "beam", Input: in}
}}

func broken(t *testing.T, fault string, timeout time.Duration) *campaign.Campaign {
	pool := engine.NewPool(engine.Options{Name: "reference", CaseTimeout: timeout, MemoryLimit: 512 << 20, Workers: 2,
		Command: func(context.Context) *exec.Cmd {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), engineKey+"="+fault)
			return cmd
		}})
	t.Cleanup(func() { pool.Close() })
	return &campaign.Campaign{Engines: []engine.Engine{newNative(), pool}, Judge: judge(), Generators: []campaign.Generator{greetings},
		Seed: 3, Count: 15, Tries: 1, Version: "test"}
}

// A reference that crashes, hangs or eats memory on one input is a finding, one
// for all such inputs, and costs no other case.
func TestBrokenReference(t *testing.T) {
	for fault, sign := range map[string]string{"crashes": "crashed", "hangs": "timed out", "eats memory": "out of memory"} {
		t.Run(fault, func(t *testing.T) {
			timeout := 20 * time.Second
			if fault == "hangs" {
				timeout = time.Second
			}
			report := run(t, broken(t, fault, timeout), t.TempDir())
			if report.Cases != 15 || len(report.Findings) != 1 {
				for _, f := range report.Findings {
					t.Errorf("%s: %s", f.Signature, f.Verdict.What)
				}
				t.Fatalf("%d cases", report.Cases)
			}
			f := report.Findings[0]
			if f.Verdict.Kind != corpus.EngineFailed || !strings.Contains(string(f.Signature), sign) || !f.Stable || !strings.Contains(value.Dumps(f.Case.Input.Value()), "bad") {
				t.Errorf("%s, stable %v: %s", f.Signature, f.Stable, value.Dumps(f.Case.Input.Value()))
			}
		})
	}
}

// An engine that fails on everything ends the campaign, and what it found first
// stays.
func TestHopelessReference(t *testing.T) {
	dir := t.TempDir()
	store, err := campaign.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	c := broken(t, "always", 20*time.Second)
	c.Count = 60
	report, err := c.Run(t.Context(), store)
	var hopeless *campaign.HopelessError
	if !errors.As(err, &hopeless) || len(report.Findings) != 1 {
		t.Errorf("%v, %d findings", err, len(report.Findings))
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "findings", "*.json")); len(files) != 1 {
		t.Errorf("%d findings in the folder", len(files))
	}
}
