package ci

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
			b.WriteByte(hex[text[i]>>4])
			b.WriteByte(hex[text[i]&15])
			i++
			continue
		}
		writeVisible(&b, r)
		i += size
	}
	return b.String()
}

// printable is text with all that a terminal would obey as an escape; line
// breaks and tabs stay.
func printable(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := value.DecodeWTF8(text[i:])
		switch {
		case r == utf8.RuneError && size == 1, 0xd800 <= r && r <= 0xdfff:
			b.WriteString(Visible(text[i : i+size]))
		case unicode.IsControl(r) && r != '\n' && r != '\t':
			writeVisible(&b, r)
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

const hex = "0123456789abcdef"

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
			b.WriteByte(hex[r>>shift&15])
		}
	case !seen(r):
		b.WriteString(`\u`)
		for shift := 12; shift >= 0; shift -= 4 {
			b.WriteByte(hex[r>>shift&15])
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

// window is the text around byte at, about contextBytes on each side and never
// less than whole characters, made visible. An ellipsis says that there is more.
func window(text string, at int) string { return clip(text, at, Visible) }

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

// firstDifference is the offset of the first byte in which a and b differ; the
// shorter length where one begins the other.
func firstDifference(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// short is v as json.dumps writes it, cut for one line of a report.
func short(v value.Value) string {
	text := value.Dumps(v)
	if len(text) > 2*contextBytes {
		return text[:2*contextBytes] + "…"
	}
	return text
}
