package checkpoint

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Literals gives the texts that a Jinja template itself brings: what stands
// outside its tags, and the strings inside them. Tags and white space are as
// Transformers has them: trim_blocks and lstrip_blocks are on, and there are no
// line statements. Of a template that is no valid one they are no more than a
// guess.
func Literals(template string) []string {
	l := literals{text: strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(template)}
	l.text = strings.TrimSuffix(l.text, "\n")
	for l.at < len(l.text) {
		l.data()
	}
	return l.found
}

type literals struct {
	text  string
	at    int
	found []string
}

func (l *literals) add(text string) {
	if text != "" {
		l.found = append(l.found, text)
	}
}

// data reads what stands before the next tag, and that tag.
func (l *literals) data() {
	rest := l.text[l.at:]
	open := -1
	for i := 0; i+1 < len(rest); i++ {
		if rest[i] == '{' && strings.IndexByte("%{#", rest[i+1]) >= 0 {
			open = i
			break
		}
	}
	if open < 0 {
		l.add(rest)
		l.at = len(l.text)
		return
	}
	kind := rest[open+1]
	body := rest[open+2:]
	l.add(l.before(rest[:open], body, kind != '{'))
	l.at += open + 2 + len(sign(body))
	switch kind {
	case '#':
		l.skipTo("#}", true)
	case '{':
		l.tag("}}", false)
	default:
		if name, ok := strings.CutPrefix(strings.TrimLeftFunc(l.text[l.at:], value.IsSpace), "raw"); ok && l.isEnd(name) {
			l.raw()
			return
		}
		l.tag("%}", true)
	}
}

// space is what may stand between two strings of a tag.
const space = " \t\n\r\v\f"

// sign is the - or + with which a tag begins.
func sign(body string) string {
	if body != "" && (body[0] == '-' || body[0] == '+') {
		return body[:1]
	}
	return ""
}

// before is the data in front of a tag: its white space goes with a -, and that
// of the tag's own line in front of a block.
func (l *literals) before(data, body string, block bool) string {
	switch s := sign(body); {
	case s == "-":
		return strings.TrimRightFunc(data, value.IsSpace)
	case s == "" && block:
		line := strings.LastIndexByte(data, '\n') + 1
		starts := line > 0 || l.at == 0 || l.text[l.at-1] == '\n'
		if starts && blank(data[line:]) {
			return data[:line]
		}
	}
	return data
}

// isEnd tells whether a tag ends here, but for white space.
func (l *literals) isEnd(rest string) bool {
	rest = strings.TrimLeftFunc(rest, value.IsSpace)
	return strings.HasPrefix(rest, "%}") || strings.HasPrefix(rest, "-%}") || strings.HasPrefix(rest, "+%}")
}

// skipTo goes behind the next end, which may take white space along.
func (l *literals) skipTo(end string, block bool) {
	i := strings.Index(l.text[l.at:], end)
	if i < 0 {
		l.at = len(l.text)
		return
	}
	l.at += i
	l.end(end, block)
}

// end goes behind the end that stands here: with a - in front of it behind the
// white space, a block's without a + behind a line break.
func (l *literals) end(end string, block bool) {
	before := byte(0)
	if l.at > 0 {
		before = l.text[l.at-1]
	}
	l.at += len(end)
	switch rest := l.text[l.at:]; {
	case before == '-':
		l.at = len(l.text) - len(strings.TrimLeftFunc(rest, value.IsSpace))
	case block && before != '+' && strings.HasPrefix(rest, "\n"):
		l.at++
	}
}

// raw reads the data of a raw block.
func (l *literals) raw() {
	l.skipTo("%}", false)
	for from := l.at; ; {
		i := strings.Index(l.text[l.at:], "{%")
		if i < 0 {
			l.add(l.text[from:])
			l.at = len(l.text)
			return
		}
		open := l.at + i
		body := l.text[open+2:]
		l.at = open + 2 + len(sign(body))
		name, ok := strings.CutPrefix(strings.TrimLeftFunc(l.text[l.at:], value.IsSpace), "endraw")
		if ok && l.isEnd(name) {
			at := l.at
			l.at = from
			l.add(l.before(l.text[from:open], body, true))
			l.at = at
			l.skipTo("%}", true)
			return
		}
	}
}

// tag reads the strings of a tag. Strings that stand side by side are one.
func (l *literals) tag(end string, block bool) {
	depth, joined := 0, false
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case depth == 0 && strings.HasPrefix(l.text[l.at:], end):
			l.end(end, block)
			return
		case c == '\'' || c == '"':
			text := l.quoted(c)
			if last := len(l.found) - 1; joined && last >= 0 {
				l.found[last] += text
			} else {
				l.found = append(l.found, text)
			}
			joined = true
			continue
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
		joined = joined && strings.IndexByte(space, c) >= 0
		l.at++
	}
}

// quoted reads a string.
func (l *literals) quoted(quote byte) string {
	from := l.at + 1
	for l.at = from; l.at < len(l.text) && l.text[l.at] != quote; l.at++ {
		if l.text[l.at] == '\\' {
			l.at++
		}
	}
	text := l.text[from:min(l.at, len(l.text))]
	l.at = min(l.at+1, len(l.text))
	return unescape(text)
}

// unescape reads a text as Python's codec unicode-escape does; what is no escape
// stays as it is.
func unescape(text string) string {
	var b strings.Builder
	for {
		plain, rest, ok := strings.Cut(text, `\`)
		b.WriteString(plain)
		if !ok {
			return b.String()
		}
		s, n := escape(rest)
		b.WriteString(s)
		text = rest[n:]
	}
}

// escapes are the letters that stand for one character each.
var escapes = map[byte]string{'\n': "", '\\': `\`, '\'': `'`, '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v"}

// escape gives the character of an escape, without its backslash, and the
// escape's length.
func escape(text string) (string, int) {
	if text == "" {
		return `\`, 0
	}
	if s, ok := escapes[text[0]]; ok {
		return s, 1
	}
	if digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[0]]; digits > 0 && len(text) > digits {
		if n, err := strconv.ParseUint(text[1:1+digits], 16, 32); err == nil && n <= utf8.MaxRune {
			return string(rune(n)), 1 + digits
		}
	}
	n := 0
	for n < 3 && n < len(text) && '0' <= text[n] && text[n] <= '7' {
		n++
	}
	if code, err := strconv.ParseUint(text[:n], 8, 32); err == nil {
		return string(rune(code)), n
	}
	return `\`, 0
}
