package python

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

// A manifest tells what an environment holds. It is text, one fact a line:
//
//	beamdiff environment 1
//	python 3.14.6
//	platform linux/amd64
//	lock SHA256 NAME
//	package NAME VERSION          in the lock's order
//	file MODE SIZE SHA256 PATH    MODE is x for an executable file, - for another
//	end SHA256                    of all bytes before this line
//
// Paths are within the environment, with slashes, in byte order. Modification
// times and the other permission bits are left out, so that a copied cache
// folder is as good as the first.
type manifest struct {
	python   string
	platform string
	lockHash string
	lockName string
	packages []Package
	files    []file
}

// Package is an installed package.
type Package struct{ Name, Version string }

type file struct {
	path       string
	size       int64
	executable bool
	sha256     string
}

const (
	manifestName = "manifest"
	manifestHead = "beamdiff environment 1"
)

func (m *manifest) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\npython %s\nplatform %s\nlock %s %s\n", manifestHead, m.python, m.platform, m.lockHash, m.lockName)
	for _, p := range m.packages {
		fmt.Fprintf(&b, "package %s %s\n", p.Name, p.Version)
	}
	for _, f := range m.files {
		mode := "-"
		if f.executable {
			mode = "x"
		}
		fmt.Fprintf(&b, "file %s %d %s %s\n", mode, f.size, f.sha256, f.path)
	}
	sum := sha256.Sum256(b.Bytes())
	fmt.Fprintf(&b, "end %x\n", sum)
	return b.Bytes()
}

func decodeManifest(text []byte) (*manifest, error) {
	bad := func(what string) (*manifest, error) { return nil, &DamageError{Path: manifestName, What: what} }
	at := bytes.LastIndex(text, []byte("\nend "))
	if at < 0 {
		return bad("has no end")
	}
	body := text[:at+1]
	if sum := sha256.Sum256(body); string(text[at+1:]) != fmt.Sprintf("end %x\n", sum) {
		return bad("differs from the hash at its end")
	}
	m := &manifest{files: make([]file, 0, bytes.Count(body, []byte("\nfile ")))}
	for i, line := range strings.Split(strings.TrimSuffix(string(body), "\n"), "\n") {
		if i == 0 {
			if line != manifestHead {
				return bad("is of another version")
			}
			continue
		}
		key, rest, _ := strings.Cut(line, " ")
		switch key {
		case "python":
			m.python = rest
		case "platform":
			m.platform = rest
		case "lock":
			m.lockHash, m.lockName, _ = strings.Cut(rest, " ")
		case "package":
			name, version, _ := strings.Cut(rest, " ")
			m.packages = append(m.packages, Package{name, version})
		case "file":
			parts := strings.SplitN(rest, " ", 4)
			if len(parts) != 4 {
				return bad("has a line that is cut short")
			}
			size, err := strconv.ParseInt(parts[1], 10, 64)
			if err != nil {
				return bad("has a size that is not a number")
			}
			m.files = append(m.files, file{path: parts[3], size: size, executable: parts[0] == "x", sha256: parts[2]})
		default:
			return bad("has an unknown line " + strconv.Quote(key))
		}
	}
	return m, nil
}

func readManifest(dir string) (*manifest, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &DamageError{Path: manifestName, What: "is missing"}
	}
	if err != nil {
		return nil, &DamageError{Path: manifestName, What: err.Error()}
	}
	return decodeManifest(text)
}

// list finds the files below dir, without their hashes.
func list(dir string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name := filepath.ToSlash(path[len(dir)+1:])
		info, err := d.Info()
		if err != nil {
			return err
		}
		if name == manifestName {
			return nil
		}
		if !info.Mode().IsRegular() {
			return &DamageError{Path: name, What: "is not a regular file"}
		}
		files = append(files, file{path: name, size: info.Size(), executable: isExecutable(info)})
		return nil
	})
	sort.Slice(files, func(i, j int) bool { return files[i].path < files[j].path })
	return files, err
}

// isExecutable holds everywhere on Windows, which has no such bit.
func isExecutable(info fs.FileInfo) bool {
	return runtime.GOOS == "windows" || info.Mode().Perm()&0o100 != 0
}

// check compares dir with the manifest: the names of all files, their sizes and
// which are executable. The error is a *DamageError.
func (m *manifest) check(dir string) error {
	found, err := list(dir)
	var damage *DamageError
	if errors.As(err, &damage) {
		return damage
	}
	if err != nil {
		return &DamageError{Path: ".", What: err.Error()}
	}
	i, j := 0, 0
	for i < len(m.files) || j < len(found) {
		switch {
		case j == len(found) || i < len(m.files) && m.files[i].path < found[j].path:
			return &DamageError{Path: m.files[i].path, What: "is missing"}
		case i == len(m.files) || found[j].path < m.files[i].path:
			// Someone who runs this Python by hand may leave compiled files;
			// Python itself checks those against their source.
			if !strings.HasSuffix(found[j].path, ".pyc") {
				return &DamageError{Path: found[j].path, What: "was added"}
			}
			j++
		case m.files[i].size != found[j].size:
			return &DamageError{Path: m.files[i].path, What: fmt.Sprintf("has %d bytes, not %d", found[j].size, m.files[i].size)}
		case m.files[i].executable != found[j].executable:
			return &DamageError{Path: m.files[i].path, What: "has another mode"}
		default:
			i++
			j++
		}
	}
	return nil
}

// checkHashes reads every file and compares its hash. The error is a *DamageError.
func (m *manifest) checkHashes(dir string) error {
	for _, f := range m.files {
		sum, err := hashFile(filepath.Join(dir, filepath.FromSlash(f.path)))
		if err != nil {
			return &DamageError{Path: f.path, What: err.Error()}
		}
		if sum != f.sha256 {
			return &DamageError{Path: f.path, What: "has other bytes than when it was installed"}
		}
	}
	return nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
