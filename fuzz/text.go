package fuzz

import (
	"slices"
	"strings"
)

// numbers are texts that readers of numbers disagree on.
var numbers = []string{"7", "0", "-1", "42", "007", "1_000", "+5", "٣", "٣_٤", "１.５", "3.0", "-0", "-0.0", "1e3", "1.5e3", "1e400", "1e-400",
	"9007199254740993", "9007199254740993.0", "12345678901234567890", "1e23", "NaN", "nan", "inf", "-Infinity", "0x10", "1.", ".5", "1__0",
	"_1", "²", "−5", "1e5_0", "true", "True", "FALSE", "1", "yes", "null", "None", "none", "[1]", "{}", `{"a": 1}`, `"x"`, " 7 ", "\x1c7\x1f", "7\u00a0"}

// spaces are characters that one meaning of "space" or another takes for space,
// and some that only look like it.
var spaces = []string{" ", "\n", "\t", "\r\n", "\n\n", "  ", "\r", "\v", "\f", "\x1c", "\x1d", "\x1f", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2028",
	"\u2029", "\u202f", "\u205f", "\u3000", "\u200b", "\ufeff", "\u180e"}

// signs are characters of every plane and of every length in UTF-8, and what
// breaks careless readers.
var signs = []string{"é", "ß", "İ", "ſ", "\u0301", "漢", "字", "\u200d", "👩\u200d💻", "\ufffd", "\ufffe", "\uffff", "\U00010400", "\U0001f600", "\U00020000",
	"\U000e0041", "\U000f0000", "\U0010ffff", "\x00", "\x01", "\x02", "\x7f", "\u0080", "٣", "Ⅷ", "ⓐ", "｜", "▁", "🛑", "ａ"}

// strippable is how many of them strip removes.
var strippable = slices.Index(spaces, "\u200b")

var words = []string{"the", "answer", "is", "a", "Paris", "say", "to", "x", "b", "END", "I", "think", "so", "say", "42"}

// syntax is what several formats are made of.
var syntax = []string{"<", ">", "{", "}", "[", "]", "(", ")", "\"", "'", "\\", "/", "|", ":", ";", "=", ",", "#", "&", "<<", "</", "<|", "|>", "{}", "::", "``",
	`\n`, `\u0041`, `\`, "<a>", "</a>", "<!--", "&lt;", "to=", "--"}

// TextKind is what a piece of generated text is.
type TextKind uint8

// The kinds of text.
const (
	Words TextKind = iota
	Numbers
	Spaces
	Signs
	Syntax
	Near // the beginning of a marker
	textKinds
)

func (k TextKind) String() string {
	return [...]string{"words", "numbers", "spaces", "signs", "syntax", "near markers"}[k]
}

// Text writes a few pieces of text; near are markers of which the beginning may
// be written. seen is told which kinds there were.
func Text(s *Source, near []string, seen func(TextKind)) string {
	var b strings.Builder
	for n := s.N(8); n > 0; n-- {
		kind := TextKind(s.N(int(textKinds)))
		if s.OneIn(2) {
			kind = Words
		}
		if kind == Near && len(near) == 0 {
			kind = Syntax
		}
		seen(kind)
		switch kind {
		case Words:
			if b.Len() > 0 && !s.OneIn(3) {
				b.WriteByte(' ')
			}
			b.WriteString(Pick(s, words...))
		case Numbers:
			b.WriteString(Pick(s, numbers...))
		case Spaces:
			b.WriteString(Pick(s, spaces...))
		case Signs:
			b.WriteString(Pick(s, signs...))
		case Syntax:
			b.WriteString(Pick(s, syntax...))
		case Near:
			b.WriteString(beginning(s, Pick(s, near...)))
		}
	}
	return b.String()
}

// beginning cuts a text after some of its characters, not after the last.
func beginning(s *Source, text string) string {
	runes := []rune(text)
	return string(runes[:s.N(len(runes))])
}
