//go:build !tokenizers || !cgo

package token

import (
	"errors"
	"strings"
	"testing"
)

func TestNoEncoder(t *testing.T) {
	e, err := NewEncoder([]byte("{}"))
	var none *NoEncoderError
	if e != nil || !errors.As(err, &none) || !strings.Contains(err.Error(), "scripts/tokenizers") {
		t.Errorf("got %v, %v", e, err)
	}
}
