package engine

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A limit that cannot be set is told, and not taken for one that holds.
func TestNoMemoryLimit(t *testing.T) {
	nobody := &os.Process{Pid: 1 << 30} // above every pid
	p := &process{cmd: &exec.Cmd{Process: nobody}, limit: 512 << 20}
	if p.noLimit = p.limitMemory(); p.noLimit == nil {
		t.Fatal("prlimit of no process succeeds")
	}
	in := p.told(Info{Notes: []string{"a"}})
	if len(in.Notes) != 2 || !strings.HasPrefix(in.Notes[1], "its memory is not limited to 512 MiB: prlimit: ") {
		t.Errorf("%q", in.Notes)
	}
	p.noLimit = nil
	if in := p.told(Info{}); in.Notes != nil {
		t.Errorf("%q", in.Notes)
	}
}
