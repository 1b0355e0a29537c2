package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// contextBytes is how much of a text is shown on each side of a difference.
const contextBytes = 40

// Visible writes text so that every character of it can be seen and no two
// texts look the same: a space is ·, what prints nothing or sticks to its
// neighbour is an escape (\n, \t, \u00a0, \u200b, a lone surrogate \ud800, a
// byte outside UTF-8 \xff), and so are a backslash and · themselves. Markers
// such as <|start|> stay as they are.
func Visible(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := value.DecodeWTF8(text[i:])
		if r == utf8.RuneError && size == 1 {
			b.WriteString(`\x`)
			b.WriteByte(hexDigits[text[i]>>4])
			b.WriteByte(hexDigits[text[i]&15])
			i++
			continue
		}
		writeVisible(&b, r)
		i += size
	}
	return b.String()
}

// Printable writes as an escape whatever is not UTF-8, is no character of XML, or
// would be obeyed by a terminal or turn the text around it (U+202E); line breaks
// and tabs stay.
func Printable(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := value.DecodeWTF8(text[i:])
		switch {
		case r == utf8.RuneError && size == 1, 0xd800 <= r && r <= 0xdfff:
			b.WriteString(Visible(text[i : i+size]))
		case obeyed(r):
			writeVisible(&b, r)
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// obeyed tells whether r does something to the text around it, or is nothing that
// a report may hold.
func obeyed(r rune) bool {
	switch r {
	case '\n', '\t':
		return false
	case 0x2028, 0x2029, 0xfffe, 0xffff: // separators of lines; no characters of XML
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

const hexDigits = "0123456789abcdef"

func writeVisible(b *strings.Builder, r rune) {
	switch {
	case r == ' ':
		b.WriteRune('·')
	case r == '\\':
		b.WriteString(`\\`)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r > 0xffff && !seen(r):
		b.WriteString(`\U`)
		for shift := 28; shift >= 0; shift -= 4 {
			b.WriteByte(hexDigits[r>>shift&15])
		}
	case !seen(r):
		b.WriteString(`\u`)
		for shift := 12; shift >= 0; shift -= 4 {
			b.WriteByte(hexDigits[r>>shift&15])
		}
	default:
		b.WriteRune(r)
	}
}

// seen tells whether r prints something of its own. Combining marks do not:
// they join the character before, and é is then two texts that look alike.
func seen(r rune) bool {
	switch r {
	case '·', 0x115f, 0x1160, 0x3164, 0xffa0, 0x2800: // the escape itself; fillers; blank Braille
		return false
	}
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Mn, unicode.Me)
}

// Window is the text around byte at, about contextBytes on each side and never
// less than whole characters, made visible. An ellipsis says that there is more.
func Window(text string, at int) string { return clip(text, at, Visible) }

// clip is the text around byte at, as show writes it.
func clip(text string, at int, show func(string) string) string {
	from, to := max(0, at-contextBytes), min(len(text), at+contextBytes)
	for from > 0 && continues(text, from) {
		from--
	}
	for to < len(text) && continues(text, to) {
		to++
	}
	out := show(text[from:to])
	if from > 0 {
		out = "…" + out
	}
	if to < len(text) {
		out += "…"
	}
	return out
}

// continues tells whether byte i stands inside a character.
func continues(text string, i int) bool { return text[i]&0xc0 == 0x80 }

// FirstDifference is the offset of the first byte in which a and b differ; the
// shorter length where one begins the other.
func FirstDifference(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
