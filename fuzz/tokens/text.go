package tokens

import (
	"strings"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// ranges are characters that patterns, normalizers and vocabularies treat apart:
// the first and the last of each.
var ranges = [][2]rune{
	{0x00, 0x1f}, {0x20, 0x7e}, {0x7f, 0xa0}, {0xa1, 0x24f}, // controls, ASCII, Latin
	{0x300, 0x36f}, {0x483, 0x489}, {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}, {0xe0100, 0xe01ef}, // marks, variation selectors
	{0x370, 0x3ff}, {0x400, 0x52f}, {0x590, 0x6ff}, {0x900, 0x9ff}, {0xe00, 0xe7f}, // scripts with and without case
	{0x1100, 0x11ff}, {0xac00, 0xd7a3}, {0x3040, 0x30ff}, {0x4e00, 0x9fff}, {0x20000, 0x2a6df}, // composed and not
	{0x2000, 0x206f}, {0x2150, 0x218f}, {0x3000, 0x303f}, {0xff00, 0xffef}, // spaces, numbers, forms of other width
	{0x10400, 0x1044f}, {0x1d400, 0x1d7ff}, {0x1f300, 0x1faff}, {0x1f1e6, 0x1f1ff}, // beyond the first plane
	{0xe000, 0xe0ff}, {0xfdd0, 0xfdef}, {0xfff0, 0xffff}, {0xf0000, 0xf00ff}, {0x10ff00, 0x10ffff}, {0xe0000, 0xe007f}, // no characters
}

// joints are texts that patterns of vocabularies split in ways of their own.
var joints = []string{"'s", "'LL", "’re", "don't", "I'M", "\r\n", "\n\n", " \n ", "  ", "\t\t", "\u00a0", "\u3000", "123", "1234567", "3.14", "x1y2",
	"e\u0301", "\u0301", "\u0301\u0301", "👩\u200d💻", "🇫🇷", "ﬁ", "ǆ", "İ", "ß", "ſ", "ΐ", "\u1e9b\u0323", "한", "\u1112\u1161\u11ab", "▁", " ▁", "Ġ", "<0x00>",
	"\x00", "\x00\x00", "a\x00b", "...", "=====", "{\"a\":", "</", "http://a.b/c?d=e", "_x", "CamelCaseWord", "ALLCAPS"}

// Text makes a text of a few pieces. added are the texts of added tokens.
func Text(s *fuzz.Source, added []string) string {
	var b strings.Builder
	for n := 1 + s.N(8); n > 0; n-- {
		switch s.N(8) {
		case 0:
			b.WriteString(fuzz.Text(s, added, func(fuzz.TextKind) {}))
		case 1, 2:
			for n := 1 + s.N(6); n > 0; n-- {
				b.WriteRune(character(s))
			}
		case 3, 4:
			b.WriteString(fuzz.Pick(s, joints...))
		case 5: // an added token, or its edge and the next one
			if len(added) > 0 {
				a := fuzz.Pick(s, added...)
				b.WriteString(fuzz.Pick(s, "", "", " ", "\n", "a", "<", "é"))
				b.WriteString(a[:len(a)-s.N(2)*s.N(len(a))])
				b.WriteString(fuzz.Pick(s, "", "", " ", "  ", "\n", "a", ">"))
			}
		case 6: // a run
			length := 1 + s.N(40)
			if s.OneIn(8) {
				length = 1 + s.N(3000)
			}
			b.WriteString(strings.Repeat(string(character(s)), length))
		case 7:
			b.WriteString(fuzz.Pick(s, "the", " the", "Hello", " Paris", " analysis", "assistant", " 42"))
		}
	}
	return strings.ToValidUTF8(b.String(), "")
}

// character gives one of any range, or of ASCII.
func character(s *fuzz.Source) rune {
	if s.OneIn(4) {
		return rune(0x20 + s.N(0x5f))
	}
	r := fuzz.Pick(s, ranges...)
	return r[0] + rune(s.N(int(r[1]-r[0])+1))
}

// template writes the contents as they are; those of the assistant are what the
// model wrote.
const template = `{% for m in messages %}{% if m.role == "assistant" %}{% generation %}{{ m.content }}{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}`

// Case is a mask case of a text, which is cut into up to five turns anywhere
// between two characters; the template is its own.
func Case(s *fuzz.Source, text string) *value.Object {
	var messages []value.Value
	assistant := s.OneIn(2)
	turn := func(content string) {
		role := "user"
		if assistant {
			role = "assistant"
		}
		assistant = !assistant
		messages = append(messages, value.Members(value.Member{Name: "role", Value: value.String(role)}, value.Member{Name: "content", Value: value.String(content)}))
	}
	runes := []rune(text)
	for n := s.N(5); n > 0 && len(runes) > 0; n-- {
		at := s.N(min(len(runes), 12)) // often inside a token
		turn(string(runes[:at]))
		runes = runes[at:]
	}
	turn(string(runes))
	c := value.NewObject(2)
	c.Set("messages", value.List(messages...))
	c.Set("chat_template", value.String(template))
	return c
}

// Lengths is a case with the arguments of encoding drawn at random: truncation
// and padding, and where safe is set sanitising too, which masks cannot have.
func Lengths(s *fuzz.Source, c *value.Object, safe bool) *value.Object {
	out := value.NewObject(c.Len() + 3)
	for name, v := range c.All() {
		out.Set(name, v)
	}
	if safe && s.OneIn(2) {
		out.Set("sanitize_control_tokens", value.Bool(true))
	}
	if s.OneIn(2) {
		out.Set("truncation", value.Bool(!s.OneIn(4)))
	}
	if s.OneIn(2) {
		out.Set("padding", fuzz.Pick(s, value.Bool(true), value.Bool(false), value.String("max_length"), value.String("longest"), value.String("do_not_pad")))
	}
	if !s.OneIn(4) {
		out.Set("max_length", value.Int(int64(fuzz.Pick(s, 0, 1, 7, s.N(100), s.N(1000), 5000))))
	}
	return out
}
