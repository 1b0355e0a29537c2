package coverage

import (
	"maps"
	"slices"
)

// Set is a set of points. The zero value is empty and takes none; make one with
// [NewSet]. It is not safe for several goroutines at once.
type Set map[Point]struct{}

// NewSet makes a set of points.
func NewSet(points ...Point) Set {
	s := make(Set, len(points))
	s.Add(points...)
	return s
}

// Has tells whether a point is in the set.
func (s Set) Has(p Point) bool {
	_, ok := s[p]
	return ok
}

// New gives the points that the set lacks, in their order.
func (s Set) New(points ...Point) []Point {
	var out []Point
	for _, p := range points {
		if !s.Has(p) {
			out = append(out, p)
		}
	}
	return out
}

// Add puts points in and gives those that were new, in their order.
func (s Set) Add(points ...Point) []Point {
	var out []Point
	for _, p := range points {
		if !s.Has(p) {
			s[p] = struct{}{}
			out = append(out, p)
		}
	}
	return out
}

// Merge adds another set and gives how many points were new.
func (s Set) Merge(other Set) int {
	before := len(s)
	maps.Copy(s, other)
	return len(s) - before
}

// Missing gives what of another set this one lacks, in the order of [Compare].
func (s Set) Missing(of Set) []Point {
	return slices.DeleteFunc(of.Points(), s.Has)
}

// Points gives all points in the order of [Compare].
func (s Set) Points() []Point { return slices.SortedFunc(maps.Keys(s), Compare) }
