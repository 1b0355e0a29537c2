package rx

import (
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestStarts(t *testing.T) {
	literals := []*Pattern{Literals("<|end|>", "</x>"), nil}
	for _, c := range []struct {
		what     string
		patterns []*Pattern
		text     string
		clear    int
		waits    bool // for what follows the last byte
	}{
		{"no start", literals, "abcdefghi\n", 10, false},
		{"a start and what may not follow it", literals, "a < b, <<a", 10, false},
		{"a start and what may", literals, "abcdef<|x", 6, false},
		{"the other literal's", literals, "abcd</", 4, false},
		{"a start at the end", literals, "abcd<", 4, true},
		{"a start alone", literals, "<", 0, true},
		{"two starts at the end", literals, "ab<<", 3, true},
		{"Han", literals, "用户<要", 10, false},
		{"two and four bytes", literals, "é😀<", 6, true},
		{"not UTF-8", literals, "abcde\xffabc", 5, false},
		{"not UTF-8 in three bytes", literals, "用\xe7\x94a", 3, false},
		{"a character cut off", literals, "abcd用"[:6], 4, false},
		{"a surrogate", literals, "abcd\xed\xa0\x80", 4, false},
		{"a start of one byte", []*Pattern{Literals("<x>", ";")}, "ab<", 2, false},
		{"two kinds of start", []*Pattern{Literals("<x>"), Literals("::")}, "a:<b: c:", 7, true},
		{"a pattern", []*Pattern{compiled(t, ` to=(?P<n>\w+)!`)}, "he went to", 7, false},
		{"a pattern that begins with a class", []*Pattern{compiled(t, `[ab]x`)}, "ccccacc", 4, false},
		{"a start that is not ASCII", []*Pattern{Literals("｜x｜")}, "ab，c｜", 6, false},
	} {
		s := NewStarts(c.patterns...)
		if got := s.Clear(c.text); got != c.clear {
			t.Errorf("%s: %q is clear to %d, not %d", c.what, c.text, got, c.clear)
		} else if waits := got == len(c.text)-1 && s.Waits(c.text); waits != c.waits {
			t.Errorf("%s: %q waits is %t", c.what, c.text, waits)
		}
	}
	if NewStarts(literals[0], compiled(t, "a?")) != nil {
		t.Error("a match that may begin without a byte")
	}
}

func compiled(t *testing.T, pattern string) *Pattern {
	p, err := Compile(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Where text is clear, no match begins, whatever follows.
func TestStartsMissNothing(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	pieces := []string{"<", "|", "<x", "x>", "a", "b", " ", "用", "é", "｜", "abcd", "\xe7"}
	clear, held := 0, 0
	for range 20000 {
		write := func(n int) string {
			var b strings.Builder
			for range n {
				b.WriteString(pieces[rng.Intn(len(pieces))])
			}
			return b.String()
		}
		var texts []string
		for range 1 + rng.Intn(3) {
			texts = append(texts, write(1+rng.Intn(3)))
		}
		text := write(rng.Intn(8))
		n := NewStarts(Literals(texts...)).Clear(text)
		if !utf8.ValidString(text[:n]) {
			t.Fatalf("%q is clear to %d", text, n)
		}
		for i := range n {
			for _, literal := range texts {
				if k := min(len(literal), len(text)-i); literal[:k] == text[i:i+k] {
					t.Fatalf("%q is clear to %d, but %q may begin at %d", text, n, literal, i)
				}
			}
		}
		if n == len(text) {
			clear++
		} else {
			held++
		}
	}
	if clear < 2000 || held < 2000 {
		t.Errorf("%d texts are clear, %d are not", clear, held)
	}
}
