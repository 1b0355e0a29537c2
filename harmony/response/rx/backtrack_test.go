package rx

import (
	"errors"
	"strings"
	"testing"
)

// Backtracking ends with an error, and what threads can do is linear.
func TestBudget(t *testing.T) {
	p, err := Compile("(?:(a|aa)+)+(?<!c)b")
	if err != nil {
		t.Fatal(err)
	}
	var budget *BudgetError
	if _, _, err := p.NewScan().Search(strings.Repeat("a", 100), 0); !errors.As(err, &budget) {
		t.Errorf("got %v", err)
	}
	if p, err = Compile("(a|b)+(?<!c)!"); err != nil {
		t.Fatal(err)
	}
	const text = 20_000 // each start goes to the end: squared, were there no budget for all
	partial := p.NewScan()
	if _, err := partial.Partial(strings.Repeat("ab", text/2)+"?", 0); !errors.As(err, &budget) || partial.Steps > totalBudget(DefaultBudget, text)+DefaultBudget {
		t.Errorf("Partial: %d steps, %v", partial.Steps, err)
	}
	// One budget is for all texts of a reply, until the scan is reset.
	many := p.NewScan()
	many.Budget = 1000
	each := func() error {
		return p.Each(strings.Repeat("ab", 40)+"?", many, func(*Match) bool { return true })
	}
	texts := 0
	for ; texts < 100 && each() == nil; texts++ {
	}
	if err := each(); texts == 0 || texts == 100 || !errors.As(err, &budget) {
		t.Errorf("%v behind %d texts", err, texts)
	}
	if many.Reset(); each() != nil {
		t.Error("a scan that was reset is not as new")
	}
	if p, err = Compile("(?!a)b?"); err != nil {
		t.Fatal(err)
	}
	end := p.NewScan()
	end.Budget = 1
	if err := p.Each("", end, func(*Match) bool { return true }); !errors.As(err, &budget) {
		t.Errorf("Each, at the end of the text: %v", err)
	}
	if p, err = Compile("(?:a|aa)+b"); err != nil {
		t.Fatal(err)
	}
	s := p.NewScan()
	long := Text{S: strings.Repeat("a", 1<<20), Before: -1, End: true}
	if status, err := s.Run(&long, len(long.S)); status != None || err != nil || s.Steps > 20<<20 {
		t.Errorf("%v %v, %d steps", status, err, s.Steps)
	}
}

// What backtracks goes on where it waited: its steps are the same however the
// text arrives.
func TestBacktrackingResumes(t *testing.T) {
	for _, c := range []struct{ pattern, text string }{
		{`(?=[^>]*!)x.*?y`, "x" + strings.Repeat("a", 5000) + "!y"},
		{`<(?!>)[^>]*>`, "<" + strings.Repeat("a", 5000) + ">"},
		{`(?P<n>a+)b(?P=n)c`, strings.Repeat("a", 500) + "b" + strings.Repeat("a", 500) + "d"},
		{`(?i)(?P<n>[a-k]+)-(?P=n)!`, strings.Repeat("aBcK", 200) + "-" + strings.Repeat("AbC\u212a", 200) + "!"},
		{`(?<=x.{0,9})a$`, strings.Repeat("xba\n", 500)},
		{`(?:\b\w+(?!\w) ?)*!`, strings.Repeat("word ", 20) + "?"},
		{`(?<!(?=ab)a)b(?=(?!cd).*d)`, strings.Repeat("bcd", 30)},
	} {
		p, err := Compile(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		var want string
		var steps int64
		for _, n := range []int{len(c.text), 1, 7} {
			s, got := p.NewScan(), "none"
			for end := 0; end < len(c.text) && got == "none"; {
				for end = min(end+n, len(c.text)); end < len(c.text) && c.text[end]&0xc0 == 0x80; end++ {
				}
				status, err := s.Run(&Text{S: c.text[:end], Before: -1, End: end == len(c.text)}, len(c.text))
				if err != nil {
					got = err.Error()
				} else if status == Found {
					got = show(p, s.Match())
				}
			}
			took := s.track.spent // without the search for candidates
			if n == len(c.text) {
				want, steps = got, took
			}
			if got != want || took != steps {
				t.Errorf("%s, chunks of %d: %s in %d steps, whole %s in %d", c.pattern, n, got, took, want, steps)
			}
		}
	}
}
