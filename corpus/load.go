package corpus

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Load reads cases from files and folders, in the order of the paths. Of a
// folder, every *.json file in it and below is read, sorted by path, but no
// *.schema.json. "-" reads stdin. The suite of a case is the name of the folder
// that its file stands in. Errors are *[CaseError]: one id, twice, is one too.
func Load(stdin io.Reader, paths ...string) ([]Case, error) {
	l := loader{seen: map[string]string{}}
	for _, name := range paths {
		if err := l.load(stdin, name); err != nil {
			return nil, err
		}
	}
	return l.cases, nil
}

// LoadFS reads the cases of a file system as Load reads a folder.
func LoadFS(fsys fs.FS) ([]Case, error) {
	l := loader{seen: map[string]string{}}
	err := l.folder(fsys, "")
	return l.cases, err
}

type loader struct {
	cases []Case
	seen  map[string]string // id to file
}

func (l *loader) load(stdin io.Reader, name string) error {
	if name == "-" {
		data, err := ReadAll(stdin)
		if err != nil {
			return unreadable("stdin", err)
		}
		return l.file(data, "stdin", "stdin")
	}
	info, err := os.Stat(name)
	if err != nil {
		return unreadable(name, err)
	}
	if info.IsDir() {
		return l.folder(os.DirFS(name), name)
	}
	data, err := ReadFile(name)
	if err != nil {
		return unreadable(name, err)
	}
	return l.file(data, name, suiteOf(name))
}

// file adds the cases of a file that was named, which holds one at least.
func (l *loader) file(data []byte, name, suite string) error {
	before := len(l.cases)
	err := l.add(data, name, suite, false)
	if err == nil && len(l.cases) == before {
		return &CaseError{File: name, Offset: -1, Msg: "holds no case", Advice: "its list is empty"}
	}
	return err
}

// folder reads the files of a file system, whose own name is root.
func (l *loader) folder(fsys fs.FS, root string) error {
	before := len(l.cases)
	err := fs.WalkDir(fsys, ".", func(at string, entry fs.DirEntry, err error) error {
		name := filepath.Join(root, filepath.FromSlash(at))
		if err != nil {
			return unreadable(name, err)
		}
		if entry.IsDir() || !strings.HasSuffix(at, ".json") || strings.HasSuffix(at, ".schema.json") {
			return nil
		}
		data, err := ReadRegular(fsys, at)
		if err != nil {
			return unreadable(name, err)
		}
		return l.add(data, name, suiteOf(name), true)
	})
	if err == nil && len(l.cases) == before {
		return &CaseError{File: root, Offset: -1, Msg: "holds no case", Advice: "cases stand in *.json files"}
	}
	return err
}

// MaxFile is the most that is read of one file, in bytes: a device never ends.
const MaxFile = 256 << 20

// SizeError is a file of more than [MaxFile] bytes.
type SizeError struct{}

func (*SizeError) Error() string {
	return fmt.Sprintf("has more than %d MiB, the most that is read of one file", MaxFile>>20)
}

// ReadAll reads to the end. The error is a *[SizeError] or the reader's.
func ReadAll(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	if err == nil && len(data) > MaxFile {
		return nil, &SizeError{}
	}
	return data, err
}

// ReadFile reads a file. The error is a *[SizeError] or a *[fs.PathError].
func ReadFile(name string) ([]byte, error) {
	return readIn(hostFS{}, name)
}

// ReadRegular reads a file of a file system that nobody named by itself: a pipe
// would be waited for, and is refused, as is a device. The error is else a
// *[SizeError] or a *[fs.PathError].
func ReadRegular(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0 {
		return nil, errors.New("is not a regular file")
	}
	return readIn(fsys, name)
}

// hostFS opens files by the names that the system knows.
type hostFS struct{}

func (hostFS) Open(name string) (fs.File, error) { return os.Open(name) }

func readIn(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > MaxFile {
		return nil, &SizeError{}
	}
	return ReadAll(f)
}

// suiteOf is the name of the folder that a file stands in.
func suiteOf(file string) string {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		dir = filepath.Dir(file)
	}
	return filepath.Base(dir)
}

// add decodes a file. needID tells that each case must say its id.
func (l *loader) add(data []byte, name, suite string, needID bool) error {
	d := &decoder{file: name, text: string(data), needID: needID}
	cases, err := d.readFile()
	if err != nil {
		return err
	}
	for i := range cases {
		c := &cases[i]
		c.Suite = suite
		if other, has := l.seen[c.ID]; has {
			return &CaseError{File: name, Offset: -1, Msg: fmt.Sprintf("the id %q is that of a case of %s too", c.ID, other), Advice: "ids are unique"}
		}
		l.seen[c.ID] = name
	}
	l.cases = append(l.cases, cases...)
	return nil
}

func unreadable(name string, err error) error {
	return &CaseError{File: name, Offset: -1, Msg: "cannot be read: " + reason(err), Advice: "give a case file, a folder of them, or - for standard input", Err: err}
}

// reason is an error without the path that the message names already.
func reason(err error) string {
	if p, ok := err.(*fs.PathError); ok {
		return p.Err.Error()
	}
	return err.Error()
}

//go:embed documentation/*.json decisions/*.json bugs/*.json library/*.json templates/*.json regressions/*.json checkpoints/*.json tokens/*.json
var suites embed.FS

var embedded = sync.OnceValues(func() ([]Case, error) { return LoadFS(suites) })

// Embedded gives the cases of the suites that this project ships. The slice is
// the caller's; the inputs are shared and must not be changed.
func Embedded() []Case {
	cases, err := embedded()
	if err != nil {
		panic(err) // a test of this package loads them
	}
	return append([]Case(nil), cases...)
}
