package rx

import "strings"

// head is the text that every match begins with.
type head struct {
	text string
	rare int // the offset of its rarest byte, by which it is searched
}

// usual are the bytes of prose and code, roughly from the frequent to the rare.
// A byte that is not among them is rarer.
const usual = " etaoinsrhldcumpfgyw\nbv,.k-x\"'/()0123456789jqz:;SCATIMPEBRDLNFWHGOVUKJYQZX*_=>{}[]<"

func newHead(text string) head {
	h := head{text: text}
	rarity := func(i int) int {
		if k := strings.IndexByte(usual, text[i]); k >= 0 {
			return k
		}
		return len(usual)
	}
	for i := range len(text) {
		if rarity(i) > rarity(h.rare) {
			h.rare = i
		}
	}
	return h
}

// index gives the first position of the whole text in s, -1 where there is none.
func (h *head) index(s string) int {
	b := h.text[h.rare]
	for i := h.rare; i < len(s); i++ {
		k := strings.IndexByte(s[i:], b)
		if k < 0 {
			return -1
		}
		i += k
		if strings.HasPrefix(s[i-h.rare:], h.text) {
			return i - h.rare
		}
	}
	return -1
}

// find gives the first position up to limit at which the text begins, or may
// begin when more follows; -1 where there is none. seen is how much of s it
// looked at.
func (h *head) find(s string, limit int) (at, seen int) {
	n := len(h.text)
	part := s
	if limit < len(s)-n {
		part = s[:limit+n]
	}
	if i := h.index(part); i >= 0 {
		return i, i + n
	}
	if len(part) == len(s) {
		for i := max(0, len(s)-n+1); i < len(s); i++ {
			if s[i] == h.text[0] && strings.HasPrefix(h.text, s[i:]) {
				return i, len(s)
			}
		}
	}
	return -1, len(part)
}

// find gives the first position up to limit at which a match may begin: by its
// head, or without one by its first byte.
func find(s string, limit int, h *head, first *[256]bool) (at, seen int) {
	if h.text != "" {
		return h.find(s, limit)
	}
	return findByte(s, limit, first)
}

// findByte gives the first position up to limit of a byte that is in set.
func findByte(s string, limit int, set *[256]bool) (at, seen int) {
	if limit < len(s)-1 {
		s = s[:limit+1]
	}
	for i := range len(s) {
		if set[s[i]] {
			return i, i + 1
		}
	}
	return -1, len(s)
}
