package corpus

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/harmony/value"
)

var indexTexts = []string{
	"", "a", "abc", "é", "aé東😀z", "\xed\xa0\x80", "a\xed\xb0\x80b", "\xed\xa0\x80\xed\xb0\x80", "😀\xed\xa0\xbd😀", "\xff\xe9", "\xed\xa0", "a\xcc\x81", "\u0000",
}

// Every character and every byte of every text, forwards, backwards and in
// jumps, against the text taken apart.
func TestIndex(t *testing.T) {
	for _, text := range indexTexts {
		starts := []int{0} // of each character, and the end
		for at := 0; at < len(text); {
			at += firstLen(text[at:])
			starts = append(starts, at)
		}
		n := len(starts) - 1
		if want := value.Len(text); n != want && !strings.Contains(text, "\xff") && text != "\xed\xa0" {
			t.Errorf("%q: %d characters, want %d", text, n, want)
		}
		x := NewIndex(text)
		for _, order := range [][2]int{{0, 1}, {n, -1}, {0, 2}, {n / 2, 1}, {0, 1}} {
			for char := order[0]; 0 <= char && char <= n; char += order[1] {
				if b, ok := x.Byte(char); !ok || b != starts[char] {
					t.Errorf("%q: Byte(%d) = %d, %v, want %d", text, char, b, ok, starts[char])
				}
			}
		}
		for _, forward := range []bool{true, false} {
			for i := 0; i <= len(text); i++ {
				offset := i
				if !forward {
					offset = len(text) - i
				}
				want, inside := 0, false
				for want < n && starts[want] < offset {
					want++
				}
				inside = starts[want] != offset
				if c, ok := x.Char(offset); c != want || ok == inside {
					t.Errorf("%q: Char(%d) = %d, %v, want %d, %v", text, offset, c, ok, want, !inside)
				}
			}
		}
		for _, beyond := range []int{-1, n + 1, 1 << 40} {
			if b, ok := x.Byte(beyond); ok {
				t.Errorf("%q: Byte(%d) = %d", text, beyond, b)
			}
		}
		for _, beyond := range []int{-1, len(text) + 1} {
			if c, ok := x.Char(beyond); ok {
				t.Errorf("%q: Char(%d) = %d", text, beyond, c)
			}
		}
	}
}

// Questions that go forward cost one pass in all: 64 times the text would
// take 4096 times as long if each question began at the start.
func TestIndexIsLinear(t *testing.T) {
	const small, times = 250, 64
	pass := func(n int) time.Duration {
		text, least := strings.Repeat("aé東😀", n), time.Duration(math.MaxInt64)
		for range 5 {
			x := NewIndex(text)
			start := time.Now()
			for char := range value.Len(text) {
				b, _ := x.Byte(char)
				if c, ok := x.Char(b); c != char || !ok {
					t.Fatalf("character %d is byte %d is character %d", char, b, c)
				}
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	if ratio := float64(pass(small*times)) / float64(pass(small)); ratio > 16*times {
		t.Errorf("%d times the text takes %.0f times as long", times, ratio)
	}
	x := NewIndex(strings.Repeat("aé東😀", 100))
	if n := testing.AllocsPerRun(10, func() { x.Byte(5); x.Char(100) }); n != 0 {
		t.Errorf("a question allocates %v times", n)
	}
}
