//go:build !planted

package bench

// plant gives a reader as it is; with the tag planted it plants faults that the
// gate must find (plant.go).
func plant(read func() error) func() error { return read }
