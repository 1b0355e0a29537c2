package value

import (
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// What json.loads makes of a text, as json.dumps writes it; or its error.
func TestLoads(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[1, 1.0, 1e2, -0, -0.0, 1.50]`, `[1, 1.0, 100.0, 0, -0.0, 1.5]`},
		{`[1e16, 1e15, 0.0001, 1e-05, 5e-324, 1e400, -1e400]`, `[1e+16, 1000000000000000.0, 0.0001, 1e-05, 5e-324, Infinity, -Infinity]`},
		{`[9223372036854775807, -9223372036854775808, 9223372036854775808]`, `[9223372036854775807, -9223372036854775808, 9223372036854775808]`},
		{`[NaN, Infinity, -Infinity]`, `[NaN, Infinity, -Infinity]`},
		{`{"a":1,"b":2,"a":3}`, `{"a": 3, "b": 2}`},
		{`"\ud83d\ude00\ud800\u0041\udc00"`, `"\ud83d\ude00\ud800A\udc00"`},
		{"\"\x7f\u2028é\\/\"", `"\u007f\u2028\u00e9/"`},
		{" \t\r\n{} ", `{}`},

		{``, "Expecting value: line 1 column 1 (char 0)"},
		{"\n é", "Expecting value: line 2 column 2 (char 2)"},
		{"\u00a0{}", "Expecting value: line 1 column 1 (char 0)"},
		{"\ufeff{}", "Unexpected UTF-8 BOM: line 1 column 1 (char 0)"},
		{`{} x`, "Extra data: line 1 column 4 (char 3)"},
		{`01`, "Extra data: line 1 column 2 (char 1)"},
		{`1.`, "Extra data: line 1 column 2 (char 1)"},
		{`.5`, "Expecting value: line 1 column 1 (char 0)"},
		{`-NaN`, "Expecting value: line 1 column 1 (char 0)"},
		{`[1,]`, "Illegal trailing comma before end of array: line 1 column 3 (char 2)"},
		{`{"a":1,}`, "Illegal trailing comma before end of object: line 1 column 7 (char 6)"},
		{`{'a':1}`, "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"},
		{`{"a" 1}`, "Expecting ':' delimiter: line 1 column 6 (char 5)"},
		{`[1 2]`, "Expecting ',' delimiter: line 1 column 4 (char 3)"},
		{`["é`, "Unterminated string starting at: line 1 column 2 (char 1)"},
		{"[\"é\n\"]", "Invalid control character at: line 1 column 4 (char 3)"},
		{`"\x"`, `Invalid \escape: line 1 column 2 (char 1)`},
		{`"\u12g4"`, `Invalid \uXXXX escape: line 1 column 3 (char 2)`},
	} {
		v, err := Loads(c.text)
		got := Dumps(v)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestLoadsLimits(t *testing.T) {
	var digits *DigitsError
	if _, err := Loads(strings.Repeat("9", MaxIntDigits)); err != nil {
		t.Error(err)
	}
	if _, err := Loads("-" + strings.Repeat("9", MaxIntDigits+1)); !errors.As(err, &digits) || digits.Digits != MaxIntDigits+1 {
		t.Errorf("got %v", err)
	}
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	var deep *DepthError
	if _, err := Loads(nested(MaxDepth)); err != nil {
		t.Error(err)
	}
	if _, err := Loads(nested(MaxDepth + 1)); !errors.As(err, &deep) || deep.Offset != MaxDepth {
		t.Errorf("got %v", err)
	}
	if _, err := (LoadOptions{MaxDepth: 2}).Loads(nested(3)); !errors.As(err, &deep) {
		t.Errorf("got %v", err)
	}
	for _, text := range []string{`NaN`, `[-Infinity]`, `{"a":1,"a":2}`} {
		if _, err := (LoadOptions{Strict: true}).Loads(text); err == nil {
			t.Errorf("strict: %s is accepted", text)
		}
	}
}

// A lone surrogate comes out of an escape and goes back into one, and a text
// that holds one can be read again.
func TestSurrogates(t *testing.T) {
	v, err := Loads(`"[\"\ud800\"]"`)
	if err != nil {
		t.Fatal(err)
	}
	inner, _ := v.AsString()
	if Len(inner) != 5 {
		t.Errorf("%q has %d characters", inner, Len(inner))
	}
	w, err := Loads(inner)
	if err != nil || Dumps(w) != `["\ud800"]` {
		t.Errorf("%s %v", Dumps(w), err)
	}
	if _, err := Loads("\"\xff\""); err == nil {
		t.Error("a byte that is not UTF-8 is accepted")
	}
}

func TestDumpsStyles(t *testing.T) {
	v, err := Loads(`{"é":[1,{"a":"<&>\u2028\n\u0001"}],"b":[],"c":{}}`)
	if err != nil {
		t.Fatal(err)
	}
	for want, style := range map[string]Style{
		`{"\u00e9": [1, {"a": "<&>\u2028\n\u0001"}], "b": [], "c": {}}`:                                    PyDumps,
		"{\"é\": [1, {\"a\": \"<&>\u2028\\n\\u0001\"}], \"b\": [], \"c\": {}}":                             ToJSON,
		"{\n \"é\": [\n  1,\n  {\n   \"a\": \"<&>\u2028\\n\\u0001\"\n  }\n ],\n \"b\": [],\n \"c\": {}\n}": {Unicode: true, Indent: " "},
		`{"\u00e9":[1,{"a":"<&>\u2028\n\u0001"}],"b":[],"c":{}}`:                                           {Compact: true},
	} {
		if got := string(Append(nil, v, style)); got != want {
			t.Errorf("%+v: got %s", style, got)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ text, asInt, asFloat string }{
		{"1_000", "1000", "1000.0"},
		{" +5\n", "5", "5.0"},
		{"007", "7", "7.0"},
		{"-0", "0", "-0.0"},
		{"٣_٤", "34", "34.0"},
		{"𝟘1", "1", "1.0"},
		{"\U00010d41", "1", "1.0"}, // Unicode 16
		{"\u00a07\u2003", "7", "7.0"},
		{"\x1c7", "", ""}, // what strip removes, int does not
		{"1__0", "", ""},
		{"_1", "", ""},
		{"1_", "", ""},
		{"- 5", "", ""},
		{"--5", "", ""},
		{"²", "", ""},
		{"", "", ""},
		{"1.", "", "1.0"},
		{".5", "", "0.5"},
		{".", "", ""},
		{"1_.5", "", ""},
		{"1._5", "", ""},
		{"1e5_0", "", "1e+50"},
		{"1e", "", ""},
		{"1e400", "", "Infinity"},
		{"1e-400", "", "0.0"},
		{"0x10", "", ""},
		{"-iNfInItY", "", "-Infinity"},
		{"nan", "", "NaN"},
		{"İnf", "", ""},
		{"１.５", "", "1.5"},
	} {
		gotInt, gotFloat := "", ""
		if v, err := ParseInt(c.text); err == nil {
			gotInt = Dumps(v)
		}
		if f, err := ParseFloat(c.text); err == nil {
			gotFloat = Dumps(Float(f))
		}
		if gotInt != c.asInt || gotFloat != c.asFloat {
			t.Errorf("%q: got %s and %s, want %s and %s", c.text, gotInt, gotFloat, c.asInt, c.asFloat)
		}
	}
}

func TestStrip(t *testing.T) {
	space := "\t\n\v\f\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"
	for text, want := range map[string]string{
		space + "a" + space: "a",
		space:               "",
		"\x00a\u200b\ufeff": "\x00a\u200b\ufeff",
		"\u180ea":           "\u180ea",
	} {
		if got := Strip(text); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

// Objects keep order, also behind the size from which on they have an index.
func TestObject(t *testing.T) {
	var o Object
	for i := range 40 {
		o.Set(string(rune('a'+i)), Int(int64(i)))
	}
	o.Set("a", Int(100))
	o.Delete("b")
	o.Delete("nope")
	if v, ok := o.Get("a"); !ok || Dumps(v) != "100" || o.At(0).Name != "a" || o.At(1).Name != "c" || o.Len() != 39 {
		t.Errorf("%s", Dumps(o.Value()))
	}
	if v, ok := o.Get("d"); !ok || Dumps(v) != "3" {
		t.Errorf("d is %s", Dumps(v))
	}
	clone := o.Value().Clone()
	o.Set("a", Null())
	if Dumps(clone.Get("a")) != "100" || Equal(clone, o.Value()) {
		t.Error("a clone shares")
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b Value
		want bool
	}{
		{Int(1), Float(1), false},
		{Bool(true), Int(1), false},
		{Float(math.NaN()), Float(math.NaN()), true},
		{Float(0), Float(math.Copysign(0, -1)), false},
		{List(Int(1)), List(Int(1)), true},
		{Members(Member{"a", Null()}, Member{"b", Null()}), Members(Member{"b", Null()}, Member{"a", Null()}), false},
	} {
		if Equal(c.a, c.b) != c.want {
			t.Errorf("%#v and %#v", c.a, c.b)
		}
	}
}

// What Dumps writes, Loads reads as the same value, and writes again the same.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,"\ud800é"],"b":null}`, `[1e400,-0.0,1e16,123456789012345678901234567890]`, `"\u007f"`, "[NaN"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Loads(text)
		if err != nil {
			var syntax *SyntaxError
			if errors.As(err, &syntax) && (syntax.Offset < 0 || syntax.Offset > len(text)) {
				t.Errorf("%q: offset %d", text, syntax.Offset)
			}
			return
		}
		for _, style := range []Style{PyDumps, ToJSON, {Indent: " "}} {
			out := string(Append(nil, v, style))
			w, err := Loads(out)
			if err != nil || !Equal(v, w) || string(Append(nil, w, style)) != out {
				t.Errorf("%q: %s reads as %s, %v", text, out, Dumps(w), err)
			}
			if style == PyDumps && !utf8.ValidString(out) {
				t.Errorf("%q: %q", text, out)
			}
		}
	})
}

// A kind outside its set has a name too, and no panic.
func TestKindsOutside(t *testing.T) {
	if s, py := Kind(9).String(), Kind(255).PyType(); s != "Kind(9)" || py != "Kind(255)" {
		t.Errorf("%q %q", s, py)
	}
}
