//go:build !linux

package engine

import (
	"bytes"
	"fmt"
	"os/exec"
	"strconv"
	"time"
)

// limitMemory watches the process' resident size through ps, twice a second, and
// ends the process above the limit. Children are not counted. Where there is no
// ps, as on Windows, there is no limit.
func (p *process) limitMemory() error {
	if _, err := exec.LookPath("ps"); err != nil {
		return err
	}
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-p.gone:
				return
			case <-tick.C:
			}
			out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(p.cmd.Process.Pid)).Output()
			if err != nil {
				continue
			}
			kib, err := strconv.ParseInt(string(bytes.TrimSpace(out)), 10, 64)
			if err == nil && kib<<10 > p.limit {
				p.fail(fmt.Errorf("out of memory: %d MiB in use, with a limit of %d", kib>>10, p.limit>>20))
				return
			}
		}
	}()
	return nil
}
