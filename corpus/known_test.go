package corpus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/beamdiff/beamdiff/harmony/value"
)

const knownEntry = `
[[known]]
id = "nan"
cases = ["s/a", "s/b"]
engines = ["native", "reference"]
verdict = "value differs"
outcomes = [['{"value": {"a": 1}}', '{"value": {"a": 1.0}}'], ['{"value": "x"}', '{"error": {"class": "ValueError"}}']]
reason = "Go has no NaN literal."
link = "https://example.org/1"
owner = "harmony/response"
expires = 2026-06-30
`

func TestDecodeKnown(t *testing.T) {
	list, err := DecodeKnown([]byte("# two\n"+knownEntry+strings.Replace(knownEntry, `"nan"`, `"nan2"`, 1)), "k.toml")
	if err == nil || len(list) != 0 {
		t.Errorf("one case in two entries: %v", err)
	}
	list, err = DecodeKnown([]byte(knownEntry), "k.toml")
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	k := list[0]
	if k.ID != "nan" || k.Line != 2 || k.Expires.String() != "2026-06-30" || k.Engines != [2]string{"native", "reference"} ||
		k.Verdict != ValueDiffers || len(k.Outcomes) != 2 || k.Outcomes[1][1].Class != "ValueError" || k.Outcomes[0][1].Kind != OK {
		t.Errorf("%+v", k)
	}
}

// The shipped entries are limits of the native engine, each with what becomes of
// it against the want and against the reference.
func TestShippedKnown(t *testing.T) {
	cases := map[string]bool{}
	for _, c := range Embedded() {
		cases[c.ID] = true
	}
	pairs := map[string]int{}
	for _, k := range ShippedKnown() {
		if k.Verdict == ValueDiffers || k.Verdict == Unstable || !slices.Contains(k.Engines[:], "native") {
			t.Errorf("%s: %s of %v is no limit of the native engine", k.ID, k.Verdict, k.Engines)
		}
		for _, id := range k.Cases {
			pairs[id]++
			if !cases[id] {
				t.Errorf("%s: no case is called %s", k.ID, id)
			}
		}
	}
	for id, n := range pairs {
		if n != 2 {
			t.Errorf("%s is in %d entries: one is against the want, one against the reference", id, n)
		}
	}
	if len(pairs) != 21 {
		t.Errorf("%d cases have a known difference; review the list, and this number", len(pairs))
	}
}

// Each fault, made by changing the good entry, is told with its line.
func TestDecodeKnownBad(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{`id = "nan"`, ``, `k.toml:2: id: is missing or empty`},
		{`reason = "Go has no NaN literal."`, `reason = " "`, `k.toml:2: known difference "nan": reason: is missing or empty`},
		{`link = "https://example.org/1"`, ``, `k.toml:2: known difference "nan": link: is missing or empty`},
		{`owner = "harmony/response"`, ``, `k.toml:2: known difference "nan": owner: is missing or empty`},
		{`owner =`, `ownr =`, `k.toml:10: ownr: is not a key here (did you mean "owner"?)`},
		{`[[known]]`, `[[knwon]]`, `k.toml:2: knwon: is not a key here (did you mean "known"?)`},
		{`["s/a", "s/b"]`, `[]`, `k.toml:2: known difference "nan": cases: is missing or empty`},
		{`["s/a", "s/b"]`, `["s/a", "s/*"]`, `k.toml:2: known difference "nan": cases: "s/*" is not the id of a case; patterns are not allowed`},
		{`["s/a", "s/b"]`, `["s/a", "s/a"]`, `k.toml:2: known difference "nan": cases: "s/a" stands twice`},
		{`["s/a", "s/b"]`, `["s/a", "s/b", "s/c"]`, `k.toml:2: known difference "nan": outcomes: must be one pair, or one for each of 3 cases, but is 2 pairs`},
		{`["native", "reference"]`, `["native"]`, `k.toml:2: known difference "nan": engines: must be two different names`},
		{`["native", "reference"]`, `["native", "native"]`, `k.toml:2: known difference "nan": engines: must be two different names`},
		{`"value differs"`, `"same"`, `k.toml:2: known difference "nan": verdict: "same" cannot be known; it is one of ["value differs" "error differs" "engine failed" "cannot" "unstable"]`},
		{`'{"value": {"a": 1}}'`, `'{"value": '`, `k.toml:2: known difference "nan": outcomes: [0][0] is not JSON: Expecting value: line 1 column 11 (char 10)`},
		{`{"class": "ValueError"}`, `"ValueError"`, `k.toml:2: known difference "nan": outcomes: [1][1] must be {"value": ...}, {"error": {"class": ...}}, {"cannot": "why"} or {"failed": "why"}`},
		{`['{"value": "x"}', '{"error": {"class": "ValueError"}}']`, `['{"value": "x"}']`, `k.toml:2: known difference "nan": outcomes: [1] must be a pair, one for each engine`},
		{`2026-06-30`, `"2026-06-30"`, `k.toml:2: known difference "nan": expires: must be a date without quotes and without a time, such as 2026-01-31`},
		{`2026-06-30`, `2026-06-30T00:00:00Z`, `k.toml:2: known difference "nan": expires: must be a date without quotes and without a time, such as 2026-01-31`},
		{`expires = 2026-06-30`, ``, `k.toml:2: known difference "nan": expires: must be a date without quotes and without a time, such as 2026-01-31`},
		{`2026-06-30`, `2026-06-31`, `k.toml:11: invalid datetime: "2026-06-31"`},
		{`"nan"`, `5`, `k.toml:3: incompatible types: TOML value has type int64; destination has type string`},
		{`id = "nan"`, `id = "nan`, `k.toml:3: strings cannot contain newlines`},
	} {
		text := strings.Replace(knownEntry, tt.old, tt.new, 1)
		if text == knownEntry {
			t.Fatalf("%s is not in the entry", tt.old)
		}
		_, err := DecodeKnown([]byte(text), "k.toml")
		var e *KnownError
		if !errors.As(err, &e) || err.Error() != tt.want {
			t.Errorf("%s:\n got %v\nwant %s", tt.new, err, tt.want)
		}
	}
	twice := knownEntry + strings.Replace(knownEntry, `["s/a", "s/b"]`, `["s/c", "s/d"]`, 1)
	if _, err := DecodeKnown([]byte(twice), "k.toml"); err == nil || err.Error() != `k.toml:13: known difference "nan": id: stands twice` {
		t.Errorf("an id twice: %v", err)
	}
	other := knownEntry + strings.Replace(knownEntry, `"nan"`, `"nan2"`, 1)
	if _, err := DecodeKnown([]byte(other), "k.toml"); err == nil || err.Error() != `k.toml:13: known difference "nan2": cases: "s/a" is in the entry "nan" too, for the same engines and verdict` {
		t.Errorf("a case in two entries: %v", err)
	}
	var syntax toml.ParseError
	if _, err := DecodeKnown([]byte("x ="), "k.toml"); !errors.As(err, &syntax) {
		t.Errorf("the cause is lost: %v", err)
	}
}

func TestLoadKnown(t *testing.T) {
	name := filepath.Join(t.TempDir(), "k.toml")
	if _, err := LoadKnown(name); err == nil || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(name, []byte("# none\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if list, err := LoadKnown(name); err != nil || len(list) != 0 {
		t.Errorf("an empty list: %v, %v", list, err)
	}
}

func outcome(t *testing.T, text string) Outcome {
	t.Helper()
	o, err := parseOutcome(text)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestMatchKnown(t *testing.T) {
	list, err := DecodeKnown([]byte(knownEntry), "k.toml")
	if err != nil {
		t.Fatal(err)
	}
	nr := [2]string{"native", "reference"}
	a := func() Result {
		return Result{Case: "s/a", Engines: nr, Verdict: ValueDiffers, Outcomes: [2]Outcome{outcome(t, `{"value": {"a": 1}}`), outcome(t, `{"value": {"a": 1.0}}`)}}
	}
	b := Result{Case: "s/b", Engines: nr, Verdict: ValueDiffers, Outcomes: [2]Outcome{outcome(t, `{"value": "x"}`), {Kind: Raised, Class: "ValueError", Message: "whatever"}}}
	june, july := Date{2026, 6, 30}, Date{2026, 7, 1}
	for _, tt := range []struct {
		name    string
		results []Result
		full    bool
		today   Date
		want    string
	}{
		{"both as listed", []Result{a(), b}, true, june, "nan nan"},
		{"expired, and still explaining", []Result{a(), b}, true, july, "nan nan expired nan"},
		{"no longer different", []Result{with(a(), func(r *Result) { r.Verdict = Same }), b}, true, june, "- nan changed s/a"},
		{"another verdict", []Result{with(a(), func(r *Result) { r.Verdict = Unstable }), b}, true, june, "- nan changed s/a"},
		{"another value", []Result{with(a(), func(r *Result) { r.Outcomes[0] = outcome(t, `{"value": {"a": 2}}`) }), b}, true, june, "- nan changed s/a"},
		{"another error", []Result{a(), with(b, func(r *Result) { r.Outcomes[1].Class = "KeyError" })}, true, june, "nan - changed s/b"},
		{"the pair turned round", []Result{with(a(), turn), with(b, turn)}, true, june, "nan nan"},
		{"values swapped", []Result{with(a(), func(r *Result) { r.Outcomes[0], r.Outcomes[1] = r.Outcomes[1], r.Outcomes[0] }), b}, true, june, "- nan changed s/a"},
		{"a case is gone", []Result{a()}, true, june, "nan absent s/b"},
		{"a case was not chosen", []Result{a()}, false, june, "nan"},
		{"other engines", []Result{with(a(), func(r *Result) { r.Engines[0] = "want" })}, true, june, "-"},
		{"nothing ran", nil, true, july, "expired nan"},
	} {
		report := MatchKnown(list, tt.results, tt.full, tt.today)
		var got []string
		for _, k := range report.Explained {
			if k == nil {
				got = append(got, "-")
			} else {
				got = append(got, k.ID)
			}
		}
		for _, c := range report.Changed {
			got = append(got, "changed "+c.Case)
			if c.Got == nil || c.Got.Case != c.Case || c.Entry != &list[0] {
				t.Errorf("%s: %+v", tt.name, c)
			}
		}
		for _, c := range report.Absent {
			got = append(got, "absent "+c.Case)
		}
		for _, k := range report.Expired {
			got = append(got, "expired "+k.ID)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
	}
}

func with(r Result, change func(*Result)) Result {
	change(&r)
	return r
}

func turn(r *Result) {
	r.Engines[0], r.Engines[1] = r.Engines[1], r.Engines[0]
	r.Outcomes[0], r.Outcomes[1] = r.Outcomes[1], r.Outcomes[0]
}

// One pair of outcomes holds for all the cases of an entry.
func TestMatchKnownOnePair(t *testing.T) {
	text := strings.Replace(knownEntry, `, ['{"value": "x"}', '{"error": {"class": "ValueError"}}']`, ``, 1)
	text = strings.ReplaceAll(text, `{"value": {"a": 1.0}}`, `{"cannot": "no"}`)
	text = strings.ReplaceAll(text, `"value differs"`, `"cannot"`)
	list, err := DecodeKnown([]byte(text), "k.toml")
	if err != nil {
		t.Fatal(err)
	}
	var results []Result
	for _, id := range list[0].Cases {
		results = append(results, Result{Case: id, Engines: list[0].Engines, Verdict: CannotSay,
			Outcomes: [2]Outcome{{Kind: OK, Value: value.Members(value.Member{Name: "a", Value: value.Int(1)})}, {Kind: Cannot, Why: id}}})
	}
	if r := MatchKnown(list, results, true, Date{2026, 1, 1}); r.Explained[0] == nil || r.Explained[1] == nil || r.Changed != nil {
		t.Errorf("%+v", r)
	}
}

func TestParseDate(t *testing.T) {
	if d, err := ParseDate("2026-02-28"); err != nil || d != (Date{2026, 2, 28}) {
		t.Error(d, err)
	}
	for _, bad := range []string{"", "2026-2-28", "2026-02-30", "28.2.2026", "2026-02-28T00:00:00Z"} {
		if _, err := ParseDate(bad); err == nil || err.Error() != fmt.Sprintf("%q is not a date like 2026-01-31", bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
