// Command relock resolves reference/python/requirements.in for every platform
// and writes requirements.lock beside it. It is run by go generate, in
// reference/python.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/beamdiff/beamdiff/reference/python"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := relock(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

func relock(ctx context.Context) error {
	requirements, err := os.ReadFile("requirements.in")
	if err != nil {
		return err
	}
	o := python.Options{Progress: func(e python.Event) { fmt.Fprintln(os.Stderr, e.Text) }}
	lock, err := python.Resolve(ctx, o, "", requirements, true)
	if err != nil {
		return err
	}
	return os.WriteFile("requirements.lock", lock.Text, 0o644)
}
