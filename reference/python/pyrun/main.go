// Command pyrun runs a Python script with the interpreter and the packages of
// the reference: pyrun script.py [argument…]. It is what go generate runs.
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
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("pyrun: name a script")
	}
	env, err := python.Ensure(ctx, python.Options{Progress: func(e python.Event) { fmt.Fprintln(os.Stderr, e.Text) }})
	if err != nil {
		return err
	}
	defer env.Close()
	cmd := env.Command(ctx, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}
