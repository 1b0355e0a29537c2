package ci

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/recipe"
)

func (v *listVerb) run(ctx context.Context, t *terminal) error {
	var b strings.Builder
	if v.Checkpoints {
		c := checkpoint.Default()
		fmt.Fprintf(&b, "%s\n  format %s, sha256 %s\n", c.Name, c.Format(), c.Hash())
		for _, variant := range checkpoint.Variants() {
			fmt.Fprintf(&b, "%s\n  sha256 %s\n", variant.Title(), checkpoint.Named(variant.Name).Hash())
		}
		b.WriteString("any directory, or a hub id: --checkpoint, or BEAM_MODEL_ID\n\n")
		listPublic(&b)
		return t.print(b.String())
	}
	cases, _, err := chooseCases(ctx, t.stdin, v.Cases, v.Run, v.Skip)
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

// listPublic writes the public checkpoints, a line each. A training variant is
// told with the checkpoint that it is of.
func listPublic(b *strings.Builder) {
	cache, _ := python.CacheDir() // without one, nothing is in it
	recipes := reference.Recipes().Recipes
	varied := map[string]bool{}
	for _, r := range recipes {
		varied[r.Of] = true
	}
	var lines strings.Builder
	table := tabwriter.NewWriter(&lines, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "name\tformat\ttemplates\tfrom\tin the cache\tnote")
	for _, r := range recipes {
		if r.Of != "" {
			continue
		}
		var has, from []string
		if r.ChatTemplate.Package != nil {
			has = append(has, "chat")
		}
		if varied[r.Name] {
			has = append(has, "training")
		}
		if r.ResponseTemplate.Package != nil {
			has = append(has, "response")
		}
		for _, p := range r.Packages() {
			from = append(from, p.String())
		}
		state := "no"
		if _, err := recipe.Find(cache, r); err == nil && cache != "" {
			state = "yes"
		}
		fmt.Fprintln(table, strings.Join([]string{r.Name, r.Format, strings.Join(has, "+"), strings.Join(from, ", "), state, r.Note}, "\t"))
	}
	table.Flush()
	for line := range strings.Lines(lines.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	b.WriteString("\nNAME" + recipe.TrainingSuffix + " is the one with the training template, which marks what the model wrote.\nsetup fetches all of them, or the first use of one: --checkpoint NAME\n")
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
