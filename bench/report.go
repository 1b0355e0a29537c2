package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// Report is what a run says: to people on a terminal, to people who look at a pull
// request, and to programs.
type Report struct {
	// Table is nil where two revisions were compared.
	Table *Table `json:"table,omitempty"`
	// Comparison is nil where nothing was compared.
	Comparison *Comparison `json:"comparison,omitempty"`
	// Budget is nil where the counts were not held to the budget.
	Budget *BudgetReport `json:"budget,omitempty"`
	// Note is a line of what else must be known: that a run is not whole, say.
	Note string `json:"note,omitempty"`

	// All shows every comparison, not only those that are worse or better.
	All bool `json:"-"`
}

// BudgetReport is how a run's counts stand to the budget.
type BudgetReport struct {
	Held     int       `json:"held"` // benchmarks
	Overruns []Overrun `json:"overruns"`
}

// Worse tells whether the report fails a gate: something is slower, or more.
func (r *Report) Worse() bool {
	if r.Comparison != nil && len(r.Comparison.Regressed()) > 0 {
		return true
	}
	if r.Budget != nil {
		for _, o := range r.Budget.Overruns {
			if o.Used > o.Budget {
				return true
			}
		}
	}
	return false
}

// WriteText writes the report for a terminal.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	if r.Table != nil {
		if err := r.Table.WriteText(&b); err != nil {
			return err
		}
	}
	if c := r.Comparison; c != nil {
		table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		rows := c.rows(r.All)
		for _, row := range rows {
			fmt.Fprintln(table, strings.Join(row, "\t"))
		}
		table.Flush()
		b.WriteString(c.summary() + "\n")
	}
	if r.Budget != nil {
		for _, o := range r.Budget.Overruns {
			fmt.Fprintf(&b, "%v\n", o)
		}
		b.WriteString(r.Budget.summary() + "\n")
	}
	if r.Note != "" {
		b.WriteString(r.Note + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMarkdown writes it for a pull request: the verdict, what is behind it, and
// the table folded away.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	if r.Note != "" {
		fmt.Fprintf(&b, "> %s\n\n", r.Note)
	}
	if c := r.Comparison; c != nil {
		fmt.Fprintf(&b, "**%s**\n\n", c.summary())
		for i, row := range c.rows(r.All) {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				b.WriteString("|---|---|--:|--:|--:|--:|---|\n")
			}
		}
		b.WriteByte('\n')
	}
	if r.Budget != nil {
		fmt.Fprintf(&b, "%s\n\n", r.Budget.summary())
		for _, o := range r.Budget.Overruns {
			fmt.Fprintf(&b, "- %v\n", o)
		}
	}
	if r.Table != nil {
		folded := r.Comparison != nil
		if folded {
			b.WriteString("<details><summary>All measurements</summary>\n\n")
		}
		if err := r.Table.WriteMarkdown(&b); err != nil {
			return err
		}
		if folded {
			b.WriteString("\n</details>\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJSON writes it for programs, as one object.
func (r *Report) WriteJSON(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(r)
}

func (b *BudgetReport) summary() string {
	if len(b.Overruns) == 0 {
		return fmt.Sprintf("allocations, bytes and steps are those of the budget (%s)", plural(b.Held, "benchmark"))
	}
	return fmt.Sprintf("%s not as in the budget (bench/budget.txt), of %s", plural(len(b.Overruns), "count"), plural(b.Held, "benchmark"))
}

// summary is the comparison in a line: how many are worse beside the mean, which
// alone would hide them.
func (c *Comparison) summary() string {
	single, exact, differ := 0, 0, 0
	for _, change := range c.Changes {
		switch {
		case change.Verdict == Unmatched:
			single++
		case change.exact():
			exact++
			if change.Verdict != Alike {
				differ++
			}
		}
	}
	text := fmt.Sprintf("%d of %s worse", len(c.Regressed()), plural(len(c.Changes)-single, "comparison"))
	if c.Timed > 0 {
		text += fmt.Sprintf("; geometric mean of %s: %s", plural(c.Timed, "time"), Percent(c.Geomean, 1))
	}
	if exact > 0 {
		text += fmt.Sprintf("; %d of %d counts differ", differ, exact)
	}
	if single > 0 {
		text += fmt.Sprintf("; %s on one side only", plural(single, "benchmark"))
	}
	return text
}

// exact tells whether the change is of something that is counted.
func (c Change) exact() bool { return slices.Contains(Exact, c.Unit) }

// rows are a heading and the changes that are to be shown; none where there are
// no changes to show.
func (c *Comparison) rows(all bool) (rows [][]string) {
	for _, change := range c.Changes {
		switch {
		case !all && (change.Verdict == Alike || change.Verdict == Unmatched):
		case change.Verdict == Unmatched:
			rows = append(rows, []string{change.Name, "", "", "", "", "", change.Verdict.String()})
		default:
			p := ""
			if !change.exact() {
				p = fmt.Sprintf("%.2g", change.P)
			}
			rows = append(rows, []string{change.Name, change.Unit, fmt.Sprintf("%.4g", change.Old), fmt.Sprintf("%.4g", change.New),
				Percent(change.New, change.Old), p, change.Verdict.String()})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return append([][]string{{"benchmark", "unit", "before", "after", "change", "p", "verdict"}}, rows...)
}

// MarshalJSON writes the comparison with its verdict; numbers that are not known
// are null.
func (c *Comparison) MarshalJSON() ([]byte, error) {
	type change struct {
		Name    string   `json:"name"`
		Unit    string   `json:"unit,omitempty"`
		Before  *float64 `json:"before"`
		After   *float64 `json:"after"`
		P       *float64 `json:"p"`
		N       [2]int   `json:"measurements"`
		Verdict string   `json:"verdict"`
	}
	out := struct {
		Regressed int      `json:"regressed"`
		Compared  int      `json:"compared"`
		Geomean   *float64 `json:"geomean"`
		Timed     int      `json:"times"`
		Changes   []change `json:"changes"`
	}{Regressed: len(c.Regressed()), Geomean: known(c.Geomean), Timed: c.Timed, Changes: []change{}}
	for _, from := range c.Changes {
		to := change{Name: from.Name, Unit: from.Unit, Before: known(from.Old), After: known(from.New), N: from.N, Verdict: from.Verdict.String()}
		if from.Verdict != Unmatched {
			out.Compared++
			if !from.exact() {
				to.P = known(from.P)
			}
		}
		out.Changes = append(out.Changes, to)
	}
	return json.Marshal(out)
}

// Percent is the change from one number to another, for people.
func Percent(now, before float64) string {
	if before == 0 || math.IsNaN(now/before) {
		return "?"
	}
	return fmt.Sprintf("%+.1f %%", 100*(now/before-1))
}

// plural is a number with its noun.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
