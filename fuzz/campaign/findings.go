package campaign

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/beamdiff/beamdiff/fuzz/finding"
)

// Findings reads the open findings of a campaign's folder, in the order of their
// ids. The error is a *[DiskError] or a *finding.FileError.
func Findings(dir string) ([]*finding.Finding, error) {
	folder := filepath.Join(dir, findingsName)
	names, err := os.ReadDir(folder)
	if err != nil {
		return nil, &DiskError{folder, err}
	}
	var found []*finding.Finding
	for _, name := range names {
		path := filepath.Join(folder, name.Name())
		if strings.HasPrefix(name.Name(), ".") || filepath.Ext(path) != ".json" {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, &DiskError{path, err}
		}
		f, err := finding.Decode(data, path)
		if err != nil {
			return nil, err
		}
		found = append(found, f)
	}
	return found, nil
}

// FindingFile is where a finding stands in a campaign's folder.
func FindingFile(dir string, f *finding.Finding) string {
	return filepath.Join(dir, findingsName, f.ID()+".json")
}

// writeFinding writes a finding, in the place of an older one of its signature.
func (s *Store) writeFinding(f *finding.Finding) error {
	data, err := f.Encode()
	if err != nil {
		return err
	}
	return s.disk.replace(FindingFile(s.dir, f), data)
}

// closeFinding puts a finding that no longer differs away.
func (s *Store) closeFinding(f *finding.Finding) error {
	from, to := FindingFile(s.dir, f), s.path(closedName, f.ID()+".json")
	if err := os.Rename(from, to); err != nil {
		return &DiskError{from, err}
	}
	return syncDir(s.path(closedName))
}

// removeFinding takes away one that stands under another signature now.
func (s *Store) removeFinding(f *finding.Finding) error {
	path := FindingFile(s.dir, f)
	if err := os.Remove(path); err != nil {
		return &DiskError{path, err}
	}
	return syncDir(filepath.Dir(path))
}
