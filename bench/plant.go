//go:build planted

package bench

// planted keeps what plant allocates.
var planted []byte

// plant makes a reader slower by a fifth of its processor time, and lets it
// allocate once more.
func plant(read func() error) func() error {
	return func() error {
		planted = make([]byte, 16)
		start := ProcessorTime()
		err := read()
		for end := start + (ProcessorTime()-start)*6/5; ProcessorTime() < end; {
		}
		return err
	}
}
