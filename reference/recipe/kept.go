package recipe

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"

	"github.com/beamdiff/beamdiff/reference/python"
)

// Kept is a file of a package that stands in a folder by itself, for a program that
// reads it there.
type Kept struct {
	Source
	Name   string // in the folder
	SHA256 string // of the file, in hex
}

// Keep puts the file into a folder, which it makes, where it is not there or
// another one is. The error is a *python.SetupError or an *Error.
func (k Kept) Keep(ctx context.Context, env *python.Env, o python.Options, dir string) error {
	return k.keep(ctx, openStore(env, o), dir)
}

func (k Kept) keep(ctx context.Context, s *store, dir string) error {
	path := filepath.Join(dir, k.Name)
	if text, err := os.ReadFile(path); err == nil && k.right(text) {
		return nil
	}
	text, err := s.file(ctx, k.Source)
	if err != nil {
		return err
	}
	if !k.right(text) {
		return &Error{Package: k.Package.String(), File: k.File, What: "has another sha256 than " + k.SHA256}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return s.broken(python.StepCache, dir, err)
	}
	// Whole or not at all; runs that do this at the same time write files of their own.
	half, err := os.CreateTemp(dir, newPrefix)
	if err != nil {
		return s.broken(python.StepCache, dir, err)
	}
	defer os.Remove(half.Name())
	_, err = half.Write(text)
	if err = errors.Join(err, half.Chmod(0o644), half.Close()); err == nil {
		err = os.Rename(half.Name(), path)
	}
	if err != nil {
		return s.broken(python.StepCache, path, err)
	}
	return nil
}

func (k Kept) right(text []byte) bool {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]) == k.SHA256
}
