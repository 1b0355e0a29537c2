package rx

import (
	"fmt"
	"math/rand"
	"testing"
)

// chains are patterns that leave no choice, with pieces of the texts they are
// about.
var chains = []struct {
	pattern string
	pieces  []string
}{
	{" to=(?P<n>[^<\\s]+)<c> <m>", []string{" to=", "a", "é", "<c>", "<c> <m>", " ", "<", " t"}},
	{"(?:<s> )?to=(?P<n>.+?)<c>(?: x)?<m>", []string{"<s> ", "<s", "to=", "a", "é", "<c>", "<c> x", "<m>", " x", "t"}},
	{"<p n=\"(?P<k>[^\"]+)\">\n?(?P<v>.*?)\n?</p>", []string{"<p n=\"", "k", "\"", "\">", "\n", "v", "</p>", "</", "é"}},
	{"<p=(?P<k>[^>]+?)>(?P<v>.*?)</p>\n?", []string{"<p=", "k", ">", "v", "</p>", "\n", "</p"}},
	{"</t>\\s*", []string{"</t>", "</t", " ", "\n", "\u00a0", "a", "<"}},
	{"(?:xb)?bc", []string{"x", "b", "xb", "bc", "c"}},
	{"<a>(?P<v>.+?)(?:bc)?d", []string{"<a>", "b", "c", "bc", "d", "bcd", "é"}},
	{"<p>\\s*(?P<v>.*?)\\s*</p>", []string{"<p>", " ", "\n", "v", "</p>", "</", "é"}},
	{"<e>\\s*(?:<s>)?", []string{"<e>", "<e", " ", "\u00a0", "<s>", "<s", "a"}},
	{"<p=(?P<k>[^>]+)>(?P<v>.*?)\\s*</p>\\s*", []string{"<p=", "k", ">", "v", "</p>", "\n", "</p", "é"}},
	{"a(?P<e>x+)y?", []string{"a", "x", "y", "z"}},
	{"x\\d*y", []string{"x", "1", "٣", "y", "z"}},
}

// noChains are patterns in whose reading there is a choice.
var noChains = []string{
	"[a-z]+abc", "a|b", "ab?b", "a\n?(?P<v>.+?)b", "a.*", "a.*?", "(?:ab)?ab", "a(?P<e>x+)x?", "a\\s*?(?P<v>.*?)b", "a(?:b(?P<n>c))?d",
	"a.*?b.*?c", "a\\s*.+?b", "a\\s+?(?:b)?", "a\\s*.*?\\s+b", "a\\s*(?:b)?c", "a\\w*.*?b", "a.*?\\w*b", "a\\s*\\d*b", "a[bc]d", "a(?:bd)?.*?bc", "^a", "a$", "a(?=b)", "a+?", "a.*?(?:xb)?b", "a?", "[ab]+", "a{2}b", "(?P<n>a)(?P=n)",
}

func TestChainOnly(t *testing.T) {
	for _, c := range chains {
		if p, err := Compile(c.pattern); err != nil || p.prog.chain == nil {
			t.Errorf("%q is no chain (%v)", c.pattern, err)
		}
	}
	for _, pattern := range noChains {
		if p, err := Compile(pattern); err != nil || p.prog.chain != nil {
			t.Errorf("%q is a chain (%v)", pattern, err)
		}
	}
}

// A chain tells at each moment what the automaton tells.
func TestChainIsAutomaton(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, c := range chains {
		fast, _ := Compile(c.pattern)
		slow, _ := Compile(c.pattern)
		slow.prog.chain = nil
		found, pending := 0, 0
		for range 6000 {
			text := ""
			for range rng.Intn(16) {
				text += c.pieces[rng.Intn(len(c.pieces))]
			}
			a, b := fast.NewScan(), slow.NewScan()
			pos := 0
			for n := 0; ; {
				n = min(len(text), n+1+rng.Intn(5))
				for n < len(text) && text[n]&0xc0 == 0x80 {
					n++
				}
				tx := &Text{S: text[:n], Before: -1, End: n == len(text)}
				limit := n
				if rng.Intn(4) == 0 {
					limit = pos + rng.Intn(n-pos+1)
				}
				a.From(pos)
				b.From(pos)
				if got, want := tell(a, tx, limit), tell(b, tx, limit); got != want {
					t.Fatalf("%q in %q[%d:%d] up to %d: %s, the automaton %s", c.pattern, text, pos, n, limit, got, want)
				}
				switch {
				case a.state == Found:
					found++
					pos = min(n, a.found.Start+rng.Intn(a.found.End-a.found.Start+1))
				case a.state == Pending:
					pending++
					if rng.Intn(8) == 0 {
						pos = min(n, a.live+1)
					}
				}
				for pos < n && text[pos]&0xc0 == 0x80 {
					pos++
				}
				if n == len(text) && (a.state != Found || pos == n) {
					break
				}
			}
		}
		if found < 50 || pending < 50 {
			t.Errorf("%q: only %d matches and %d beginnings", c.pattern, found, pending)
		}
	}
}

func tell(s *Scan, t *Text, limit int) string {
	switch st, _ := s.Run(t, limit); st {
	case Found:
		if s.found.Start > limit {
			return "none"
		}
		return "found " + show(s.p, s.Match())
	case Pending:
		if s.live > limit {
			return "none"
		}
		return fmt.Sprint("pending ", s.live, s.sure)
	}
	return "none"
}
