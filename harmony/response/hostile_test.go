package response

import (
	"errors"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/typing"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// hostile are bodies at which readers of numbers, JSON and calls break.
func hostile() []string {
	digits, deep := strings.Repeat("9", 4400), strings.Repeat("[", 1200)
	return []string{
		"\x00", "\xff", "a\xc3", "\xed\xa0\x80", "\xf0\x9f\x98", "1e999999", "-1e-999999", "1e99999999999999999999", digits, "-" + digits + ".5e" + digits,
		`"\ud800"`, `{"\udc00\ud800":1}`, `{"a":` + digits + `}`, deep, deep + strings.Repeat("]", 1200), strings.Repeat(`{"a":`, 1200),
		"[f(a=" + strings.Repeat("[", 101) + ")]", "[f(a=" + digits + ")]", `[f(a='\ud800')]`, "[f(a='\xff')]",
		"<a>" + deep + "</>", "<i>" + digits + "</><n>1e999999</><a>\xff</>", "<o>" + deep + "</>", "o:" + deep + "\nn:1e999999\ni:nan",
		"\x01\x02", `{"a":` + "\x010\x02}", "[NaN,-Infinity]", "0x" + strings.Repeat("f", 3000),
		strings.Repeat("<a>", 300), strings.Repeat("'", 300), strings.Repeat("\\", 300), strings.Repeat("{,", 300), strings.Repeat("a:\n", 300), "[" + strings.Repeat("f(),", 300),
	}
}

// Whatever a region holds, there is no panic, an error has a class and a place,
// and a reader to which the body comes byte by byte gives the same and stays in
// its error until it is reset.
func TestHostileContents(t *testing.T) {
	const (
		tag     = `"tag_pattern":"<(?P<key>\\w+)>(?P<value>.*?)</>"`
		call    = `"transform":{"function":{"name":"f","arguments":"{content}"}}`
		lenient = `"value_parser":{"name":"json","args":{"allow_non_json":true}}`
	)
	tools := PrepareTools([]value.Value{loads(t, `{"name":"f","parameters":{"properties":{"n":{"type":"number"},"i":{"type":"integer"},"a":{"type":"object"},"o":{"type":"array"}}}}`)})
	failed := 0
	for field := range insideBodies(tag, call, lenient) {
		tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{"open":"[[","close":"]]",`+field+`}}}`)
		o := Options{Prefix: &noPrefix, Tools: tools, Problems: true}
		p, err := tpl.NewParser(o)
		if err != nil {
			t.Fatal(err)
		}
		for i, body := range hostile() {
			if o.Typing = typing.Policy(typing.Reference{}); i%2 == 0 {
				o.Typing = typing.Literals{}
			}
			reply := "[[" + body + "]]"
			r, err := tpl.Parse(reply, o)
			if err != nil {
				failed++
				var e *Error
				var text *harmony.UTF8Error
				if !errors.As(err, &text) && (!errors.As(err, &e) || e.Class() == "" || e.Offset == NoOffset) {
					t.Errorf("%s on %.40q: %T %v", field, body, err, err)
				}
			}
			if err := p.Reset(o); err != nil {
				t.Fatal(err)
			}
			var first error
			for at := range len(reply) {
				if _, err := p.Feed(reply[at : at+1]); first == nil {
					first = err
				} else if err != first {
					t.Fatalf("%s on %.40q: after %v: %v", field, body, first, err)
				}
			}
			_, cut, errCut := p.Finalize(harmony.StopUnknown())
			if first != nil && errCut != first || (err == nil) != (errCut == nil) || err != nil && err.Error() != errCut.Error() || !value.Equal(cut.Message, r.Message) || len(cut.Problems) != len(r.Problems) {
				t.Errorf("%s on %.40q: whole %v, %d problems, by bytes %v, %d problems", field, body, err, len(r.Problems), errCut, len(cut.Problems))
			}
		}
	}
	if failed < 100 {
		t.Errorf("only %d bodies failed", failed)
	}
}
