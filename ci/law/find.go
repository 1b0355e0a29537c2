package law

import (
	"strings"
	"unicode"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// form is how a text stands in a prompt.
type form string

const (
	verbatim form = "as it was sent"
	trimmed  form = "without the white space at its ends"
	escaped  form = "escaped as JSON"
	ascii    form = "escaped as JSON down to ASCII"
	marked   form = "escaped as HTML"
	altered  form = "altered"
)

// place is where a text stands in a prompt, in bytes.
type place struct {
	start, end int
	form       form
}

var htmlEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&#39;", `"`, "&#34;")

// quoted is the text as it stands between the quotes of JSON.
func quoted(text string, s value.Style) string {
	b := value.Append(nil, value.String(text), s)
	return string(b[1 : len(b)-1])
}

// formsOf are the forms in which a template may write a text, the plainest first.
func formsOf(text string) []struct {
	form form
	text string
} {
	bare := value.Strip(text)
	return []struct {
		form form
		text string
	}{
		{verbatim, text}, {escaped, quoted(text, value.ToJSON)}, {marked, htmlEscape.Replace(text)}, {ascii, quoted(text, value.PyDumps)},
		{trimmed, bare}, {escaped, quoted(bare, value.ToJSON)}, {marked, htmlEscape.Replace(bare)}, {ascii, quoted(bare, value.PyDumps)},
	}
}

// find is the first place from a byte on at which a text stands, in whatever form.
// Where it stands in none, its longest word is looked for: then it is altered.
func find(prompt, text string, from int) (place, bool) {
	best, ok := place{}, false
	for _, f := range formsOf(text) {
		if i := strings.Index(prompt[from:], f.text); i >= 0 && (!ok || from+i < best.start) {
			best, ok = place{from + i, from + i + len(f.text), f.form}, true
		}
	}
	if ok {
		return best, true
	}
	word := longestWord(text)
	if i := strings.Index(prompt[from:], word); word != "" && i >= 0 {
		return place{from + i, from + i + len(word), altered}, true
	}
	return place{}, false
}

// longestWord is the longest run of letters and digits, "" where there is none.
func longestWord(text string) string {
	best := ""
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > len(best) {
			best = w
		}
	}
	return best
}

// all are the places of a text in its plainest form that occurs.
func all(prompt, text string) []place {
	for _, f := range formsOf(text) {
		var out []place
		for at := 0; f.text != ""; {
			i := strings.Index(prompt[at:], f.text)
			if i < 0 {
				break
			}
			out = append(out, place{at + i, at + i + len(f.text), f.form})
			at += i + len(f.text)
		}
		if out != nil {
			return out
		}
	}
	return nil
}

// lost tells whether not even the longest word of a text is in a prompt.
func lost(prompt, text string) bool {
	_, ok := find(prompt, text, 0)
	return !ok
}
