package engine

import (
	"bytes"
	"strings"
	"sync"
)

// tail keeps the end of what is written to it, and whether any of it told of
// memory that ran out.
type tail struct {
	mu  sync.Mutex
	buf []byte
	oom bool
}

// tailSize is how much is kept, in bytes.
const tailSize = 4 << 10

// oomWords are what Python, Go, C++ and Rust say when an allocation fails.
var oomWords = [][]byte{[]byte("MemoryError"), []byte("out of memory"), []byte("annot allocate memory"), []byte("bad_alloc"), []byte("memory allocation of "), []byte("failed to allocate")}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, word := range oomWords {
		t.oom = t.oom || bytes.Contains(b, word)
	}
	t.buf = append(t.buf, b[max(0, len(b)-tailSize):]...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.buf), "\ufffd")
}

func (t *tail) outOfMemory() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.oom
}
