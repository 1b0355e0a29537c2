package campaign

import (
	"context"
	"os"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
)

// Prune leaves only so many entries in the corpus that they reach what all of
// them reached, on every side: again and again the entry that adds most, of
// equals the smallest. That need not be the fewest possible, but no entry that is
// left can be done without. It tells how many are kept, and of how many.
func Prune(ctx context.Context, s *Store, sides []Coverage) (kept, of int, err error) {
	reaches := make([]map[Point]bool, len(s.entries))
	for i, e := range s.entries {
		reaches[i] = map[Point]bool{}
		for _, side := range sides {
			side.Reset()
			points, err := side.Reached(ctx, []corpus.Case{e.c})
			if err != nil {
				return 0, 0, err
			}
			for _, p := range points[0] {
				reaches[i][Point(side.Name())+" "+p] = true
			}
		}
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
	}
	chosen := cover(reaches, func(i int) int { return length(s.entries[i].c) })
	return len(chosen), len(s.entries), s.keep(chosen)
}

// cover chooses sets that together have all points, greedily, and then leaves out
// each that the others make needless. The result is sorted.
func cover(sets []map[Point]bool, size func(i int) int) []int {
	missing := map[Point]int{} // by how many of the chosen it is had; 0 is missing
	for _, set := range sets {
		for p := range set {
			missing[p] = 0
		}
	}
	var chosen []int
	for {
		best, most := -1, 0
		for i, set := range sets {
			n := 0
			for p := range set {
				if missing[p] == 0 {
					n++
				}
			}
			if n > most || n == most && n > 0 && size(i) < size(best) {
				best, most = i, n
			}
		}
		if best < 0 {
			break
		}
		chosen = append(chosen, best)
		for p := range sets[best] {
			missing[p]++
		}
	}
	for _, i := range slices.Clone(chosen) {
		needed := false
		for p := range sets[i] {
			needed = needed || missing[p] == 1
		}
		if !needed {
			chosen = slices.DeleteFunc(chosen, func(j int) bool { return j == i })
			for p := range sets[i] {
				missing[p]--
			}
		}
	}
	slices.Sort(chosen)
	return chosen
}

// keep leaves the chosen entries alone in the corpus. The journal is written anew
// first: after a crash there may be files too many, never one too few.
func (s *Store) keep(chosen []int) error {
	var kept []entry
	lines := campaignLine(s.identity)
	for _, i := range chosen {
		kept = append(kept, s.entries[i])
		lines = append(lines, entryLine(s.entries[i])...)
	}
	lines = append(lines, nextLine(s.next, s.met)...)
	path := s.path(journalName)
	if err := s.disk.replace(path, lines); err != nil {
		return err
	}
	s.log.Close()
	var err error
	if s.log, err = s.disk.append(path); err != nil {
		return &DiskError{path, err}
	}
	for i, e := range s.entries {
		if _, found := slices.BinarySearch(chosen, i); !found {
			if err := os.Remove(s.path(corpusName, hashOf(e.c)+".json")); err != nil {
				return &DiskError{s.path(corpusName), err}
			}
		}
	}
	s.entries = kept
	return nil
}
