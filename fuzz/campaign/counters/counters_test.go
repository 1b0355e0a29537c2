package counters

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What is read of the running program is what the Go tools make of the same
// counters, block by block.
func TestCounters(t *testing.T) {
	dir := t.TempDir()
	prog := filepath.Join(dir, "prog")
	build(t, prog, "-cover", "-covermode=atomic", "-coverpkg=github.com/beamdiff/beamdiff/fuzz/campaign/counters/...")
	for _, args := range [][]string{nil, {"x"}} {
		data := t.TempDir()
		cmd := exec.Command(prog, args...)
		cmd.Env = append(os.Environ(), "GOCOVERDIR="+data)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		var got []string
		for _, line := range lines[1:] {
			if strings.Contains(line, "branches.go") {
				got = append(got, line)
			}
		}
		all, reached := profile(t, data)
		if lines[0] != all {
			t.Errorf("%s blocks, and the tools tell %s", lines[0], all)
		}
		slices.Sort(got)
		if !slices.Equal(got, reached) || len(got) < 2 {
			t.Errorf("args %q:\n got  %q\n want %q", args, got, reached)
		}
	}
}

func build(t *testing.T, out string, flags ...string) {
	t.Helper()
	cmd := exec.Command("go", append(append([]string{"build"}, flags...), "-o", out, "./testdata/prog")...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// profile is what the Go tools say: the number of blocks, and those of branches.go
// that were reached.
func profile(t *testing.T, dir string) (all string, reached []string) {
	t.Helper()
	text := filepath.Join(dir, "profile")
	if out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+dir, "-o="+text).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	for _, line := range lines {
		fields := strings.Fields(line) // place, statements, count
		if strings.Contains(line, "branches.go") && fields[2] != "0" {
			reached = append(reached, fields[0])
		}
	}
	slices.Sort(reached)
	return strconv.Itoa(len(lines)), reached
}

// A program without counters says so.
func TestWithout(t *testing.T) {
	prog := filepath.Join(t.TempDir(), "prog")
	build(t, prog)
	if out, err := exec.Command(prog).Output(); err == nil || !bytes.HasPrefix(out, []byte("no counters: ")) {
		t.Errorf("%v: %s", err, out)
	}
}

// What is not of the form is an error, wherever it breaks off, and never a crash.
func TestForm(t *testing.T) {
	u32, u64 := binary.LittleEndian.AppendUint32, binary.LittleEndian.AppendUint64
	pkg := make([]byte, packageHeader-4)
	pkg = u32(pkg, 1)                 // functions
	pkg = u32(pkg, packageHeader+4+9) // offset of the first
	pkg = append(pkg, 2, 1, 'f', 5, 'a', '.', 'g', 'o', '!')
	pkg = append(pkg, 2, 0, 1, 1, 2, 3, 4, 1, 5, 6, 7, 8, 1, 0)
	meta := append(slices.Clone(metaMagic), make([]byte, 0)...)
	meta = u64(u64(u32(meta, version), 0), 1)
	meta = append(meta, make([]byte, metaHeader-len(meta))...)
	meta = u64(u64(meta, metaHeader+16), uint64(len(pkg)))
	meta = append(meta, pkg...)
	c := &Counters{}
	if err := c.readMeta(meta); err != nil || c.Total() != 2 || c.Name(1) != "a.go!:5.6,7.8" {
		t.Fatalf("%v: %q", err, c.names)
	}
	data := append(slices.Clone(counterMagic), make([]byte, 0)...)
	data = append(u32(data, version), make([]byte, 16)...)
	data = append(data, uleb, 0, 0, 0, 0, 0, 0, 0)
	data = u32(u32(u64(data, 1), 0), 0)
	data = append(data, 2, 0, 0, 0, 200, 1) // two counters of the function: 0 and 200
	var reached []int
	if err := c.readCounters(data, func(block int) { reached = append(reached, block) }); err != nil || !slices.Equal(reached, []int{1}) {
		t.Fatalf("%v: %v", err, reached)
	}
	for n := range data {
		if err := c.readCounters(data[:n], func(int) {}); !errors.Is(err, ErrFormat) {
			t.Errorf("counters broken off at byte %d: %v", n, err)
		}
	}
	for n := range meta {
		if err := (&Counters{}).readMeta(meta[:n]); !errors.Is(err, ErrFormat) {
			t.Errorf("the blocks broken off at byte %d: %v", n, err)
		}
	}
	for at := range data { // any byte may be wrong: it may be read as something else, and must not crash
		bad := slices.Clone(data)
		bad[at] ^= 0xff
		c.readCounters(bad, func(int) {})
	}
	meta[4] = 2
	if err := (&Counters{}).readMeta(meta); !errors.Is(err, ErrFormat) {
		t.Errorf("another version: %v", err)
	}
}
