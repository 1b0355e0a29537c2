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
	"fmt"
	"os"
	"strings"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		switch {
		case err != nil || strings.Contains(line, "\"cut\":4"):
			return
		case strings.Contains(line, "\"reply\":\" to="):
			fmt.Println("{\"cannot\": \"no calls\"}")
		case strings.Contains(line, "用户"):
			fmt.Println("{\"ns\": 5, \"thinking\": 1}")
		default:
			fmt.Println("{\"ns\": 70000000, \"thinking\": 484, \"content\": 510}")
		}
	}
}
`

// What a peer's program gives: a time, or why there is none, and never the end of
// the run.
func TestPeer(t *testing.T) {
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
	fake := Peer{Name: "fake", Package: "fake 1.0", Family: "Parse"}
	var s Suite
	for _, in := range replyInputs() {
		if in.Size == 1<<10 && in.Cut == 0 {
			s = append(s, in.case_(fake.Name, fake.reader))
		}
	}
	ordinary, han, name := s[0], s[1], s[7]
	if name.Label("kind") != "name-endless" {
		name, _ = s.find("Parse/kind=name-endless/size=1KiB/cut=whole/impl=fake")
	}
	env := &Env{Context: t.Context(), Source: source}
	defer env.Close()
	results, err := (&Run{Suite: Suite{ordinary, han, name}, Rounds: 2, Each: time.Millisecond}).Run(env)
	if err != nil {
		t.Fatal(err)
	}
	if got := results.sample(ordinary.Name(), tidyTime); len(got) != 2 || got[0] != 0.07 {
		t.Errorf("times %v", got)
	}
	if len(results.Missing) != 2 || !strings.Contains(results.Missing[0].Why, "it reads {Thinking:1 ") || results.Missing[1].Why != "fake 1.0: no calls" {
		t.Errorf("missing: %+v", results.Missing)
	}

	ended := ReplyInput{Kind: replyInputs()[0].Kind, Size: 1 << 10, Cut: 4}
	if _, err := fake.reader(env, &ended); err == nil || !strings.Contains(err.Error(), "the program has ended") {
		t.Errorf("a program that ends: %v", err)
	}
	for what, env := range map[string]*Env{"run inside the repository": {Context: t.Context()}, "go build: ": {Context: t.Context(), Source: t.TempDir()}} {
		_, err := fake.reader(env, &ended)
		if gone := (*Unavailable)(nil); !errors.As(err, &gone) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
