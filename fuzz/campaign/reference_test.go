package campaign

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/coverage"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// measurer reaches for each reply the points that it names by letters.
type measurer struct {
	engine.Engine
	reached coverage.Set
	news    []coverage.Point
	answers int
	asked   int // in all
}

func (m *measurer) Measure(_ context.Context, r engine.Request, all bool) (corpus.Outcome, []coverage.Point) {
	v, _ := r.Case.Get("content")
	text, _ := v.AsString()
	var points []coverage.Point
	for _, letter := range text {
		points = append(points, coverage.Point(fmt.Sprintf("t:%d", letter)))
	}
	news := m.reached.Add(points...)
	m.news = append(m.news, news...)
	m.answers++
	m.asked++
	if all {
		return corpus.Outcome{}, points
	}
	return corpus.Outcome{}, news
}

func (m *measurer) News() ([]coverage.Point, int) {
	points, answers := m.news, m.answers
	m.news, m.answers = nil, 0
	return points, answers
}

func (m *measurer) Forget() { m.reached, m.news, m.answers = coverage.NewSet(), nil, 0 }

func (m *measurer) Coverage(context.Context) (coverage.Report, error) {
	r := coverage.Report{Reached: m.reached}
	for _, letter := range "abcdef" {
		r.Existing = append(r.Existing, coverage.Entry{Point: coverage.Point(fmt.Sprintf("t:%d", letter))})
	}
	return r, nil
}

// saying is a render case that reaches the letters of a text.
func saying(letters string) corpus.Case {
	input, _ := value.Members(value.Member{Name: "content", Value: value.String(letters)}).AsObject()
	return corpus.Case{Kind: corpus.Render, Input: input}
}

func TestReference(t *testing.T) {
	m := &measurer{reached: coverage.NewSet()}
	side, err := Reference(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	side.Reset()
	reached := func(letters ...string) string {
		var cases []corpus.Case
		for _, l := range letters {
			cases = append(cases, saying(l))
		}
		points, err := side.Reached(t.Context(), cases)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, list := range points {
			word := ""
			for _, p := range list {
				word += string(rune(coverage.Point(p).Place().Line))
			}
			out = append(out, word)
		}
		return fmt.Sprintf("%q", out)
	}
	answer := func(letters ...string) { // as a campaign's round does, in any order
		for _, l := range letters {
			m.Measure(t.Context(), engine.Request{Case: saying(l).Input}, false)
		}
	}
	if got := reached("ab", "b"); got != `["ab" ""]` {
		t.Errorf("of cases that nobody asked: %s", got)
	}
	answer("bcd", "ca", "b")
	if got := reached("b", "ca", "bcd"); got != `["" "c" "d"]` {
		t.Errorf("the first of the list has it, whoever was first: %s", got)
	}
	before := m.asked
	answer("abcd")
	if got := reached("abcd"); got != `[""]` || m.asked != before+1 {
		t.Errorf("nothing new: %s, after %d more questions", got, m.asked-before-1)
	}
	answer("a", "e") // e came of making a finding small
	if got := reached("a"); got != `[""]` {
		t.Errorf("of no case of the list: %s", got)
	}
	answer("be")
	if got := reached("be"); got != `["e"]` {
		t.Errorf("told once a case reaches it: %s", got)
	}
	if got, total := side.Missed(), side.Total(); !slices.Equal(got, []Point{"t:102"}) || total != 6 {
		t.Errorf("missed %v of %d", got, total)
	}
	side.Reset()
	if got := reached("a"); got != `["a"]` {
		t.Errorf("after Reset: %s", got)
	}
}
