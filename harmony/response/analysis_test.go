package response

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

func TestHeldBack(t *testing.T) {
	for name, tpl := range beamTemplates(t) {
		if held, tried := tpl.HeldBack(), tpl.Backtracks(); held != nil || tried != nil {
			t.Errorf("%s: %v, %v", name, held, tried)
		}
	}
	for pattern, held := range map[string]bool{
		`(?=[\\s\\S]*?</think>)`: true, `(?=.*</think>)<think>`: true, `(?!<)[^x]*?x`: false, `(?!<).*?x`: true, `\\b.+x`: true,
		`(?<=a.*)x`: false, `[^<]*<y>`: false, `^.*x`: false, `<x>.*</x>`: false,
	} {
		tpl := compileJSON(t, `{"start_anchor":"@","fields":{"x":{"open_pattern":"`+pattern+`","close":"</think>"}}}`)
		if got := tpl.HeldBack(); (got != nil) != held || held && !strings.HasPrefix(got[0], "field x: open_pattern") {
			t.Errorf("%s: got %q", pattern, got)
		}
	}
}

func TestBacktracks(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor_pattern":"(?<=\\n)@","fields":{
		"a":{"open_pattern":"<(?P<q>['\"])(?P=q)>","close_pattern":"</a>|$","transform":"{q}"},
		"b":{"open":"<b>","close_pattern":"END(?!ING)","content":"xml-inline","content_args":{"tag_pattern":"<(?P<key>\\w+)>(?P<value>.*?)</(?P=key)>"}},
		"c":{"open_pattern":"<c>(?=x)","close_pattern":"(?:(?:a|)b?)*!"}}}`)
	var got []string
	for _, line := range tpl.Backtracks() {
		where, _, _ := strings.Cut(line, " backtracks")
		got = append(got, where)
	}
	want := []string{"field a: open_pattern", "field b: close_pattern", "field c: close_pattern", "field b: tag_pattern", "start_anchor_pattern"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The limit of steps holds for every pattern that backtracks, with an error that
// tells where, and what was read before.
func TestStepsOfEveryPattern(t *testing.T) {
	const hard = `(?:(a|aa)+)+(?<!c)b`
	as := strings.Repeat("a", 60)
	for _, c := range []struct {
		what, template, prefix, reply string
		field                         string
		offset                        int64
		message                       string
	}{
		{"a start anchor", `{"start_anchor_pattern":"` + hard + `","fields":{"c":{}}}`, "xx" + as + "xx", "hi", "", -62, ""},
		{"an open, in the prefix", `{"start_anchor":"@","fields":{"x":{"open_pattern":"` + hard + `"},"c":{}}}`, "@xx" + as + "xx", "hi", "x", -62, ""},
		{"an open", `{"start_anchor":"@","fields":{"x":{"open_pattern":"` + hard + `"},"c":{}}}`, "", "xx" + as + "xx", "x", 2, `{"c": "xx"}`},
		{"a close", `{"start_anchor":"@","fields":{"x":{"open":"<x>","close_pattern":"` + hard + `"},"c":{}}}`, "", "b<x>c" + as + "xx", "x", 5, `{"c": "b", "x": "c"}`},
		{"a tag", `{"start_anchor":"@","fields":{"x":{"open":"<x>","close":"!","content":"xml-inline","content_args":{"tag_pattern":"(?P<key>` + hard + `)"}}}}`,
			"", "<x>c" + as + "!", "x", 3, `{"x": "c` + as + `"}`},
		{"a tag in a tag", `{"start_anchor":"@","fields":{"x":{"open":"<x>","close":"!","content":"xml-inline","content_args":{"tag_pattern":"<(?P<key>k)(?P<value>.*)","value_parser":{"name":"xml-inline","args":{"tag_pattern":"(?P<key>` + hard + `)"}}}}}}`,
			"", "<x><kc" + as + "!", "x", 3, `{"x": "<kc` + as + `"}`},
		{"the tags of many regions", `{"start_anchor":"@","fields":{"x":{"open":"<x>","close":"!","repeats":true,"content":"xml-inline","content_args":{"tag_pattern":"(?P<key>(a)+(?<!c)b)"}}}}`,
			"", "<x>ab!" + strings.Repeat("<x>"+as+"!", 1000), "x", 73, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			tpl := compileJSON(t, c.template)
			o := Options{Prefix: &c.prefix, Limits: Limits{Steps: 500}}
			check := func(reply harmony.Reply, err error) {
				t.Helper()
				var e *Error
				if !errors.As(err, &e) || e.Kind != KindLimit || e.Field != c.field || e.Offset != c.offset {
					t.Errorf("got %#v", err)
				}
				if got := value.Dumps(reply.Message); c.message != "" && got != c.message {
					t.Errorf("read %s, want %s", got, c.message)
				}
			}
			check(tpl.Parse(c.reply, o))
			p, err := tpl.NewParser(o)
			if err != nil {
				check(harmony.Reply{}, err)
				return
			}
			for i := range len(c.reply) {
				if _, err = p.Feed(c.reply[i : i+1]); err != nil {
					break
				}
			}
			_, reply, err := p.Finalize(harmony.Stop{})
			check(reply, err)
			if most := int64(17*500+200*len(c.reply)) * 2; p.Steps() > most {
				t.Error(fmt.Sprint(p.Steps(), " steps, ", most, " are allowed"))
			}
		})
	}
}
