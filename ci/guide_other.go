//go:build !unix

package ci

import "errors"

// become is not possible here.
func become(string, []string, []string) error { return errors.ErrUnsupported }
