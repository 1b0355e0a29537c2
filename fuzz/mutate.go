package fuzz

import (
	"slices"
	"unicode/utf8"
)

// mutation breaks a reply at its pieces.
type mutation struct {
	name  string
	apply func(s *Source, pieces []piece) []piece
}

// mutations are the ways in which models, servers and networks damage replies.
var mutations = []mutation{
	{"truncate", func(s *Source, pieces []piece) []piece {
		i := s.N(len(pieces))
		p := pieces[i]
		p.text = beginning(s, p.text)
		return append(pieces[:i:i], p)
	}},
	{"drop", func(s *Source, pieces []piece) []piece {
		i := anyMarker(s, pieces)
		return slices.Delete(pieces, i, i+1)
	}},
	{"double", func(s *Source, pieces []piece) []piece {
		i := anyMarker(s, pieces)
		return slices.Insert(pieces, i, pieces[i])
	}},
	{"swap", func(s *Source, pieces []piece) []piece {
		i, j := anyMarker(s, pieces), anyMarker(s, pieces)
		pieces[i], pieces[j] = pieces[j], pieces[i]
		return pieces
	}},
	{"near miss", func(s *Source, pieces []piece) []piece {
		i := anyMarker(s, pieces)
		pieces[i].text = nearMiss(s, pieces[i].text)
		return pieces
	}},
	{"nest", func(s *Source, pieces []piece) []piece {
		// A marker, or a region from opener to closer, inside any piece.
		from := anyMarker(s, pieces)
		to := from + 1
		if s.OneIn(2) {
			for to < len(pieces) && pieces[to-1].part != closer {
				to++
			}
		}
		inner := slices.Clone(pieces[from:to])
		i := s.N(len(pieces))
		head := beginning(s, pieces[i].text)
		tail := piece{pieces[i].part, pieces[i].text[len(head):]}
		pieces[i].text = head
		return slices.Insert(pieces, i+1, append(inner, tail)...)
	}},
	{"splice", func(s *Source, pieces []piece) []piece {
		// The end of a piece is replaced by the beginning of a marker.
		marker := pieces[anyMarker(s, pieces)].text
		i := s.N(len(pieces))
		pieces[i].text = beginning(s, pieces[i].text) + beginning(s, marker)
		return pieces
	}},
	{"space", func(s *Source, pieces []piece) []piece {
		i := s.N(len(pieces))
		head := beginning(s, pieces[i].text)
		pieces[i].text = head + Pick(s, spaces...) + pieces[i].text[len(head):]
		return pieces
	}},
	{"move", func(s *Source, pieces []piece) []piece {
		i := s.N(len(pieces))
		p := pieces[i]
		pieces = slices.Delete(pieces, i, i+1)
		return slices.Insert(pieces, s.N(len(pieces)+1), p)
	}},
}

// anyMarker chooses a marker; any piece where there is none.
func anyMarker(s *Source, pieces []piece) int {
	var at []int
	for i, p := range pieces {
		if p.part == opener || p.part == closer {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return s.N(len(pieces))
	}
	return at[s.N(len(at))]
}

// nearMiss changes a text by one character.
func nearMiss(s *Source, text string) string {
	runes := []rune(text)
	if len(runes) == 0 {
		return text
	}
	i := s.N(len(runes))
	switch s.N(5) {
	case 0:
		return string(slices.Delete(runes, i, i+1))
	case 1:
		return string(slices.Insert(runes, i, runes[i]))
	case 2:
		if runes[i] < utf8.RuneSelf-1 {
			runes[i]++
		}
	case 3:
		if runes[i]|0x20 >= 'a' && runes[i]|0x20 <= 'z' {
			runes[i] ^= 0x20
		} else {
			runes[i] = ' '
		}
	default:
		runes[i] = []rune(Pick(s, signs...))[0]
	}
	return string(runes)
}

// Mutate damages a generated reply one to four times.
func Mutate(s *Source, in *Input) {
	for n := 1 + s.N(4); n > 0 && len(in.pieces) > 0; n-- {
		m := mutations[s.N(len(mutations))]
		in.pieces = m.apply(s, in.pieces)
		in.trait("mutation=" + m.name)
	}
	in.join()
}

func (in *Input) trait(name string) {
	if i, ok := slices.BinarySearch(in.Traits, name); !ok {
		in.Traits = slices.Insert(in.Traits, i, name)
	}
}
