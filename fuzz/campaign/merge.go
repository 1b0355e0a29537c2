package campaign

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/finding"
)

// Merged is what a folder took in.
type Merged struct{ Entries, Findings int }

// Merge takes the corpus and the open findings of other folders into a
// campaign's: entries that it has not, and of each signature the finding that is
// stable and has the smaller case. It does not matter in which order the folders
// come. [Prune] leaves out what entries of several shards reach alike.
func Merge(s *Store, dirs ...string) (m Merged, err error) {
	have := map[string]bool{}
	for _, e := range s.entries {
		have[hashOf(e.c)] = true
	}
	own, err := Findings(s.dir)
	if err != nil {
		return m, err
	}
	best := map[finding.Signature]*finding.Finding{}
	for _, f := range own {
		best[f.Signature] = f
	}
	var entries []entry
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, journalName)); err != nil {
			return m, &DiskError{filepath.Join(dir, journalName), err}
		}
		other, err := Open(dir)
		if err != nil {
			return m, err
		}
		found, err := Findings(dir)
		other.Close()
		if err != nil {
			return m, err
		}
		for _, e := range other.entries {
			if hash := hashOf(e.c); !have[hash] {
				have[hash] = true
				entries = append(entries, entry{e.c, -1})
			}
		}
		for signature, n := range other.met {
			s.met[signature] += n
		}
		for _, f := range found {
			if !better(f, best[f.Signature]) {
				continue
			}
			if best[f.Signature] == nil {
				m.Findings++
			}
			best[f.Signature] = f
		}
	}
	for _, signature := range slices.Sorted(maps.Keys(best)) {
		if err := s.writeFinding(best[signature]); err != nil {
			return m, err
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(hashOf(a.c), hashOf(b.c)) })
	m.Entries = len(entries)
	return m, s.advance(s.next, entries, s.met)
}

// better tells whether a finding is kept in the place of another one of its
// signature: the stable one, then the smaller, then the earlier, then that of the
// smaller seed.
func better(f, other *finding.Finding) bool {
	if other == nil {
		return true
	}
	if f.Stable != other.Stable {
		return f.Stable
	}
	if a, b := length(f.Case), length(other.Case); a != b {
		return a < b
	}
	return cmp.Or(cmp.Compare(f.Number, other.Number), cmp.Compare(f.Seed, other.Seed)) < 0
}

func length(c corpus.Case) int {
	text, err := corpus.EncodeOne(c)
	if err != nil {
		return 0
	}
	return len(text)
}
