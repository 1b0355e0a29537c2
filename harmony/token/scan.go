package token

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
)

// Match is an added token that a text spells.
type Match struct {
	ID   ID
	Text harmony.Span // the bytes that spell the token
	// Span is Text with the white space that the token takes along (LStrip,
	// RStrip): the bytes that its id stands for.
	Span harmony.Span
}

// ScanError is a text in which normalized tokens cannot be looked for, because
// the tokenizer's normalizer is not supported on it.
type ScanError struct {
	Path, Kind string // of the normalizer, in tokenizer.json
}

func (e *ScanError) Error() string {
	return fmt.Sprintf("tokenizer.json: %s: the normalizer %s is not supported on this text, so that normalized tokens cannot be found in it", e.Path, e.Kind)
}

// Scan finds the added tokens that a text spells, in order: those that its
// encoding will hold as one id each, whoever wrote them. It finds them as the
// library does: first those that are not normalized, the leftmost and there the
// longest; then, in the text between, those that are. The error is a *ScanError.
//
// Its cost is linear in the text, and it takes no encoder.
func (v *Vocabulary) Scan(text string) ([]Match, error) {
	plain := v.matches(&v.plain, text)
	if len(v.normalized.nodes) == 0 {
		return plain, nil
	}
	var all []Match
	from := 0
	for i := 0; i <= len(plain); i++ {
		to := len(text)
		if i < len(plain) {
			to = int(plain[i].Span.Start)
		}
		if from < to {
			between, err := v.scanNormalized(text[from:to], from)
			if err != nil {
				return nil, err
			}
			all = append(all, between...)
		}
		if i < len(plain) {
			all = append(all, plain[i])
			from = int(plain[i].Span.End)
		}
	}
	return all, nil
}

// scanNormalized finds normalized tokens in a piece of a text that begins at a
// byte of it.
func (v *Vocabulary) scanNormalized(piece string, at int) ([]Match, error) {
	text, source, err := v.normal.text(piece)
	if err != nil {
		return nil, err
	}
	found := v.matches(&v.normalized, text)
	for i := range found {
		for _, s := range []*harmony.Span{&found[i].Text, &found[i].Span} {
			if source != nil {
				s.Start, s.End = int64(source[s.Start]), int64(source[s.End])
			}
			s.Start += int64(at)
			s.End += int64(at)
		}
	}
	return found, nil
}

// matches finds the tokens of a trie in a text.
func (v *Vocabulary) matches(t *trie, text string) []Match {
	var found []Match
	last, from := 0, 0
	for {
		start, end, id, ok := t.find(text, from)
		if !ok {
			return found
		}
		from = end // a token that is passed over takes its bytes along, too
		a := v.addedToken(id)
		if a.SingleWord && (endsWord(text[:start]) || startsWord(text[end:])) {
			continue
		}
		m := Match{ID: id, Text: harmony.Span{Start: int64(start), End: int64(end)}}
		if a.LStrip {
			start = max(len(strings.TrimRightFunc(text[:start], unicode.IsSpace)), last)
		}
		if a.RStrip {
			end = len(text) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
		}
		m.Span = harmony.Span{Start: int64(start), End: int64(end)}
		found = append(found, m)
		last = end
	}
}

// addedToken is the added token of an id.
func (v *Vocabulary) addedToken(id ID) *Added {
	i, _ := slices.BinarySearchFunc(v.added, id, func(a Added, id ID) int { return cmp.Compare(a.ID, id) })
	return &v.added[i]
}

// tries makes what Scan looks with.
func (v *Vocabulary) tries() {
	v.plain, v.normalized = trie{}, trie{}
	for _, a := range v.added {
		if a.Normalized {
			v.normalized.add(v.form(a.ID), a.ID)
		} else {
			v.plain.add(a.Text, a.ID)
		}
	}
}

func endsWord(text string) bool {
	r, n := utf8.DecodeLastRuneInString(text)
	return n > 0 && isWord(r)
}

func startsWord(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return n > 0 && isWord(r)
}

// isWord is \w of Rust's regular expressions (UTS #18, Annex C).
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	}
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control)
}
