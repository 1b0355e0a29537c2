//go:build planted

package bench

// planted keeps what plant allocates.
var planted []byte

// plant makes a reader slower by a fifth, as it reads each fifth reply twice, and
// lets it allocate once more.
func plant(read func() error) func() error {
	n := 0
	return func() error {
		planted = make([]byte, 16)
		if n++; n%5 == 0 {
			if err := read(); err != nil {
				return err
			}
		}
		return read()
	}
}
