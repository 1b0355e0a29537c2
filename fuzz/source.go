package fuzz

import "math/rand/v2"

// Source is where a generator's choices come from: a seed, or bytes that a
// fuzzer changes. Of bytes that are used up every choice is the first one, so
// that generators end, and fewer bytes mean a simpler input.
type Source struct {
	rng  *rand.Rand
	data []byte
}

// FromSeed gives an endless source; one seed always gives the same choices.
func FromSeed(seed uint64) *Source {
	return &Source{rng: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

// FromBytes gives the choices that the bytes spell.
func FromBytes(data []byte) *Source { return &Source{data: data} }

// N chooses a number from 0 to n-1.
func (s *Source) N(n int) int {
	if n <= 1 {
		return 0
	}
	if s.rng != nil {
		return s.rng.IntN(n)
	}
	v := 0
	for limit := 1; limit < n && len(s.data) > 0; limit <<= 8 {
		v = v<<8 | int(s.data[0])
		s.data = s.data[1:]
	}
	return v % n
}

// OneIn is true once in n times; never when bytes are used up, unless n is 1.
func (s *Source) OneIn(n int) bool { return s.N(n) == n-1 }

// Pick chooses one of the items.
func Pick[T any](s *Source, items ...T) T { return items[s.N(len(items))] }

// Text chooses the rest of a fuzzer's bytes as they are, "" for a seed.
func (s *Source) Text() string {
	text := string(s.data)
	s.data = nil
	return text
}
