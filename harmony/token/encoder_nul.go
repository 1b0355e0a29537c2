//go:build tokenizers && cgo

package token

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/daulet/tokenizers"

	"github.com/beamdiff/beamdiff/harmony"
)

// The library takes text as a C string, which ends at its first NUL; Python's
// text does not. A text with NULs is therefore given with a stand-in for each, to
// a second tokenizer whose normalizer first turns the stand-in back. Every step
// behind it then sees the text as it is, and each NUL keeps the stand-in's place.
//
// The steps before it only look for added tokens. To them the stand-in, which is
// neither a letter nor a space nor in an added token, is what a NUL is.

// nul is the second tokenizer, made with the first text that needs it and kept
// for as long as its stand-in serves.
type nul struct {
	mu      sync.Mutex
	library *tokenizers.Tokenizer
	standIn rune
}

func (n *nul) close() {
	if n.library != nil {
		n.library.Close()
		n.library = nil
	}
}

// encodeNUL encodes a text with NULs. One such text is encoded at a time.
func (e *encoder) encodeNUL(text string) (Encoding, error) {
	n := &e.nul
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.prepare(e.parts, e.added, text); err != nil {
		return Encoding{}, err
	}
	given := strings.ReplaceAll(text, "\x00", string(n.standIn))
	got, err := e.encode(n.library, given)
	if err != nil {
		return Encoding{}, err
	}
	var starts []int // of the stand-ins in the given text
	more := utf8.RuneLen(n.standIn) - 1
	for i := range len(text) {
		if text[i] == 0 {
			starts = append(starts, i+len(starts)*more)
		}
	}
	back := func(at int64) int64 {
		return at - int64(more*sort.SearchInts(starts, int(at)))
	}
	for i, o := range got.Offsets {
		got.Offsets[i] = harmony.Span{Start: back(o.Start), End: back(o.End)}
	}
	return got, nil
}

// prepare has the tokenizer ready, with a stand-in that is not in the text.
func (n *nul) prepare(p parts, added []string, text string) error {
	has := func(r rune) bool {
		return strings.ContainsRune(text, r) ||
			slices.ContainsFunc(added, func(token string) bool { return strings.ContainsRune(token, r) })
	}
	if n.library != nil && !has(n.standIn) {
		return nil
	}
	if slices.ContainsFunc(added, func(token string) bool { return strings.ContainsRune(token, 0) }) {
		return &EncodeError{"it holds a NUL, and so does an added token of the tokenizer"}
	}
	n.close()
	for n.standIn = firstStandIn; has(n.standIn); n.standIn++ {
		switch n.standIn {
		case lastNever:
			n.standIn = firstPrivate - 1
		case lastPrivate:
			return &EncodeError{"it holds a NUL, and every character that could stand for one"}
		}
	}
	changed := maps.Clone(p)
	back := `{"type":"Replace","pattern":{"String":"` + string(n.standIn) + `"},"content":"\u0000"}`
	if own := p["normalizer"]; len(own) > 0 && string(own) != "null" {
		back = `{"type":"Sequence","normalizers":[` + back + `,` + string(own) + `]}`
	}
	changed.set("normalizer", back)
	var err error
	if n.library, err = tokenizers.FromBytes(changed.join()); err != nil {
		return &EncodeError{"it holds a NUL, and the tokenizer cannot be changed for that: " + err.Error()}
	}
	return nil
}

// Stand-ins are the code points that Unicode says will never be characters, then
// those for private use.
const (
	firstStandIn = 0xfdd0
	lastNever    = 0xfdef
	firstPrivate = 0xf0000
	lastPrivate  = 0x10fffd
)
