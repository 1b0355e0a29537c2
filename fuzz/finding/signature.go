package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Signature names a difference by what it is, not by the case that shows it:
// its [Family], then what is particular to it,
//
//	KIND, VERDICT, PAIR, PLACE, WHAT
//
// such as "parse, value differs, native/reference, $.tool_calls.function.arguments, integer/string".
// WHAT is how the two part there: kinds of values, kinds of characters, classes
// of errors, and in a prompt whether it is in the instructions. Two faults that show in the
// same place in the same way share one; once the first is fixed, the second is
// found.
type Signature string

// ID is short and fit for a file's name: 16 hexadecimal digits.
func (s Signature) ID() string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

// Family is a signature without WHAT: the verdict and its place. PLACE is the
// JSON path with indices left out and names that are data (an argument's, a
// field's) made *.
func Family(kind corpus.Kind, v Verdict) string {
	place := ""
	switch v.Kind {
	case corpus.EngineFailed, corpus.CannotSay:
	case corpus.Unstable:
		// One fault of cutting shows wherever the cut falls: only what was
		// compared counts.
		place = ", cut"
		if v.Chunks.IsNull() {
			place = ", parse against stream"
		}
	default:
		place = ", " + where(v)
	}
	return fmt.Sprintf("%s, %s, %s/%s%s", kind, v.Kind, v.Left, v.Right, place)
}

// Sign gives the signature of a verdict on a case of the kind.
func Sign(kind corpus.Kind, v Verdict) Signature {
	what := ""
	switch v.Kind {
	case corpus.EngineFailed:
		what = failure(v)
	case corpus.CannotSay:
		what = blank(v.What)
	case corpus.Unstable:
		what = outcomes(v)
	default:
		what = difference(v)
	}
	return Signature(Family(kind, v) + ", " + what)
}

// outcomes says which sides raised.
func outcomes(v Verdict) string {
	if v.LeftOutcome.Kind == v.RightOutcome.Kind {
		return v.LeftOutcome.Kind.String()
	}
	return v.LeftOutcome.Kind.String() + "/" + v.RightOutcome.Kind.String()
}

var (
	numbers = regexp.MustCompile(`0x[0-9a-f]+|[0-9]+`)
	frame   = regexp.MustCompile(`beamdiff/harmony/[^\s(]*(?:\([^)\s]*\))?[^\s(]*`)
)

// blank is the first line of a text with its numbers left out.
func blank(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return numbers.ReplaceAllString(line, "N")
}

// failure says how an engine failed, without the particulars: the sort of crash,
// for a panic its first function in package harmony.
func failure(v Verdict) string {
	why := v.What
	for _, o := range []corpus.Outcome{v.LeftOutcome, v.RightOutcome} {
		if o.Kind == corpus.Failed {
			why = o.Why
		}
	}
	line := blank(why)
	for _, end := range []string{"; its standard error", " (tried twice", ": \"", ": {"} {
		line, _, _ = strings.Cut(line, end)
	}
	if strings.HasPrefix(why, "out of memory") {
		return "out of memory" // whether the system killed it or it gave up is chance
	}
	if strings.HasPrefix(why, "panic") {
		line += " in " + frame.FindString(why)
	}
	return line
}

// wireNames are names of members that stand for themselves in a path: those of
// calls and of events. All others are data.
var wireNames = map[string]bool{"role": true, "tool_calls": true, "function": true, "name": true, "arguments": true, "type": true,
	"events": true, "message": true, "text": true, "field": true, "spans": true, "input_ids": true, "offsets": true, "assistant_masks": true}

// where is the place of a difference in a signature.
func where(v Verdict) string {
	if strings.HasPrefix(v.Path, "$error") {
		return v.Path
	}
	var b strings.Builder
	b.WriteByte('$')
	last := ""
	for _, s := range readPath(v.Path) {
		name, isName := s.(string)
		switch {
		case !isName, last == "arguments": // whatever is in there
			continue
		case !wireNames[name]:
			name = "*"
		}
		if name == "*" && last == "*" {
			continue
		}
		b.WriteString("." + name)
		last = name
	}
	return b.String()
}

var start = regexp.MustCompile(`<\|start\|>(\w*)`)

// part is that of a prompt in which byte at stands: its instructions, or the turns
// after them. Which turn is chance: what is wrong with a text is so in each.
func part(prompt string, at int) string {
	found := start.FindAllStringSubmatch(prompt[:max(0, min(at, len(prompt)))], -1)
	switch {
	case len(found) == 0:
		return "start"
	case slices.Contains([]string{"system", "developer"}, found[len(found)-1][1]):
		return "instructions"
	}
	return "turns"
}

// difference says how the two sides part.
func difference(v Verdict) string {
	l, r := v.LeftOutcome, v.RightOutcome
	if l.Kind == corpus.Raised || r.Kind == corpus.Raised {
		name := func(o corpus.Outcome) string {
			if o.Kind == corpus.Raised {
				return o.Class
			}
			return o.Kind.String()
		}
		if l.Class == r.Class && l.Message != r.Message {
			return r.Class + ": " + stem(r.Message) // which error it is
		}
		return name(l) + "/" + name(r)
	}
	steps := readPath(v.Path)
	left, inLeft := follow(l.Value, steps)
	right, inRight := follow(r.Value, steps)
	switch {
	case !inLeft || !inRight:
		if inLeft {
			return "present/absent"
		}
		return "absent/present"
	case left.Kind() != right.Kind():
		return left.Kind().String() + "/" + right.Kind().String()
	}
	lt, ok := left.AsString()
	rt, _ := right.AsString()
	if !ok {
		if sameMembers(left, right) {
			return "order"
		}
		return left.Kind().String()
	}
	what := "text" // which characters of a message is chance
	prompt := l.Value.Kind() == value.KindString
	switch {
	case squeezed(lt) == squeezed(rt):
		what = "space"
	case prompt:
		what = charClass(lt, v.Offset) + "/" + charClass(rt, v.Offset)
	}
	if prompt {
		what += " in " + part(lt, v.Offset)
	}
	return what
}

// stem is the beginning of an error's text, up to what the case puts into it.
func stem(message string) string {
	const most = 40 // bytes, about
	if i := strings.IndexAny(message, "0123456789'\"`[{(<"); i > 0 {
		message = message[:i]
	}
	words := strings.Fields(message)
	for len(words) > 1 && len(strings.Join(words, " ")) > most {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

func sameMembers(a, b value.Value) bool {
	x, ok := a.AsObject()
	y, _ := b.AsObject()
	return ok && y != nil && x.Len() == y.Len() && len(value.Dumps(a)) == len(value.Dumps(b))
}

// squeezed is a text without its white space.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if value.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

// charClass says what stands at a byte of a prompt.
func charClass(text string, at int) string {
	if at < 0 || at >= len(text) {
		return "end"
	}
	before := text[:at]
	if i := strings.LastIndex(before, "<|"); i >= 0 && !strings.Contains(before[i:], "|>") || strings.HasPrefix(text[at:], "<|") {
		return "marker"
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	switch {
	case value.IsSpace(r):
		return "space"
	case unicode.IsLetter(r):
		return "letter"
	case unicode.IsDigit(r):
		return "digit"
	}
	return "sign"
}
