package response

import (
	"errors"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
)

// Each limit is a typed error with the place, and the reply is what was read so
// far; both are the same for every cut. At the limit itself there is no error.
func TestEveryLimit(t *testing.T) {
	const x = `{"start_anchor":"@","fields":{"x":{"open":"<x>","close":"</x>","content":"json","repeats":true},"c":{"repeats":true}}}`
	long := "é" + strings.Repeat("<y>", 20) + "a"
	for _, c := range []struct {
		name, template, reply string
		limits                Limits
		err, message          string
	}{
		{"bytes", x, "ab<x>1</x>cdéf", Limits{Bytes: 13}, "LimitError at 13", `{"c": ["ab", "cd"], "x": [1]}`},
		{"bytes, just enough", x, "ab<x>1</x>cdéf", Limits{Bytes: 15}, "", `{"c": ["ab", "cd\u00e9f"], "x": [1]}`},
		{"bytes, inside a marker", x, "ab<x>1</x>", Limits{Bytes: 8}, "LimitError at 8", `{"c": ["ab"], "x": ["1"]}`},
		{"regions", x, "a<x>1</x>b<x>2</x>", Limits{Regions: 3}, "LimitError at 10", `{"c": ["a", "b"], "x": [1, "2"]}`},
		{"regions, just enough", x, "a<x>1</x>b<x>2</x>", Limits{Regions: 4}, "", `{"c": ["a", "b"], "x": [1, 2]}`},
		{"nesting", x, "a<x>[[1]]</x><x>[[[1]]]</x>", Limits{Depth: 2}, "RecursionError at 16", `{"c": ["a"], "x": [[[1]], "[[[1]]]"]}`},
		{"held", `{"start_anchor":"@","fields":{"x":{"open_pattern":"a(?:<y>)*!"},"c":{}}}`, "ba" + strings.Repeat("<y>", 20) + "!1",
			Limits{Held: 20}, "LimitError at 1", `{"c": "b"}`},
		{"held, a whole pattern", `{"start_anchor":"@","fields":{"x":{"open_pattern":"a(?:<y>)*!"},"c":{}}}`, "ba" + strings.Repeat("<y>", 6) + "!1",
			Limits{Held: 20}, "", `{"c": "b", "x": "1"}`},
		{"held, none", x, strings.Repeat("é", 100), Limits{Held: 3}, "", `{"c": ["` + strings.Repeat(`\u00e9`, 100) + `"]}`},
		{"held, odd characters", `{"start_anchor":"@","fields":{"x":{"open_pattern":"é(?:€)*!"},"c":{}}}`, "aé" + strings.Repeat("€", 9), Limits{Held: 11}, "LimitError at 1", `{"c": "a"}`},
		{"held, a head of anything", `{"start_anchor":"@","fields":{"x":{"open_pattern":"[^z]*z"},"c":{}}}`, long, Limits{Held: 16}, "LimitError at 0", `{}`},
		{"steps of a pattern", `{"start_anchor":"@","fields":{"x":{"open_pattern":"(?:(a|aa)+)+(?<!c)b"},"c":{}}}`, "c" + strings.Repeat("a", 40) + "c", Limits{}, "LimitError at 1", `{"c": "c"}`},
		{"steps of a pattern, another region first", `{"start_anchor":"@","fields":{"x":{"open_pattern":"(?:(a|aa)+)+(?<!c)b"},"y":{"open":"<y>","close":"</y>"},"c":{"repeats":true}}}`,
			"c<y>1</y>" + strings.Repeat("a", 40) + "c<y>2", Limits{}, "LimitError at 9", `{"c": ["c"], "y": "1"}`},
		{"steps of a pattern, few", `{"start_anchor":"@","fields":{"x":{"open_pattern":"(a|b)+(?<!c)!"},"c":{}}}`, "c" + strings.Repeat("ab", 20) + "!1", Limits{Steps: 50}, "LimitError at 1", `{"c": "c"}`},
		{"steps of a pattern, enough", `{"start_anchor":"@","fields":{"x":{"open_pattern":"(a|b)+(?<!c)!"},"c":{}}}`, "c" + strings.Repeat("ab", 20) + "!1", Limits{Steps: 1000}, "", `{"c": "c", "x": "1"}`},
		{"steps of a tag, few", `{"start_anchor":"@","fields":{"x":{"open":"<","content":"xml-inline","content_args":{"tag_pattern":"(a|b)+(?<!c)(?P<key>!)"}}}}`,
			"<" + strings.Repeat("a", 100), Limits{Steps: 100}, "LimitError at 1", `{"x": "` + strings.Repeat("a", 100) + `"}`},
		{"steps of a tag", `{"start_anchor":"@","fields":{"x":{"open":"<","content":"xml-inline","content_args":{"tag_pattern":"(?:(a|aa)+)+(?<!c)(?P<key>b)"}}}}`,
			"<" + strings.Repeat("a", 100), Limits{}, "LimitError at 1", `{"x": "` + strings.Repeat("a", 100) + `"}`},
		{"an open and a close on nothing", `{"start_anchor":"@","fields":{"x":{"open_pattern":"(?=a)","close_pattern":"(?=a)"},"c":{}}}`, "zab", Limits{}, "LimitError at 1", `{"c": "z"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tpl := compileJSON(t, c.template)
			a := sameForCuts(t, tpl, Options{Prefix: &noPrefix, Limits: c.limits, Problems: true}, c.reply)
			if a.err != c.err || a.message != c.message {
				t.Errorf("%.60q: %s, %s, want %s, %s", c.reply, a.err, a.message, c.err, c.message)
			}
			_, err := tpl.Parse(c.reply, Options{Prefix: &noPrefix, Limits: c.limits})
			var e *Error
			if c.err != "" && (!errors.As(err, &e) || e.Kind != KindLimit && e.Kind != KindDepth || e.Msg == "") {
				t.Errorf("%v is no error of a limit", err)
			}
		})
	}
}

// With Discard what is held is all that is kept, so that its limit bounds the
// memory of a reply of any length.
func TestHeldBoundsDiscard(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor":"@","fields":{"x":{"open_pattern":"<x(?: \\w+)*>"},"c":{}}}`)
	p, err := tpl.NewParser(Options{Prefix: &noPrefix, Discard: true, Limits: Limits{Held: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for range 1000 {
		if _, err = p.Feed("text and <x a b"); err != nil {
			break
		}
		kept = max(kept, len(p.text.S))
	}
	if err != nil || kept > 2000 {
		t.Errorf("%v, %d bytes were kept", err, kept)
	}
	for range 1000 {
		if _, err = p.Feed(" word"); err != nil {
			break
		}
		kept = max(kept, len(p.text.S))
	}
	if err == nil || kept > 2000 {
		t.Errorf("%v, %d bytes were kept", err, kept)
	}
	if _, reply, again := p.Finalize(harmony.Stop{}); again != err || !reply.Message.IsNull() {
		t.Errorf("%v, %v", again, reply)
	}
}

// A limit below zero is refused by name, whichever it is.
func TestNegativeLimits(t *testing.T) {
	for name, limits := range map[string]Limits{
		"Bytes": {Bytes: -1}, "Held": {Held: -1}, "Regions": {Regions: -1}, "Depth": {Depth: -1}, "Steps": {Steps: -1},
	} {
		_, err := beamTemplate(t).Parse("a", Options{Prefix: &noPrefix, Limits: limits})
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindValue || !strings.Contains(e.Msg, "Limits."+name+" is -1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
