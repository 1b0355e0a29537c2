// Prog is built with counters by the test: it writes the blocks that a call of
// branches reaches, one a line, after their number.
package main

import (
	"fmt"
	"os"

	"github.com/beamdiff/beamdiff/fuzz/campaign/counters"
)

func main() {
	c, err := counters.Open()
	if err != nil {
		fmt.Println("no counters:", err)
		os.Exit(3)
	}
	branches(0) // is forgotten
	if err := c.Clear(); err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	branches(len(os.Args))
	var reached []string
	err = c.Read(func(block int) { reached = append(reached, c.Name(block)) })
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	fmt.Println(c.Total())
	for _, name := range reached {
		fmt.Println(name)
	}
}
