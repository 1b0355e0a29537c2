package openai

import "strings"

// mark is a marker as the reader tells them apart.
type mark uint8

const (
	noMark      mark = iota
	partMark         // what is there may still become one
	otherMark        // reserved, unpublished, or of the text's edges: no meaning here
	startMark        // from here on those of the format
	endMark          // and from here on those that
	returnMark       // end a
	callMark         // message
	messageMark      // the end of the header
	channelMark
	constrainMark
)

// markTexts are the markers in order of mark, from startMark on.
var markTexts = [...]string{MarkStart, MarkEnd, MarkReturn, MarkCall, MarkMessage, MarkChannel, MarkConstrain}

// otherTexts are markers without a meaning in a message: those of a text's edges,
// and those that the library has and the public tokenizer does not (the notes, on
// special tokens). No meaning is made up for them.
var otherTexts = [...]string{"<|startoftext|>", "<|endoftext|>", "<|endofprompt|>",
	"<|refusal|>", "<|untrusted|>", "<|end_untrusted|>", "<|meta_end|>"}

// A reserved marker is this, digits, and the end of all markers.
const (
	reservedHead   = "<|reserved_"
	reservedDigits = 6
	markTail       = "|>"
)

// maxMark is the length of the longest marker in bytes.
const maxMark = len(reservedHead) + reservedDigits + len(markTail)

func (m mark) text() string   { return markTexts[m-startMark] }
func (m mark) ends() bool     { return endMark <= m && m <= callMark }
func (m mark) isFormat() bool { return m >= startMark }

// markAt reads the marker at the start of s, which begins with <.
func markAt(s string) (m mark, n int) {
	if len(s) > 1 && s[1] != '|' {
		return noMark, 0
	}
	m = noMark
	for i, text := range markTexts {
		if strings.HasPrefix(s, text) {
			return startMark + mark(i), len(text)
		}
		if strings.HasPrefix(text, s) {
			m = partMark
		}
	}
	for _, text := range otherTexts {
		if strings.HasPrefix(s, text) {
			return otherMark, len(text)
		}
		if strings.HasPrefix(text, s) {
			m = partMark
		}
	}
	if reserved, n := reservedAt(s); reserved != noMark {
		return reserved, n
	}
	return m, 0
}

// reservedAt reads a reserved marker at the start of s.
func reservedAt(s string) (mark, int) {
	if len(s) < len(reservedHead) {
		if strings.HasPrefix(reservedHead, s) {
			return partMark, 0
		}
		return noMark, 0
	}
	if !strings.HasPrefix(s, reservedHead) {
		return noMark, 0
	}
	i := len(reservedHead)
	for ; i < len(s) && i < len(reservedHead)+reservedDigits; i++ {
		if s[i] < '0' || '9' < s[i] {
			return noMark, 0
		}
	}
	switch {
	case i < len(reservedHead)+reservedDigits:
		return partMark, 0
	case strings.HasPrefix(s[i:], markTail):
		return otherMark, maxMark
	case strings.HasPrefix(markTail, s[i:]):
		return partMark, 0
	}
	return noMark, 0
}

// nextMark finds the first marker in s, or what may become one: m is noMark where
// there is none, at is then len(s).
func nextMark(s string) (m mark, at, n int) {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '<')
		if i < 0 {
			return noMark, len(s), 0
		}
		from += i
		if m, n := markAt(s[from:]); m != noMark {
			return m, from, n
		}
		from++
	}
}
