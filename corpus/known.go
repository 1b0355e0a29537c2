package corpus

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// KnownDifference is an entry of the list of known differences: in these cases
// these two engines are known to differ in just this way.
type KnownDifference struct {
	ID    string   // unique in the list
	Cases []string // ids of cases, no patterns
	// Engines are the two that differ, by name; one may be "want".
	Engines [2]string
	Verdict Verdict
	// Outcomes are what each of the two gives, in the order of Engines: one pair
	// for each case, or a single pair that holds for all of them.
	Outcomes [][2]Outcome
	Reason   string // why they differ
	Link     string // where that is discussed or reported
	Owner    string // the component that the difference belongs to
	Expires  Date   // the last day on which the entry holds
	Line     int    // of the entry in its file, from 1
}

// KnownError says why a text is not a list of known differences.
type KnownError struct {
	File  string
	Line  int    // from 1; 0 where it has no place
	Entry string // the id of the entry, "" where it is about none
	Key   string // the key of the entry, "" where it is about the whole
	Msg   string
	Err   error // a toml.ParseError, or an error of reading the file
}

func (e *KnownError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Entry != "" {
		fmt.Fprintf(&b, ": known difference %q", e.Entry)
	}
	if e.Key != "" {
		fmt.Fprintf(&b, ": %s", e.Key)
	}
	return b.String() + ": " + e.Msg
}

func (e *KnownError) Unwrap() error { return e.Err }

//go:embed known.toml
var shippedKnown embed.FS

// ShippedKnown is the list that this project ships.
func ShippedKnown() []KnownDifference {
	data, err := shippedKnown.ReadFile("known.toml")
	if err == nil {
		var list []KnownDifference
		if list, err = DecodeKnown(data, "known.toml"); err == nil {
			return list
		}
	}
	panic(err) // a test of this package reads it
}

// LoadKnown reads a file of known differences. Errors are *[KnownError].
func LoadKnown(name string) ([]KnownDifference, error) {
	data, err := ReadFile(name)
	if err != nil {
		return nil, &KnownError{File: name, Msg: "cannot be read: " + reason(err), Err: err}
	}
	return DecodeKnown(data, name)
}

// entry is an entry as TOML has it.
type entry struct {
	ID       string     `toml:"id"`
	Cases    []string   `toml:"cases"`
	Engines  []string   `toml:"engines"`
	Verdict  string     `toml:"verdict"`
	Outcomes [][]string `toml:"outcomes"`
	Reason   string     `toml:"reason"`
	Link     string     `toml:"link"`
	Owner    string     `toml:"owner"`
	Expires  any        `toml:"expires"`
}

// DecodeKnown reads the text of a list of known differences. name is for errors,
// which are *[KnownError].
func DecodeKnown(data []byte, name string) ([]KnownDifference, error) {
	var file struct {
		Known []entry `toml:"known"`
	}
	meta, err := toml.Decode(string(data), &file)
	if err != nil {
		return nil, tomlError(name, err)
	}
	k := &knownDecoder{file: name, lines: headers(data)}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, k.unknownKey(data, unknown[0])
	}
	list := make([]KnownDifference, 0, len(file.Known))
	seen := map[string]string{} // what must be unique, and the entry that has it
	for i, e := range file.Known {
		k.line, k.id = k.lines[min(i, len(k.lines)-1)], e.ID
		d, err := k.read(e)
		if err != nil {
			return nil, err
		}
		if _, has := seen["id "+d.ID]; has {
			return nil, k.fail("id", "stands twice")
		}
		seen["id "+d.ID] = d.ID
		for _, c := range d.Cases {
			what := strings.Join([]string{c, d.Engines[0], d.Engines[1], string(d.Verdict)}, " ")
			if other, has := seen[what]; has {
				return nil, k.fail("cases", fmt.Sprintf("%q is in the entry %q too, for the same engines and verdict", c, other))
			}
			seen[what] = d.ID
		}
		list = append(list, d)
	}
	return list, nil
}

// typeError is how the toml package tells of a value of the wrong type.
var typeError = regexp.MustCompile(`^toml: line (\d+) \(last key "[^"]*"\): (.*)`)

func tomlError(file string, err error) error {
	e := &KnownError{File: file, Msg: err.Error(), Err: err}
	if p, ok := err.(toml.ParseError); ok && p.Message != "" {
		e.Line, e.Msg = p.Position.Line, p.Message
	} else if m := typeError.FindStringSubmatch(e.Msg); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		e.Msg = m[2]
	}
	return e
}

// knownDecoder reads one entry after the other.
type knownDecoder struct {
	file  string
	lines []int // of the headers [[known]]
	line  int   // of the entry that is being read
	id    string
}

func (k *knownDecoder) fail(key, msg string) error {
	return &KnownError{File: k.file, Line: k.line, Entry: k.id, Key: key, Msg: msg}
}

var header = regexp.MustCompile(`^\s*\[\[\s*"?known"?\s*\]\]`)

// headers gives the lines on which entries begin.
func headers(data []byte) []int {
	var lines []int
	for i, line := range strings.Split(string(data), "\n") {
		if header.MatchString(line) {
			lines = append(lines, i+1)
		}
	}
	if lines == nil {
		return []int{0} // known = [...] on one line
	}
	return lines
}

// unknownKey is the error of a key that no entry has.
func (k *knownDecoder) unknownKey(data []byte, key toml.Key) error {
	name := key[len(key)-1]
	word := regexp.MustCompile(`^\s*"?` + regexp.QuoteMeta(name) + `"?\s*[=.]|^\s*\[.*` + regexp.QuoteMeta(name))
	for i, line := range strings.Split(string(data), "\n") {
		if word.MatchString(line) {
			k.line = i + 1
			break
		}
	}
	known := []string{"id", "cases", "engines", "verdict", "outcomes", "reason", "link", "owner", "expires"}
	if len(key) == 1 {
		known = []string{"known"}
	}
	return k.fail(name, "is not a key here ("+advise(name, known)+")")
}

func (k *knownDecoder) read(e entry) (KnownDifference, error) {
	d := KnownDifference{ID: e.ID, Cases: e.Cases, Verdict: Verdict(e.Verdict), Reason: e.Reason, Link: e.Link, Owner: e.Owner, Line: k.line}
	for _, m := range []struct{ key, text string }{{"id", e.ID}, {"reason", e.Reason}, {"link", e.Link}, {"owner", e.Owner}} {
		if strings.TrimSpace(m.text) == "" {
			return d, k.fail(m.key, "is missing or empty")
		}
	}
	if len(e.Cases) == 0 {
		return d, k.fail("cases", "is missing or empty")
	}
	for i, c := range e.Cases {
		if !idPattern.MatchString(c) {
			return d, k.fail("cases", fmt.Sprintf("%q is not the id of a case; patterns are not allowed", c))
		}
		if slices.Contains(e.Cases[:i], c) {
			return d, k.fail("cases", fmt.Sprintf("%q stands twice", c))
		}
	}
	if len(e.Engines) != 2 || e.Engines[0] == e.Engines[1] || slices.Contains(e.Engines, "") {
		return d, k.fail("engines", "must be two different names")
	}
	d.Engines = [2]string(e.Engines)
	if !slices.Contains(listable, d.Verdict) {
		return d, k.fail("verdict", fmt.Sprintf("%q cannot be known; it is one of %q", e.Verdict, listable))
	}
	if len(e.Outcomes) != 1 && len(e.Outcomes) != len(e.Cases) {
		return d, k.fail("outcomes", fmt.Sprintf("must be one pair, or one for each of %s, but is %s", count(len(e.Cases), "case"), count(len(e.Outcomes), "pair")))
	}
	for i, pair := range e.Outcomes {
		if len(pair) != 2 {
			return d, k.fail("outcomes", fmt.Sprintf("[%d] must be a pair, one for each engine", i))
		}
		var both [2]Outcome
		for j, text := range pair {
			o, err := parseOutcome(text)
			if err != nil {
				return d, k.fail("outcomes", fmt.Sprintf("[%d][%d] %v", i, j, err))
			}
			both[j] = o
		}
		d.Outcomes = append(d.Outcomes, both)
	}
	t, ok := e.Expires.(time.Time)
	if !ok || t.Location() != localDate {
		return d, k.fail("expires", "must be a date without quotes and without a time, such as 2026-01-31")
	}
	d.Expires = DateOf(t)
	return d, nil
}

// localDate is the location that the toml package gives to local dates.
var localDate = func() *time.Location {
	var v struct{ D any } // decoding to a time.Time would lose the location
	if _, err := toml.Decode("D = 2026-01-31", &v); err != nil {
		panic(err)
	}
	return v.D.(time.Time).Location()
}()

// parseOutcome reads an outcome as the list pins it: JSON text that is
// {"value": ...}, {"error": {"class": ..., "message": ...}}, {"cannot": "why"}
// or {"failed": "why"}; the why of the last two is for people.
func parseOutcome(text string) (Outcome, error) {
	v, err := value.Loads(text)
	if err != nil {
		return Outcome{}, fmt.Errorf("is not JSON: %w", err)
	}
	o, _ := v.AsObject()
	if o.Len() == 1 {
		m := o.At(0)
		s, isText := m.Value.AsString()
		switch m.Name {
		case "value":
			return Outcome{Kind: OK, Value: m.Value, Offset: -1}, nil
		case "error":
			class, ok := m.Value.Get("class").AsString()
			message, _ := m.Value.Get("message").AsString()
			if ok && class != "" {
				return Outcome{Kind: Raised, Class: class, Message: message, Offset: -1}, nil
			}
		case "cannot":
			if isText {
				return Outcome{Kind: Cannot, Why: s, Offset: -1}, nil
			}
		case "failed":
			if isText {
				return Outcome{Kind: Failed, Why: s, Offset: -1}, nil
			}
		}
	}
	return Outcome{}, fmt.Errorf(`must be {"value": ...}, {"error": {"class": ...}}, {"cannot": "why"} or {"failed": "why"}`)
}
