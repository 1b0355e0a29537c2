package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/perf/benchunit"
)

// Table is what a run gave, for people: a row for each implementation of an input.
type Table struct {
	Families []TableFamily `json:"families"`
	Missing  []MissingImpl `json:"missing"`
	Rounds   int           `json:"rounds"`
}

// TableFamily is the rows of one family.
type TableFamily struct {
	Family string     `json:"family"`
	Rows   []TableRow `json:"rows"`
}

// TableRow is one benchmark. Numbers that are not known are null.
type TableRow struct {
	Input  string   `json:"input"` // labels, as in the name
	Impl   string   `json:"impl"`
	Time   *float64 `json:"sec_per_op"`     // median
	Spread *float64 `json:"spread"`         // half of the 95 % interval, as a share of the median
	Speed  *float64 `json:"bytes_per_sec"`  // median
	Times  *float64 `json:"times_native"`   // of the native time in the same run
	Growth *float64 `json:"growth"`         // exponent over all sizes that were measured
	Bytes  *float64 `json:"bytes_per_op"`   // allocated
	Allocs *float64 `json:"allocs_per_op"`  //
	Steps  *float64 `json:"steps_per_op"`   //
	Why    string   `json:"why,omitempty"`  // of the input
	Yard   bool     `json:"yardstick"`      // a limit: no implementation
	Name   string   `json:"benchmark_name"` // with "Benchmark"
}

// MissingImpl is an implementation that could not be measured.
type MissingImpl struct {
	Impl  string `json:"impl"`
	Why   string `json:"why"`
	Cases int    `json:"cases"`
}

// Yardsticks are the implementations that only say how fast anything could be.
var Yardsticks = []string{"scan", "splitter", "copy"}

// NewTable sums results up. Only the inputs of about size bytes are shown, with
// the growth over all; 0 shows all sizes. Inputs without a size, or not measured
// at that size, are shown as they are.
func NewTable(s Suite, r *Results, size int) *Table {
	t := &Table{}
	growths := r.Growths()
	measured := map[string]bool{}
	for _, name := range r.names() {
		measured[name] = true
	}
	shown := shownInputs(s, measured, size)
	for _, c := range slices.Concat(s.rows()...) { // the implementations of one input together
		name := c.Name()
		if !measured[name] || !shown[c.Input()] {
			continue
		}
		i := slices.IndexFunc(t.Families, func(f TableFamily) bool { return f.Family == c.Family })
		if i < 0 {
			i = len(t.Families)
			t.Families = append(t.Families, TableFamily{Family: c.Family})
		}
		row := TableRow{Input: strings.TrimPrefix(c.Input(), c.Family+"/"), Impl: c.Impl, Why: c.Why, Yard: slices.Contains(Yardsticks, c.Impl), Name: "Benchmark" + name}
		if took, ok := r.summary(name, tidyTime); ok {
			spread := (took.Hi - took.Lo) / 2 / took.Center
			row.Time, row.Spread = known(took.Center), known(spread)
			t.Rounds = max(t.Rounds, len(r.sample(name, tidyTime)))
			if own, ok := r.summary(c.Input()+"/impl="+Native, tidyTime); ok {
				row.Times = known(took.Center / own.Center)
			}
		}
		for unit, to := range map[string]**float64{tidySpeed: &row.Speed, UnitBytes: &row.Bytes, UnitAllocs: &row.Allocs, UnitSteps: &row.Steps} {
			if s, ok := r.summary(name, unit); ok {
				*to = known(s.Center)
			}
		}
		if g, ok := growths[sizePart.ReplaceAllString(name, "")]; ok {
			row.Growth = known(g.Exponent)
		}
		t.Families[i].Rows = append(t.Families[i].Rows, row)
	}
	for _, m := range r.Missing {
		impl := m.Name[strings.Index(m.Name, "/impl=")+len("/impl="):]
		i := slices.IndexFunc(t.Missing, func(o MissingImpl) bool { return o.Impl == impl && o.Why == m.Why })
		if i < 0 {
			i = len(t.Missing)
			t.Missing = append(t.Missing, MissingImpl{Impl: impl, Why: m.Why})
		}
		t.Missing[i].Cases++
	}
	return t
}

// shownInputs are the inputs of a size. For an implementation that was not measured
// at it they are those of the largest size below at which it was, or else of the
// least: there the others are shown too, so that it has a neighbour.
func shownInputs(s Suite, measured map[string]bool, size int) map[string]bool {
	best := map[string]Case{} // by input without size, and implementation
	shown := map[string]bool{}
	for _, c := range s {
		if !measured[c.Name()] {
			continue
		}
		if size == 0 || c.Size == 0 {
			shown[c.Input()] = true
			continue
		}
		key := sizePart.ReplaceAllString(c.Name(), "")
		if old, ok := best[key]; !ok || c.Size <= size && c.Size > old.Size || c.Size < old.Size && old.Size > size {
			best[key] = c
		}
	}
	for _, c := range best {
		shown[c.Input()] = true
	}
	return shown
}

func known(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

var tableHead = []string{"input", "implementation", "time", "±", "speed", "native=1", "growth", "allocs", "bytes", "steps"}

// cells are those of a row, as texts.
func (r TableRow) cells() []string {
	unit := func(v *float64, unit string) string {
		if v == nil {
			return ""
		}
		return benchunit.Scale(*v, benchunit.ClassOf(unit)) + unit
	}
	number := func(v *float64, format string) string {
		if v == nil {
			return ""
		}
		return fmt.Sprintf(format, *v)
	}
	impl := r.Impl
	if r.Yard {
		impl += " (limit)"
	}
	spread := ""
	if r.Spread != nil {
		spread = fmt.Sprintf("%.0f %%", *r.Spread*100)
	}
	return []string{r.Input, impl, unit(r.Time, "s"), spread, unit(r.Speed, "B/s"), number(r.Times, "%.2f"), number(r.Growth, "%.2f"),
		number(r.Allocs, "%.0f"), number(r.Bytes, "%.0f"), number(r.Steps, "%.0f")}
}

// WriteText writes the table for a terminal.
func (t *Table) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, f := range t.Families {
		fmt.Fprintf(&b, "%s\n", f.Family)
		table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintf(table, "  %s\n", strings.Join(tableHead, "\t"))
		for _, r := range f.Rows {
			fmt.Fprintf(table, "  %s\n", strings.Join(r.cells(), "\t"))
		}
		table.Flush()
		b.WriteByte('\n')
	}
	t.notes(&b, "  ")
	for line := range strings.Lines(b.String()) {
		if _, err := io.WriteString(w, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// WriteMarkdown writes it for a pull request.
func (t *Table) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	for _, f := range t.Families {
		fmt.Fprintf(&b, "### %s\n\n| %s |\n|---|---|%s\n", f.Family, strings.Join(tableHead, " | "), strings.Repeat("--:|", len(tableHead)-2))
		for _, r := range f.Rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(r.cells(), " | "))
		}
		b.WriteByte('\n')
	}
	t.notes(&b, "- ")
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Table) notes(b *strings.Builder, item string) {
	for _, m := range t.Missing {
		fmt.Fprintf(b, "%smissing: %s (%d inputs): %s\n", item, m.Impl, m.Cases, shortened(oneLine(m.Why)))
	}
	fmt.Fprintf(b, "%smedians of %d rounds that take turns, each the least of a few turns; ± is half of the 95 %% interval; native=1 is the time as a multiple of the native one in this run; growth is the exponent of the time over all sizes measured\n", item, t.Rounds)
}

// shortened leaves out the middle of a long text: what a program says of its
// failure may hold a whole template.
func shortened(text string) string {
	const head, tail = 150, 200
	if len(text) <= head+tail {
		return text
	}
	return strings.ToValidUTF8(text[:head], "") + " … " + strings.ToValidUTF8(text[len(text)-tail:], "")
}
