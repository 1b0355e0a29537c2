// Package counters reads the coverage counters of the program that runs, where
// it was built with
//
//	go build -cover -covermode=atomic -coverpkg=PATTERN,MAIN
//
// where MAIN is the main package: without it nothing starts the counters.
//
// Package runtime/coverage writes them in a binary form that has a version and no
// public reader; its layout is internal/coverage/defs.go of the Go distribution.
// Another version than 1 is an error, not a guess.
package counters

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/coverage"
)

// Counters are those of this program.
type Counters struct {
	names []string // of the blocks
	first [][]int  // of package and function, the number of its first block
	buf   bytes.Buffer
}

// ErrFormat is counters in a form that this package does not know.
var ErrFormat = errors.New("the coverage counters of this Go version have an unknown form")

// Open reads what counters there are. The error says that the program has none
// that can be cleared, or is [ErrFormat].
func Open() (*Counters, error) {
	if err := coverage.ClearCounters(); err != nil {
		return nil, err
	}
	var meta bytes.Buffer
	if err := coverage.WriteMeta(&meta); err != nil {
		return nil, err
	}
	c := &Counters{}
	if err := c.readMeta(meta.Bytes()); err != nil {
		return nil, err
	}
	return c, nil
}

// Total is the number of blocks.
func (c *Counters) Total() int { return len(c.names) }

// Name is that of a block: its file and where in it, as FILE:LINE.COLUMN,LINE.COLUMN.
func (c *Counters) Name(block int) string { return c.names[block] }

// Clear sets every counter to zero.
func (c *Counters) Clear() error { return coverage.ClearCounters() }

// Read tells reached the number of each block that was run since Clear.
func (c *Counters) Read(reached func(block int)) error {
	c.buf.Reset()
	if err := coverage.WriteCounters(&c.buf); err != nil {
		return err
	}
	return c.readCounters(c.buf.Bytes(), reached)
}

// The sizes of the fixed parts, in bytes.
const (
	metaHeader    = 56
	packageHeader = 44
	counterHeader = 32
	version       = 1
	raw           = 1 // counters as they are, 4 bytes each
	uleb          = 2 // counters as ULEB128
)

var (
	metaMagic    = []byte("\x00cvm")
	counterMagic = []byte("\x00cwm")
)

// reader takes numbers from the front of bytes; bad is set where there are too
// few.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.bad = true
		return make([]byte, max(min(n, 64), 0))
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) u32() int { return int(binary.LittleEndian.Uint32(r.take(4))) }
func (r *reader) u64() int { return int(binary.LittleEndian.Uint64(r.take(8))) }

func (r *reader) uleb() int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > 1<<31 {
		r.bad = true
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

// readMeta reads the packages, their functions and the blocks of those.
func (c *Counters) readMeta(data []byte) error {
	r := &reader{b: data}
	if !bytes.Equal(r.take(4), metaMagic) || r.u32() != version {
		return ErrFormat
	}
	r.take(8) // total length
	packages := r.u64()
	r.take(metaHeader - 24)
	if r.bad || packages > len(data) {
		return ErrFormat
	}
	offsets := make([]int, packages)
	for i := range offsets {
		offsets[i] = r.u64()
	}
	for i := range offsets {
		size := r.u64()
		if r.bad || offsets[i] < 0 || size < 0 || offsets[i]+size > len(data) {
			return ErrFormat
		}
		if err := c.readPackage(data[offsets[i] : offsets[i]+size]); err != nil {
			return err
		}
	}
	return nil
}

func (c *Counters) readPackage(data []byte) error {
	r := &reader{b: data}
	r.take(packageHeader - 4)
	functions := r.u32()
	if r.bad || functions > len(data) {
		return ErrFormat
	}
	offsets := make([]int, functions)
	for i := range offsets {
		offsets[i] = r.u32()
	}
	texts := make([]string, 0, 16)
	for n := r.uleb(); n > 0 && !r.bad; n-- {
		texts = append(texts, string(r.take(r.uleb())))
	}
	var first []int
	for _, offset := range offsets {
		if r.bad || offset > len(data) {
			return ErrFormat
		}
		f := &reader{b: data[offset:]}
		units, _, file := f.uleb(), f.uleb(), f.uleb()
		if f.bad || file >= len(texts) || units > len(data) {
			return ErrFormat
		}
		first = append(first, len(c.names))
		for range units {
			at := [5]int{f.uleb(), f.uleb(), f.uleb(), f.uleb(), f.uleb()}
			c.names = append(c.names, fmt.Sprintf("%s:%d.%d,%d.%d", texts[file], at[0], at[1], at[2], at[3]))
		}
		if f.bad {
			return ErrFormat
		}
	}
	c.first = append(c.first, first)
	return nil
}

// readCounters reads the counters of the functions that were run.
func (c *Counters) readCounters(data []byte, reached func(int)) error {
	r := &reader{b: data}
	if !bytes.Equal(r.take(4), counterMagic) || r.u32() != version {
		return ErrFormat
	}
	r.take(16)
	flavor := r.take(1)[0]
	r.take(counterHeader - 25)
	functions, texts, args := r.u64(), r.u32(), r.u32()
	r.take(texts)
	r.take(args)
	next := r.uleb
	switch flavor {
	case raw:
		next = r.u32
	case uleb:
	default:
		return ErrFormat
	}
	for range functions {
		n, pkg, function := next(), next(), next()
		if r.bad || pkg >= len(c.first) || function >= len(c.first[pkg]) {
			return ErrFormat
		}
		for i := range n {
			if next() > 0 && !r.bad {
				reached(c.first[pkg][function] + i)
			}
		}
	}
	if r.bad {
		return ErrFormat
	}
	return nil
}
