package ci

import (
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

func TestVisible(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"markers", "<|start|>user<|message|>", "<|start|>user<|message|>"},
		{"space", "a b", "a·b"},
		{"breaks", "\n\r\t", `\n\r\t`},
		{"backslash n is no line break", `\n`, `\\n`},
		{"dot", "a·b", `a\u00b7b`},
		{"no-break space", "\u00a0", `\u00a0`},
		{"zero width", "\u200b\u200d\ufeff", `\u200b\u200d\ufeff`},
		{"control", "\x00\x7f\u0085", `\u0000\u007f\u0085`},
		{"composed", "é", "é"},
		{"decomposed", "e\u0301", `e\u0301`},
		{"variation selector", "❤\ufe0f", `❤\ufe0f`},
		{"astral", "😀\U000e0001", `😀\U000e0001`},
		{"lone surrogate", "a\xed\xa0\x80b", `a\ud800b`},
		{"not UTF-8", "a\xffb\xed", `a\xffb\xed`},
		{"filler", "\u3164", `\u3164`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Visible(tt.in); got != tt.want {
				t.Errorf("%q shows as %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

func TestLocate(t *testing.T) {
	tests := []struct {
		name, left, right string // JSON
		path              string // "" where they are equal
		offset            int
		l, r              string
	}{
		{"equal", `{"a": [1, "x"]}`, `{"a": [1, "x"]}`, "", 0, "", ""},
		{"text", `"abc"`, `"abd"`, "$", 2, "abc", "abd"},
		{"text ends", `"ab"`, `"ab\n"`, "$", 2, "ab", `ab\n`},
		{"bytes, not characters", `"éa"`, `"éb"`, "$", 2, "éa", "éb"},
		{"inside a character", `"é"`, `"è"`, "$", 1, "é", "è"},
		{"member", `{"a": {"b c": [1, 2]}}`, `{"a": {"b c": [1, 3]}}`, `$.a["b c"][1]`, 0, "2", "3"},
		{"kinds", `{"a": 1}`, `{"a": 1.0}`, "$.a", 1, "1", "1.0"},
		{"true is not 1", `{"a": true}`, `{"a": 1}`, "$.a", 0, "true", "1"},
		{"missing on the right", `{"a": 1, "b": "x"}`, `{"a": 1}`, "$.b", -1, `"x"`, "(absent)"},
		{"missing on the left", `{"a": 1}`, `{"a": 1, "b": null}`, "$.b", -1, "(absent)", "null"},
		{"order of members", `{"a": 1, "b": 2}`, `{"b": 2, "a": 1}`, "$", 2, `{"a": 1, "b": 2}`, `{"b": 2, "a": 1}`},
		{"longer list", `[1]`, `[1, {"x": 2}]`, "$[1]", -1, "(absent)", `{"x": 2}`},
		{"shorter list", `[1, 2]`, `[1]`, "$[1]", -1, "2", "(absent)"},
		{"a value before an order", `{"a": 1, "b": 2}`, `{"b": 3, "a": 1}`, "$.b", 0, "2", "3"},
		{"surrogates", `"\ud800"`, `"\ud801"`, "$", 2, `\ud800`, `\ud801`},
		{"NaN", `NaN`, `NaN`, "", 0, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := Locate("$", jsonOf(t, tt.left), jsonOf(t, tt.right))
			if w == nil {
				if tt.path != "" {
					t.Fatal("found equal")
				}
				return
			}
			if want := (Where{Path: tt.path, Offset: tt.offset, Left: tt.l, Right: tt.r}); *w != want {
				t.Errorf("got %+v, want %+v", *w, want)
			}
		})
	}
}

// The window is about 40 bytes on each side, of whole characters.
func TestWindow(t *testing.T) {
	long := ""
	for range 100 {
		long += "é"
	}
	got := window(long, 101) // inside a character
	if want := "…" + long[60:142] + "…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := window("short", 5); got != "short" {
		t.Errorf("got %q", got)
	}
}

// A text that ends with half of a surrogate pair, put before one that begins
// with the other half, is what it reads back as from another process.
func TestLocatePairs(t *testing.T) {
	const high, low, smile = "\xed\xa0\xbd", "\xed\xb8\x80", "😀"
	for _, tt := range []struct {
		left, right string
		offset      int // -1 where they are equal
	}{
		{high + low, smile, -1},
		{"a" + high + low + low + "b", "a" + smile + low + "b", -1},
		{low + high, low + high, -1},
		{low + high, smile, 0},
		{high + "a" + low, smile, 0},
		{high + low + "a", smile + "b", 4},
		{high + low, high, 0},
	} {
		for _, wrap := range []func(value.Value) value.Value{
			func(v value.Value) value.Value { return v },
			func(v value.Value) value.Value { return object("a", value.List(v)) },
		} {
			l, r := wrap(value.String(tt.left)), wrap(value.String(tt.right))
			w := Locate("$", l, r)
			if (w == nil) != (tt.offset < 0) || w != nil && w.Offset != tt.offset {
				t.Errorf("%#v and %#v: %+v, want offset %d", l, r, w, tt.offset)
			}
		}
	}
	if w := Locate("$", object("a", value.String(high+low), "b", value.Null()), object("b", value.Null(), "a", value.String(smile))); w == nil {
		t.Error("another order is not told")
	}
}
