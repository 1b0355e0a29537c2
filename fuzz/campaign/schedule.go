package campaign

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/finding"
)

// Shard is one of several campaigns that share the numbers of one: the Index-th
// of Of, from 1. The zero Shard is the only one.
type Shard struct{ Index, Of int }

// ParseShard reads "i/n". "" is the only shard.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{1, 1}, nil
	}
	i, n, ok := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || index < 1 || index > of {
		return Shard{}, fmt.Errorf("a shard is i/n, such as 1/4: the i-th of n, from 1; not %q", text)
	}
	return Shard{index, of}, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", max(s.Index, 1), max(s.Of, 1)) }

// number is the place in the whole campaign of this shard's case k.
func (s Shard) number(k int) int { return max(s.Index, 1) - 1 + k*max(s.Of, 1) }

// mutated is the name of what changes an entry of the corpus.
const mutated = "mutation"

// schedule makes the case of each number.
type schedule struct {
	seed       uint64
	generators []Generator
	weights    int
	seeds      []corpus.Case // entries that are always there
}

// tries is how often a number may try to make a case that can be written down
// and read back.
const tries = 8

// make makes the case of a number, given the entries that the corpus had when
// its round began. made is the name of the generator.
func (s *schedule) make(number int, entries []corpus.Case) (c corpus.Case, made string) {
	choices := fuzz.FromSeed(mix(s.seed, uint64(number)))
	pool := len(s.seeds) + len(entries)
	pick := func() corpus.Case {
		// Entries that this campaign found count for more than what it began with.
		if n := len(entries); n > 0 && (len(s.seeds) == 0 || !choices.OneIn(4)) {
			return entries[choices.N(n)]
		}
		return s.seeds[choices.N(len(s.seeds))]
	}
	for range tries {
		if pool > 0 && (choices.OneIn(4) || len(entries) > 0 && choices.OneIn(2)) {
			c, made = mutate(choices, pick(), pick), mutated
		} else {
			g := s.generator(choices)
			c, made = g.Make(choices), g.Name
		}
		if c = finding.Name(c); finding.Valid(c) {
			return c, made
		}
	}
	return corpus.Case{}, ""
}

func (s *schedule) generator(choices *fuzz.Source) Generator {
	n := choices.N(s.weights)
	for _, g := range s.generators {
		if n -= g.Weight; n < 0 {
			return g
		}
	}
	return s.generators[len(s.generators)-1]
}

// mix makes a seed of a seed and a number (the finalizer of SplitMix64).
func mix(seed, number uint64) uint64 {
	x := seed + (number+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
