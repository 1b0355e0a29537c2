package ci

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

func (v *listVerb) run(_ context.Context, t *terminal) error {
	var b strings.Builder
	if v.Checkpoints {
		c := checkpoint.Default()
		fmt.Fprintf(&b, "%s\n  format %s, sha256 %s\n  any directory, or a hub id: --checkpoint, or BEAM_MODEL_ID\n", c.Name, c.Format(), c.Hash())
		return t.print(b.String())
	}
	cases, _, err := chooseCases(t.stdin, v.Cases, v.Run, v.Skip)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if v.Suites {
		listSuites(table, cases)
	} else {
		for _, c := range cases {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", c.ID, c.Kind, orElse(string(c.Domain), "-"), orElse(c.Source, "-"))
		}
	}
	table.Flush()
	return t.print(b.String())
}

func listSuites(table *tabwriter.Writer, cases []corpus.Case) {
	var names []string
	number := map[string]int{}
	for _, c := range cases {
		if number[c.Suite] == 0 {
			names = append(names, c.Suite)
		}
		number[c.Suite]++
	}
	for _, name := range names {
		fmt.Fprintf(table, "%s\t%s\n", name, count(number[name], "case"))
	}
}
