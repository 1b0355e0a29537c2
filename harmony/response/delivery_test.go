package response

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// facts takes events apart into what they tell, one character of text each.
func facts(events []harmony.Event) (out []string) {
	for _, e := range events {
		switch e.Type {
		case harmony.RegionOpen:
			out = append(out, "open "+e.Field)
		case harmony.RegionClose:
			out = append(out, fmt.Sprintf("close %s %s closed=%t", e.Field, value.Dumps(e.Value), e.Closed))
		default:
			for _, r := range e.Text {
				out = append(out, string(r))
			}
		}
	}
	return out
}

func commonPrefix(a, b []string) []string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// eventsOf feeds text, and ends the reply if end is set.
func eventsOf(t *testing.T, tpl *Template, text string, end bool) []string {
	p, err := tpl.NewParser(Options{Prefix: &noPrefix})
	if err != nil {
		t.Fatal(err)
	}
	events, err := p.Feed(text)
	out := facts(events)
	if err == nil && end {
		events, _, err = p.Finalize(harmony.Stop{})
		out = append(out, facts(events)...)
	}
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return out
}

// What all continuations agree on must be delivered at once, and nothing else.
// The continuations are all sequences of up to three pieces: they complete every
// marker of the templates, so what they agree on is certain.
func TestDelivery(t *testing.T) {
	pieces := []string{"<", "x", ">", "/", "<x>", "x>", "/x>", "y>", "</y>", "a", " ", "b", "ND", "END", "ING"}
	var rest []string
	for _, a := range pieces {
		rest = append(rest, a)
		for _, b := range pieces {
			rest = append(rest, a+b)
			for _, c := range []string{"x>", "y>", ">", "<x>", "b", "a"} {
				rest = append(rest, a+b+c)
			}
		}
	}
	for name, fields := range map[string]string{
		"literals":       `{"x":{"open":"<x>","close":"</x>","content_args":{"strip":false}},"c":{"repeats":true,"content_args":{"strip":false}}}`,
		"lists":          `{"x":{"open":["<x>","x"],"close":["END","ENDx","</x>"],"repeats":true},"c":{"repeats":true}}`,
		"tied opens":     `{"x":{"open":"<x>","close":"b","repeats":true},"y":{"open":["<x>/","<x>b"],"close":"</y>","repeats":true},"c":{"repeats":true}}`,
		"tied patterns":  `{"x":{"open_pattern":"\\s*<x>","close":"b","repeats":true},"y":{"open":["<x>a","</y>"],"close":"</y>","repeats":true},"c":{"repeats":true}}`,
		"tied close":     `{"x":{"open":"<x>","close":"b","repeats":true},"c":{"close":["<x>/","END"],"repeats":true}}`,
		"tied longer":    `{"x":{"open":"<x>/","close":"b","repeats":true},"c":{"close":["<x>","ENDING"],"repeats":true}}`,
		"no implicit":    `{"x":{"open":"<x>","close":"</x>"},"y":{"open":"</y>","close":"<"}}`,
		"space head":     `{"x":{"open_pattern":"\\s*<x>","close":"</x>"},"c":{"repeats":true,"content_args":{"strip":false}}}`,
		"optional tail":  `{"x":{"open":"<x>","close_pattern":"</x>\\s*(?:</y>)?","repeats":true},"c":{"repeats":true,"content_args":{"strip":false}}}`,
		"look ahead":     `{"x":{"open":"<x>","close_pattern":"END(?!ING)","repeats":true},"c":{"repeats":true}}`,
		"name in header": `{"x":{"open_pattern":"a(?P<n>[^<\\s]+)<x>","close":"</x>","transform":"{n}","repeats":true},"y":{"open":"<y>","close":"</y>","repeats":true},"c":{"repeats":true}}`,
		"lazy name":      `{"x":{"open_pattern":"(?:b)?a(?P<n>.+?)<x>","close":"</x>","transform":"{n}","repeats":true},"c":{"repeats":true}}`,
		"word edge":      `{"x":{"open_pattern":"\\bx\\b","close":"<"},"c":{"repeats":true}}`,
	} {
		t.Run(name, func(t *testing.T) {
			tpl := compileJSON(t, `{"start_anchor":"@","fields":`+fields+`}`)
			rng := rand.New(rand.NewSource(1))
			for i := range 44 {
				var b strings.Builder
				for range rng.Intn(6) {
					b.WriteString(pieces[rng.Intn(len(pieces))])
				}
				if i < 4 {
					b.Reset()
					b.WriteString([]string{"a<x>", "aEND", "</y>a<x>", "a <x>"}[i])
				}
				text := b.String()
				certain := eventsOf(t, tpl, text, true)
				for _, r := range rest {
					certain = commonPrefix(certain, eventsOf(t, tpl, text+r, true))
				}
				if got := eventsOf(t, tpl, text, false); !slices.Equal(got, certain) {
					t.Fatalf("after %q: delivered\n%s\nbut certain is\n%s", text, fmt.Sprintf("%q", got), fmt.Sprintf("%q", certain))
				}
			}
		})
	}
}

// Of a newline, $ leaves open whether it ends the reply; what cannot become a
// marker before it is told with it.
func TestNewlineBeforeTheEnd(t *testing.T) {
	for _, c := range []struct{ pattern, reply, told string }{
		{`</x>|$`, "a</x\n", "a</x"},
		{`</x>|$`, "a\n", "a"},
		{`</x>\\s*|b$`, "a</\n", "a</\n"},
		{`</x>\\s*|b$`, "ab\n", "a"},
		{`</x\\ny>|\\n$`, "a<</x\n", "a<"},
		{`</x\\ny>|a$`, "a<</x\n", "a<"},
	} {
		tpl := compileJSON(t, `{"start_anchor":"@","fields":{"x":{"open":"<x>","close_pattern":"`+c.pattern+`"}}}`)
		p, err := tpl.NewParser(Options{Prefix: &noPrefix})
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		for _, r := range "<x>" + c.reply {
			events, err := p.Feed(string(r))
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range events {
				told += e.Text
			}
		}
		if told != c.told {
			t.Errorf("%s: of %q %q was told, want %q", c.pattern, c.reply, told, c.told)
		}
	}
}

// The texts of events stay as they are, whatever is read afterwards, with the same
// parser too: none is of a buffer that is written again. And what is told with its
// place is told of the same one wherever chunks end.
func TestEventTextStays(t *testing.T) {
	const reply = "so <b" + openThinking + "é <i> a < b <| c 漢字 and on and on<|end|> 5 < 7 é" + openFinal + "a <b> <|é 漢<|return|>z < é"
	for name, tpl := range beamTemplates(t) {
		o := Options{Prefix: &noPrefix, Problems: true}
		whole, err := tpl.Parse(reply, o)
		if err != nil || len(whole.Problems) == 0 {
			t.Fatalf("%s: %v, %v", name, whole.Problems, err)
		}
		p, err := tpl.NewParser(o)
		if err != nil {
			t.Fatal(err)
		}
		var texts, copies []string
		keep := func(events []harmony.Event, err error) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, e := range events {
				texts, copies = append(texts, e.Text), append(copies, strings.Clone(e.Text))
			}
		}
		for size := 1; size <= 9; size++ {
			if err := p.Reset(o); err != nil {
				t.Fatal(err)
			}
			for chunk := range slices.Chunk([]byte(reply), size) {
				keep(p.Feed(string(chunk)))
			}
			events, got, err := p.Finalize(harmony.Stop{})
			keep(events, err)
			if a, b := fmt.Sprintf("%+v", got.Problems), fmt.Sprintf("%+v", whole.Problems); a != b {
				t.Errorf("%s, %d bytes a chunk: problems\n%s, want\n%s", name, size, a, b)
			}
		}
		if !slices.Equal(texts, copies) {
			t.Errorf("%s: a text has changed after it was given", name)
		}
	}
}
