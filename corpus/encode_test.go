package corpus

import (
	"math"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

func parseCase(reply string, want *Outcome) Case {
	c := Case{ID: "x", Kind: Parse, Input: &value.Object{}, Want: want}
	c.Input.Set("reply", value.String(reply))
	return c
}

// Encode shows what a reader could not see, and Decode gives the same back.
func TestEncodeText(t *testing.T) {
	for _, tt := range []struct{ text, json string }{
		{"plain é 東京 😀", `"plain é 東京 😀"`},
		{"\n\t\"\\/\x00\x1f\x7f", `"\n\t\"\\/\u0000\u001f\u007f"`},
		{"\u00a0\u0085\u2028\ufeff\u200d\u00ad", `"\u00a0\u0085\u2028\ufeff\u200d\u00ad"`},
		{"e\u0301", "\"e\u0301\""},
		{"\ufffd", `"\ufffd"`},
		{"\U000e0001", `"\udb40\udc01"`},
		{"a\xed\xa0\x80\xed\xb0\x80b", `"a\ud800\udc00b"`}, // two lone surrogates in a row: JSON reads them as one pair
		{"\xed\xa0\x80", `"\ud800"`},
	} {
		data, err := EncodeOne(parseCase(tt.text, nil))
		if err != nil || !strings.Contains(string(data), `"reply": `+tt.json+"\n") {
			t.Errorf("%q: %s, %v; want %s", tt.text, data, err, tt.json)
		}
		cases, err := Decode(data, "f")
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		reply, _ := cases[0].Input.Get("reply")
		if got, _ := reply.AsString(); got != tt.text && !strings.Contains(tt.text, "\xed\xa0\x80\xed") {
			t.Errorf("%q came back as %q", tt.text, got)
		}
	}
}

func TestEncodeNumbers(t *testing.T) {
	want := func(v value.Value) *Outcome {
		return &Outcome{Kind: OK, Value: value.Members(value.Member{Name: "v", Value: v})}
	}
	for _, f := range []float64{1, 1e16, 1e-7, math.Copysign(0, -1), math.Inf(1), math.Inf(-1)} {
		data, err := EncodeOne(parseCase("", want(value.Float(f))))
		if err != nil {
			t.Fatal(err)
		}
		cases, err := Decode(data, "f")
		if err != nil || !value.Equal(cases[0].Want.Value.Get("v"), value.Float(f)) {
			t.Errorf("%v came back as %s, %v", f, data, err)
		}
	}
	if _, err := Encode([]Case{parseCase("", want(value.Float(math.NaN())))}); err == nil || err.Error() != "corpus: case x holds a NaN, which JSON cannot say" {
		t.Errorf("a NaN: %v", err)
	}
	if _, err := EncodeOne(parseCase("", &Outcome{Kind: Failed})); err == nil || err.Error() != "corpus: the want of case x is failed, which no case can want" {
		t.Errorf("a failure: %v", err)
	}
}

// The one form: keys in a fixed order, lists of objects a line each.
func TestEncodeForm(t *testing.T) {
	cases, err := Decode([]byte(`[{"want":{"error":{"message":"m","class":"E"}},"why":"w","messages":[{"role":"user"},{"role":"tool"}],"tools":[],"id":"a"},{"id":"b","reply":"x"}]`), "f")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Encode(cases)
	const want = `[
  {
    "id": "a",
    "why": "w",
    "kind": "render",
    "messages": [
      {"role": "user"},
      {"role": "tool"}
    ],
    "tools": [],
    "want": {"error": {"class": "E", "message": "m"}}
  },
  {
    "id": "b",
    "kind": "parse",
    "reply": "x"
  }
]
`
	if err != nil || string(got) != want {
		t.Errorf("got\n%s, %v", got, err)
	}
	if none, err := Encode(nil); err != nil || string(none) != "[]\n" {
		t.Errorf("no cases: %q, %v", none, err)
	}
}

// A kind outside its set has a name too, and no panic.
func TestOutcomeKindOutside(t *testing.T) {
	if s := OutcomeKind(9).String(); s != "OutcomeKind(9)" || OutcomeKind(0).String() != "" || Failed.String() != "failed" {
		t.Errorf("%q", s)
	}
}
