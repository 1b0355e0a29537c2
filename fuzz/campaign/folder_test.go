package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/campaign"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// traits is a coverage by what stands in a case, the same on every machine.
type traits struct{ seen map[campaign.Point]bool }

func (c *traits) Name() string             { return "traits" }
func (c *traits) Reset()                   { c.seen = map[campaign.Point]bool{} }
func (c *traits) Total() int               { return 0 }
func (c *traits) Missed() []campaign.Point { return nil }

func (c *traits) Reached(_ context.Context, cases []corpus.Case) ([][]campaign.Point, error) {
	points := make([][]campaign.Point, len(cases))
	for i, k := range cases {
		for _, p := range traitsOf(k) {
			if !c.seen[p] {
				c.seen[p] = true
				points[i] = append(points[i], p)
			}
		}
	}
	return points, nil
}

func traitsOf(c corpus.Case) (points []campaign.Point) {
	if c.Input == nil {
		return nil
	}
	text := value.Dumps(c.Input.Value())
	for _, word := range []string{"<|call|>", "thinking", "tools", "\\u", "chunks", "null", "9007", "rfl", "effort", "system", "anyOf"} {
		if n := strings.Count(text, word); n > 0 {
			points = append(points, campaign.Point(fmt.Sprintf("%s %s %d", c.Kind, word, min(n, 4))))
		}
	}
	return points
}

// guided is a campaign with two faults that finds and grows.
func guided(t *testing.T, count int) *campaign.Campaign {
	space := changeText("effort: 32", "effort:  32")
	marker := changeText("</rfl:parameter><|call|>", "</rfl:parameter><|end|>")
	stripped := faults[4].plant()
	f := &faulty{}
	for _, other := range []*faulty{space, marker, stripped} {
		before, next := f.answer, other.answer
		f.answer = next
		if before != nil {
			f.answer = chained(before, next)
		}
	}
	c := plan(t, f, count)
	c.Coverage = []campaign.Coverage{&traits{}}
	return c
}

// contents is all that a campaign keeps in its folder, by file.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, folder := range []string{"corpus", "findings", "closed"} {
		names, err := filepath.Glob(filepath.Join(dir, folder, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rel, _ := filepath.Rel(dir, name)
			files[rel] = string(data)
		}
	}
	return files
}

func compare(t *testing.T, got, want map[string]string) {
	t.Helper()
	names := map[string]bool{}
	for name := range got {
		names[name] = true
	}
	for name := range want {
		names[name] = true
	}
	for name := range names {
		if got[name] != want[name] {
			t.Errorf("%s\n got  %.300s\n want %.300s", name, got[name], want[name])
		}
	}
}

const guidedCount = 700

var kept map[string]string // what unbroken found

// unbroken is what the same campaign keeps that runs in one go.
func unbroken(t *testing.T) map[string]string {
	t.Helper()
	if kept != nil {
		return kept
	}
	dir := t.TempDir()
	report := run(t, guided(t, guidedCount), dir)
	if len(report.Findings) < 2 || report.Corpus < 10 {
		t.Fatalf("%d findings and %d entries are too few to tell anything", len(report.Findings), report.Corpus)
	}
	kept = contents(t, dir)
	return kept
}

// A campaign that is stopped anywhere goes on to the same findings and corpus:
// at the end of a round, in one, by a count or by its context.
func TestResume(t *testing.T) {
	want := unbroken(t)
	dir := t.TempDir()
	for _, count := range []int{1, 130, 256, 300} {
		if report := run(t, guided(t, count), dir); report.Cases != count {
			t.Errorf("%d cases are done, and %d were asked for", report.Cases, count)
		}
	}
	store, err := campaign.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	c := guided(t, guidedCount)
	c.Progress = func(p campaign.Progress) {
		if p.Cases >= 400 {
			stop()
		}
	}
	report, err := c.Run(ctx, store)
	if err != nil || report.Cases < 400 || report.Cases == guidedCount || !report.Resumed {
		t.Errorf("stopped by its context: %d cases, resumed %v, %v", report.Cases, report.Resumed, err)
	}
	store.Close()
	run(t, guided(t, guidedCount), dir)
	compare(t, contents(t, dir), want)
	again := run(t, guided(t, guidedCount), dir)
	if again.New != 0 || again.Cases != guidedCount || len(again.Fixed) != 0 {
		t.Errorf("a campaign that is done: %d new, %d cases, %d fixed", again.New, again.Cases, len(again.Fixed))
	}
}

// A finding whose fault is mended is closed; another seed begins anew, with the
// corpus.
func TestFixed(t *testing.T) {
	dir := t.TempDir()
	before := run(t, guided(t, 300), dir)
	c := plan(t, &faulty{}, 300)
	c.Seed = 2
	report := run(t, c, dir)
	if len(report.Fixed) != len(before.Findings) || len(before.Findings) == 0 || len(report.Findings) != 0 || report.Resumed {
		t.Errorf("%d of %d closed, %d open, resumed %v", len(report.Fixed), len(before.Findings), len(report.Findings), report.Resumed)
	}
	if report.Corpus != before.Corpus {
		t.Errorf("the corpus has %d entries and had %d", report.Corpus, before.Corpus)
	}
}

// What is open stays open in the report of a campaign that ends before it has
// asked again.
func TestEndsAtOnce(t *testing.T) {
	dir := t.TempDir()
	before := run(t, guided(t, 300), dir)
	store, err := campaign.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	report, err := guided(t, guidedCount).Run(ctx, store)
	if err != nil || len(report.Findings) != len(before.Findings) || len(report.Findings) == 0 || report.New != 0 {
		t.Errorf("%d findings are open, of %d before, %d new, %v", len(report.Findings), len(before.Findings), report.New, err)
	}
}

const (
	folderKey = "BEAMDIFF_TEST_FOLDER" // the campaign that this test binary is to run
	killsKey  = "BEAMDIFF_KILLS"       // how often the test kills: 100 at night
)

// Killed again and again, a campaign loses nothing: it comes to the findings and
// the corpus of one that was not.
func TestKill(t *testing.T) {
	kills := 8
	if text := os.Getenv(killsKey); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s must be a number, not %q", killsKey, text)
		}
	}
	want := unbroken(t)
	rng := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	for n := 0; n < kills; {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), folderKey+"="+dir)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		out.Read(make([]byte, 1)) // it has begun
		time.Sleep(time.Duration(rng.IntN(400)) * time.Millisecond)
		cmd.Process.Kill()
		if cmd.Wait() == nil { // it was done before
			compare(t, contents(t, dir), want)
			dir = t.TempDir()
			continue
		}
		n++
		store, err := campaign.Open(dir) // also reads every entry that the journal has
		if err != nil {
			t.Fatalf("after kill %d: %v", n, err)
		}
		store.Close()
		if _, err := campaign.Findings(dir); err != nil {
			t.Fatalf("after kill %d: %v", n, err)
		}
	}
	run(t, guided(t, guidedCount), dir)
	compare(t, contents(t, dir), want)
}

// TestKilled is the campaign that TestKill kills.
func TestKilled(t *testing.T) {
	if dir := os.Getenv(folderKey); dir != "" {
		fmt.Println("begun")
		run(t, guided(t, guidedCount), dir)
	}
}

// A full disk ends the campaign with an error that says so, and once there is
// room it goes on to the same end.
func TestDiskFull(t *testing.T) {
	want := unbroken(t)
	total := int64(0)
	for _, data := range want {
		total += int64(len(data))
	}
	for _, room := range []int64{0, 5_000, total / 2} {
		dir := t.TempDir()
		store, err := campaign.OpenSmall(dir, room)
		if err != nil {
			t.Fatal(err)
		}
		_, err = guided(t, guidedCount).Run(t.Context(), store)
		var full *campaign.DiskError
		if !errors.As(err, &full) || !strings.Contains(err.Error(), "the disk is full") {
			t.Errorf("room for %d bytes: %v", room, err)
		}
		store.Close()
		run(t, guided(t, guidedCount), dir)
		compare(t, contents(t, dir), want)
	}
}

// Shards do between them what one campaign does, and their folders merge to the
// same, in any order.
func TestShards(t *testing.T) {
	const each = 100
	whole := plan(t, &faulty{answer: guided(t, 1).Engines[0].(*faulty).answer}, 3*each)
	var want []string
	for _, f := range run(t, whole, t.TempDir()).Findings {
		want = append(want, string(f.Signature))
	}
	var dirs []string
	for i := range 3 {
		c := guided(t, each)
		c.Coverage = nil // what joins the corpus of a shard is its own
		c.Shard = campaign.Shard{Index: i + 1, Of: 3}
		dir := t.TempDir()
		run(t, c, dir)
		dirs = append(dirs, dir)
	}
	merged := t.TempDir()
	merge(t, merged, dirs...)
	found, err := campaign.Findings(merged)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, string(f.Signature))
	}
	if len(want) < 2 || !slices.Equal(got, want) {
		t.Errorf("the shards found %q, the whole %q", got, want)
	}
	other := t.TempDir()
	merge(t, other, dirs[2], dirs[0], dirs[1])
	compare(t, contents(t, other), contents(t, merged))
	var missing *campaign.DiskError
	store, _ := campaign.Open(t.TempDir())
	defer store.Close()
	if _, err := campaign.Merge(store, filepath.Join(merged, "no-such")); !errors.As(err, &missing) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func merge(t *testing.T, dir string, dirs ...string) campaign.Merged {
	t.Helper()
	store, err := campaign.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	m, err := campaign.Merge(store, dirs...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A pruned corpus reaches what the whole did with fewer cases, none of them
// needless, also after it is opened again; and two shards' corpora join.
func TestPrune(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	run(t, guided(t, 300), a)
	c := guided(t, 300)
	c.Seed = 5
	run(t, c, b)
	before := len(contents(t, a))
	m := merge(t, a, b)
	if m.Entries == 0 || len(contents(t, a)) < before+m.Entries {
		t.Errorf("%d entries came over", m.Entries)
	}
	reached := reaches(t, a)
	store, err := campaign.Open(a)
	if err != nil {
		t.Fatal(err)
	}
	kept, of, err := campaign.Prune(t.Context(), store, []campaign.Coverage{&traits{}})
	store.Close()
	if err != nil || kept >= of || kept == 0 {
		t.Errorf("%d of %d are kept: %v", kept, of, err)
	}
	if now := reaches(t, a); !slices.Equal(now, reached) {
		t.Errorf("%d points are reached, and were %d", len(now), len(reached))
	}
	files, _ := filepath.Glob(filepath.Join(a, "corpus", "*.json"))
	if len(files) != kept {
		t.Errorf("%d files of %d entries", len(files), kept)
	}
	for _, file := range files { // none is needless
		data, _ := os.ReadFile(file)
		os.Remove(file)
		if slices.Equal(reaches(t, a), reached) {
			t.Errorf("%s is needless", file)
		}
		os.WriteFile(file, data, 0o644)
	}
	if report := run(t, guided(t, 400), a); report.Cases != 400 || report.Corpus < kept {
		t.Errorf("after pruning: %d cases, %d entries", report.Cases, report.Corpus)
	}
}

// reaches are the points of all cases in a folder's corpus.
func reaches(t *testing.T, dir string) []campaign.Point {
	t.Helper()
	seen := map[campaign.Point]bool{}
	for name, data := range contents(t, dir) {
		if strings.HasPrefix(name, "corpus") {
			cases, err := corpus.Decode([]byte(data), name)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range traitsOf(cases[0]) {
				seen[p] = true
			}
		}
	}
	points := make([]campaign.Point, 0, len(seen))
	for p := range seen {
		points = append(points, p)
	}
	slices.Sort(points)
	return points
}
