package bench

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A peer that answers by what the reply begins with.
const fakePeer = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type request struct {
	Reply string
	Cut   int
}

func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		var r request
		if err != nil || json.Unmarshal([]byte(line), &r) != nil {
			return
		}
		thinking, rest, _ := strings.Cut(strings.TrimPrefix(r.Reply, "<|channel|>analysis<|message|>"), "<|end|>")
		content := strings.TrimSuffix(strings.TrimPrefix(rest, "<|start|>assistant<|channel|>final<|message|>"), "<|return|>")
		switch {
		case r.Cut == 4:
			fmt.Fprintln(os.Stderr, "this is too small")
			return
		case strings.HasPrefix(r.Reply, " to="):
			fmt.Println("{\"cannot\": \"no calls\"}")
			continue
		case strings.Contains(thinking, "用户"):
			content += "!"
		}
		text, _ := json.Marshal(map[string]any{"ns": 70000000, "message": map[string]string{"thinking": thinking, "content": content}})
		fmt.Println(string(text))
	}
}
`

// fakeCases are the peer above on a few replies, by kind.
func fakeCases(t *testing.T, otherwise map[string]string) (Peer, *Env, map[string]Case) {
	source := t.TempDir()
	dir := filepath.Join(source, "bench", "peers", "fake")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"main.go": fakePeer, "go.mod": "module fake\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("BEAMDIFF_CACHE", t.TempDir())
	p := Peer{Name: "fake", Package: "fake 1.0", Parses: []string{beamFormat}, Otherwise: otherwise}
	cases := map[string]Case{}
	for _, in := range replyInputs() {
		if in.Size == 1<<10 && in.Cut != 1 {
			c := p.known(in.case_(p.Name, p.reader))
			cases[c.Label("kind")+"/"+c.Label("cut")] = c
		}
	}
	env := &Env{Context: t.Context(), Source: source}
	t.Cleanup(func() { env.Close() })
	return p, env, cases
}

// What a peer's program gives: a time, or why there is none.
func TestPeer(t *testing.T) {
	_, env, cases := fakeCases(t, map[string]string{"Parse/kind=ordinary-han": "it is excited"})
	suite := Suite{cases["ordinary/whole"], cases["ordinary-han/whole"], cases["name-endless/whole"], cases["ordinary/4"], cases["ordinary-han/4"]}
	results, err := (&Run{Suite: suite, Rounds: 2, Each: time.Millisecond}).Run(env)
	if err != nil {
		t.Fatal(err)
	}
	if got := results.sample(suite[0].Name(), tidyTime); len(got) != 2 || got[0] != 0.07 {
		t.Errorf("times %v", got)
	}
	ended := "fake 1.0: the program has ended: EOF: this is too small"
	want := []string{"fake 1.0: it is excited: it reads 497 bytes of content, not these 496", "fake 1.0: no calls", ended, ended}
	if len(results.Missing) != len(want) {
		t.Fatalf("missing: %+v", results.Missing)
	}
	for i, m := range results.Missing {
		if m.Name != suite[i+1].Name() || m.Why != want[i] {
			t.Errorf("missing: %+v, not %s", m, want[i])
		}
	}
}

// A wrong answer of a peer ends the run, and so does a right one on an input that
// it is listed to read otherwise.
func TestPeerWrong(t *testing.T) {
	for kind, c := range map[string]struct {
		otherwise map[string]string
		want      string
	}{
		"ordinary-han/whole": {nil, "it reads 497 bytes of content, not these 496"},
		"ordinary/whole":     {map[string]string{"Parse/kind=ordinary/*": "it is excited"}, "listed to read it otherwise (it is excited)"},
	} {
		_, env, cases := fakeCases(t, c.otherwise)
		_, err := (&Run{Suite: Suite{cases[kind]}, Rounds: 1, Each: time.Millisecond}).Run(env)
		if wrong := (*WrongAnswer)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// Why a peer cannot be built is told.
func TestPeerMissing(t *testing.T) {
	p, _, cases := fakeCases(t, nil)
	script := Peer{Name: "script", Package: "script 1.0", Script: &Script{File: "script.py", Lock: "script.lock"}}
	for what, c := range map[string]struct {
		env  *Env
		peer Peer
	}{
		"run inside the repository": {&Env{Context: t.Context()}, p},
		"go build: ":                {&Env{Context: t.Context(), Source: t.TempDir()}, p},
		"script.lock":               {&Env{Context: t.Context(), Source: t.TempDir()}, script},
	} {
		_, err := c.env.peer(c.peer)
		if gone := (*Unavailable)(nil); !errors.As(err, &gone) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if len(cases) < 40 {
		t.Errorf("%d cases", len(cases))
	}
}
