// Command relock resolves lists of requirements and writes a lock beside each,
// NAME.lock beside NAME.in. Without a list it resolves requirements.in, which must
// have wheels for every platform; go generate runs it so, in reference/python. A
// list that is named may leave platforms out.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/beamdiff/beamdiff/reference/python"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	lists, platforms := os.Args[1:], python.Served
	if len(lists) == 0 {
		lists, platforms = []string{"requirements.in"}, python.Everywhere
	}
	for _, list := range lists {
		if err := relock(ctx, list, platforms); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
	}
}

func relock(ctx context.Context, list string, platforms python.Platforms) error {
	requirements, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	o := python.Options{Progress: func(e python.Event) { fmt.Fprintln(os.Stderr, e.Text) }}
	lock, err := python.Resolve(ctx, o, "", requirements, platforms)
	if err != nil {
		return err
	}
	return os.WriteFile(strings.TrimSuffix(list, ".in")+".lock", lock.Text, 0o644)
}
