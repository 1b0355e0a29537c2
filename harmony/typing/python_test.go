package typing

import (
	"errors"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Literals, as ast.literal_eval of CPython 3.14 reads them; where it reads more,
// the reason stands behind.
var literalCases = []struct{ text, want string }{
	{`True`, `true`}, {`False`, `false`}, {`None`, `null`}, {`true`, `true`}, {`null`, `null`},
	{`Truex`, ``}, {`NoneType`, ``}, {`nan`, ``}, {``, ``}, {`é`, ``},
	{`7`, `7`}, {`-7`, `-7`}, {`+7`, `7`}, {`-0`, `0`}, {`007`, ``}, {`00`, `0`}, {`0_0`, `0`}, {`1_000`, `1000`}, {`1__0`, ``}, {`1_`, ``}, {`_1`, ``},
	{`0x1F`, `31`}, {`-0o17`, `-15`}, {`0b_101`, `5`}, {`0x`, ``}, {`0b2`, ``}, {`0xe`, `14`},
	{`1.5`, `1.5`}, {`.5`, `0.5`}, {`5.`, `5.0`}, {`-.5e-3`, `-0.0005`}, {`1e5`, `100000.0`}, {`1_0e1_0`, `100000000000.0`}, {`1e+2`, `100.0`}, {`.`, ``}, {`1e`, ``}, {`1.2.3`, ``}, {`01.5`, `1.5`},
	{`٣`, ``}, {`1٣`, ``}, {`12abc`, ``},
	{`1e400`, ``}, // inf
	{`1j`, ``},    // complex
	{`1+2`, `1`},  // an expression: what is behind is left over
	{`1-2`, `1`},  // likewise
	{`- 7`, ``},   // likewise
	{`123456789012345678901234567890`, `123456789012345678901234567890`},
	{`''`, `""`}, {`'a'`, `"a"`}, {`"a'b"`, `"a'b"`}, {`'a"b'`, `"a\"b"`}, {`'a`, ``}, {`'a"`, ``}, {`'\`, ``}, {`'\'`, ``},
	{`'\\\'\"\a\b\f\n\r\t\v'`, `"\\'\"\u0007\b\f\n\r\t\u000b"`},
	{`'\0\12\101\1012'`, `"\u0000\nAA2"`}, {`'\x41\u00e9\U0001f600'`, `"A\u00e9\ud83d\ude00"`}, {`'\x4'`, ``}, {`'\u00g0'`, ``}, {`'\U00110000'`, ``}, {`'\x+1'`, ``},
	{`'\q\/\8'`, `"\\q\\/\\8"`}, {"'a\\\nb'", `"ab"`},
	{`'\ud83d\ude00'`, `"\ud83d\ude00"`}, {`'\ud800'`, `"\ud800"`}, {`'\ud83d-\ude00'`, `"\ud83d-\ude00"`}, {`'\ude00\ud83d'`, `"\ude00\ud83d"`},
	{`'\N{BULLET}'`, ``}, // names of characters
	{"'a\nb'", `"a\nb"`}, // a line break is refused by Python
	{`u'a'`, ``},         // prefixes
	{`'''a'''`, `""`},    // triple quotes: what is behind is left over
	{`'a' 'b'`, `"a"`},   // texts side by side: likewise
	{`[]`, `[]`}, {`[1, 'a', [None],]`, `[1, "a", [null]]`}, {`[,]`, ``}, {`[1,,]`, ``}, {`[1 2]`, ``}, {`[1`, ``}, {`[1)`, ``},
	{`()`, `[]`}, {`(1)`, `1`}, {`(1,)`, `[1]`}, {`(1, 2)`, `[1, 2]`}, {`(,)`, ``}, {`((1),)`, `[1]`},
	{`{}`, `{}`}, {`{'a': 1, "b": {'c': ()},}`, `{"a": 1, "b": {"c": []}}`}, {`{'a': 1, 'b': 2, 'a': 3}`, `{"a": 3, "b": 2}`}, {`{'a' 1}`, ``}, {`{'a': }`, ``}, {`{,}`, ``},
	{`{1: 2}`, ``}, // keys that JSON has not
	{`{1}`, ``},    // sets
	{"[ 1 ,\t2\r\n]", `[1, 2]`},
	{`[nan]`, ``}, {`f(1)`, ``},
}

func TestLiteral(t *testing.T) {
	for _, c := range literalCases {
		v, n, err := Literal(c.text, Options{})
		got := ""
		if err == nil {
			got = value.Dumps(v)
		}
		var failed *LiteralError
		if got != c.want || err == nil && n > len(c.text) || err != nil && (!errors.As(err, &failed) || failed.Offset > len(c.text)) {
			t.Errorf("%q: %s (%d bytes, %v), want %s", c.text, got, n, err, c.want)
		}
	}
	for text, want := range map[string]int{`'a' 'b'`: 3, `[1] x`: 3, `7, 8`: 1, `  None)`: 6} {
		if _, n, err := Literal(text, Options{}); n != want || err != nil {
			t.Errorf("%q: %d bytes, want %d, %v", text, n, want, err)
		}
	}
}

func TestLiteralDepth(t *testing.T) {
	for _, brackets := range []string{"[]", "()", "{}"} {
		open := brackets[:1]
		if open == "{" {
			open = `{"a":`
		}
		text := strings.Repeat(open, 5) + "1" + strings.Repeat(brackets[1:], 5)
		if _, _, err := Literal(text, Options{Depth: 5}); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if _, _, err := Literal(text, Options{Depth: 4}); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// Nothing panics, and what is read is read again from what value writes of it.
func FuzzLiteral(f *testing.F) {
	for _, c := range literalCases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, n, err := Literal(text, Options{Depth: 50})
		if n < 0 || n > len(text) {
			t.Fatalf("%d bytes of %d", n, len(text))
		}
		if err != nil || value.InvalidWTF8(text) >= 0 {
			return
		}
		again, n, err := Literal(value.Dumps(v), Options{})
		if err != nil || n != len(value.Dumps(v)) || !value.Equal(v, again) {
			t.Fatalf("%q: %s, then %s, %v", text, value.Dumps(v), value.Dumps(again), err)
		}
	})
}
