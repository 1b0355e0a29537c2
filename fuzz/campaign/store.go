package campaign

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// The names in a campaign's folder.
const (
	journalName  = "journal"
	corpusName   = "corpus"   // entries, by the hash in their id
	findingsName = "findings" // findings that are open, by their id
	closedName   = "closed"   // findings that no longer differ
	lockName     = "lock"
)

// Store is the folder of a campaign. One campaign at a time has it.
type Store struct {
	dir  string
	disk disk
	lock *flock.Flock
	log  file // the journal, open at its end

	identity string // of the campaign that the journal goes on with
	next     int    // its first case that is not done
	entries  []entry
	met      map[finding.Signature]int
}

// entry is a case of the grown corpus.
type entry struct {
	c corpus.Case
	// at is the case of the shard that it was, counted from 0; -1 for one that was
	// there when the campaign began.
	at int
}

// BusyError is a folder that another campaign is using.
type BusyError struct{ Dir string }

func (e *BusyError) Error() string {
	return fmt.Sprintf("another campaign is using %s; give each its own --dir", e.Dir)
}

// Open opens a campaign's folder, making it where there is none. The error is a
// *[BusyError], *[DiskError] or *[JournalError], or a file in it that is no case
// or finding.
func Open(dir string) (*Store, error) { return openOn(dir, realDisk) }

func openOn(dir string, d disk) (_ *Store, err error) {
	for _, name := range []string{corpusName, findingsName, closedName} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			return nil, &DiskError{dir, err}
		}
	}
	s := &Store{dir: dir, disk: d, lock: flock.New(filepath.Join(dir, lockName))}
	ok, err := s.lock.TryLock()
	if err != nil {
		return nil, &DiskError{dir, err}
	}
	if !ok {
		return nil, &BusyError{dir}
	}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if err := s.read(); err != nil {
		return nil, err
	}
	path := s.path(journalName)
	if s.log, err = d.append(path); err != nil {
		return nil, &DiskError{path, err}
	}
	return s, nil
}

func (s *Store) path(names ...string) string {
	return filepath.Join(append([]string{s.dir}, names...)...)
}

// Dir is the folder.
func (s *Store) Dir() string { return s.dir }

// Close lets another campaign have the folder.
func (s *Store) Close() error {
	var err error
	if s.log != nil {
		err = s.log.Close()
	}
	return errors.Join(err, s.lock.Unlock())
}

// read takes up what the journal says.
func (s *Store) read() error {
	records, err := readJournal(s.path(journalName))
	if err != nil {
		return err
	}
	s.met = map[finding.Signature]int{}
	for _, r := range records {
		if id, ok := r.Get("campaign").AsString(); ok {
			s.begun(id)
			continue
		}
		if hash, ok := r.Get("entry").AsString(); ok {
			at, _ := r.Get("at").AsInt()
			c, err := s.readEntry(hash)
			if err != nil {
				return err
			}
			s.entries = append(s.entries, entry{c, int(at)})
			continue
		}
		if n, ok := r.Get("next").AsInt(); ok {
			s.next = int(n)
			met, _ := r.Get("met").AsObject()
			for signature, v := range met.All() {
				n, _ := v.AsInt()
				s.met[finding.Signature(signature)] = int(n)
			}
		}
	}
	// What was written after the last "next" is found again.
	s.entries = slices.DeleteFunc(s.entries, func(e entry) bool { return e.at >= s.next })
	return nil
}

// begun notes that another campaign begins in the folder: what it finds there
// was there before its first case.
func (s *Store) begun(identity string) {
	s.entries = slices.DeleteFunc(s.entries, func(e entry) bool { return e.at >= s.next })
	for i := range s.entries {
		s.entries[i].at = -1
	}
	s.identity, s.next = identity, 0
}

// begin goes on with the campaign of that identity, or begins it. It tells
// whether it goes on.
func (s *Store) begin(identity string) (resumed bool, err error) {
	if s.identity == identity {
		return s.next > 0, nil
	}
	s.begun(identity)
	return false, s.append(campaignLine(identity))
}

func campaignLine(identity string) []byte {
	return line(value.Members(value.Member{Name: "campaign", Value: value.String(identity)}))
}

func (s *Store) append(lines []byte) error {
	_, err := s.log.Write(lines)
	if err == nil {
		err = s.log.Sync()
	}
	if err != nil {
		return &DiskError{s.path(journalName), err}
	}
	return nil
}

// advance writes down entries and that all cases before next are done.
func (s *Store) advance(next int, entries []entry, met map[finding.Signature]int) error {
	var lines []byte
	for _, e := range entries {
		if err := s.writeEntry(e.c); err != nil {
			return err
		}
		lines = append(lines, entryLine(e)...)
	}
	lines = append(lines, nextLine(next, met)...)
	if err := s.append(lines); err != nil {
		return err
	}
	s.entries = append(s.entries, entries...)
	s.next = next
	return nil
}

func entryLine(e entry) []byte {
	return line(value.Members(value.Member{Name: "entry", Value: value.String(hashOf(e.c))}, value.Member{Name: "at", Value: value.Int(int64(e.at))}))
}

// nextLine has the counts of all signatures: the last line is all that is needed.
func nextLine(next int, met map[finding.Signature]int) []byte {
	counts := &value.Object{}
	for _, signature := range slices.Sorted(maps.Keys(met)) {
		counts.Set(string(signature), value.Int(int64(met[signature])))
	}
	return line(value.Members(value.Member{Name: "next", Value: value.Int(int64(next))}, value.Member{Name: "met", Value: counts.Value()}))
}

// hashOf is the part of a case's id that names its file.
func hashOf(c corpus.Case) string { return strings.TrimPrefix(finding.Name(c).ID, "fuzz/") }

func (s *Store) writeEntry(c corpus.Case) error {
	data, err := corpus.EncodeOne(c)
	if err != nil {
		return err
	}
	return s.disk.replace(s.path(corpusName, hashOf(c)+".json"), data)
}

func (s *Store) readEntry(hash string) (corpus.Case, error) {
	path := s.path(corpusName, hash+".json")
	data, err := os.ReadFile(path)
	if err != nil {
		return corpus.Case{}, &DiskError{path, err}
	}
	cases, err := corpus.Decode(data, path)
	if err != nil {
		return corpus.Case{}, err
	}
	return cases[0], nil
}
