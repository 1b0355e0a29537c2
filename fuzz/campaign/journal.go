package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// The journal is a file of lines, each the CRC-32C of its JSON, a space and the
// JSON. It only grows; a line is there once it is synced. A last line that broke
// off is what a killed campaign was writing: it is cut away. A wrong line before
// the last is damage.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// JournalError is a journal with a line that is damaged.
type JournalError struct {
	Path string
	Line int // from 1
}

func (e *JournalError) Error() string {
	return fmt.Sprintf("%s: line %d is damaged; move the file away to start the campaign anew (its cases and findings are files of their own, and stay)", e.Path, e.Line)
}

// line writes a record of the journal.
func line(record value.Value) []byte {
	text := value.Dumps(record)
	return fmt.Appendf(nil, "%08x %s\n", crc32.Checksum([]byte(text), castagnoli), text)
}

// readJournal gives the records of a journal and cuts a broken end away. One
// that does not exist has none.
func readJournal(path string) ([]value.Value, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &DiskError{path, err}
	}
	var records []value.Value
	for at, n := 0, 1; at < len(data); n++ {
		end := bytes.IndexByte(data[at:], '\n')
		record, ok := value.Null(), false
		if end >= 0 {
			record, ok = readLine(data[at : at+end])
		}
		if !ok {
			if end >= 0 && at+end+1 < len(data) {
				return nil, &JournalError{path, n}
			}
			if err := os.Truncate(path, int64(at)); err != nil {
				return nil, &DiskError{path, err}
			}
			break
		}
		records = append(records, record)
		at += end + 1
	}
	return records, nil
}

func readLine(text []byte) (value.Value, bool) {
	if len(text) < 9 || string(text[:8]) != fmt.Sprintf("%08x", crc32.Checksum(text[9:], castagnoli)) {
		return value.Null(), false
	}
	record, err := value.Loads(string(text[9:]))
	return record, err == nil
}
