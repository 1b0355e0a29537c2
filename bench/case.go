package bench

import (
	"fmt"
	"strings"
	"time"
)

// Case is one thing that is measured, by one implementation.
type Case struct {
	// Family is what is done: Parse, Render, …; the benchmark is BenchmarkFamily.
	Family string
	// Labels tell the input, in the order of the name.
	Labels []Label
	// Impl is who does it: native, a yardstick, python/where=inproc, a peer.
	Impl string
	// Why says in one line what the input is measured for.
	Why string
	// Size is about how many bytes the input has, for the growth; 0 where it has
	// one size only.
	Size int
	// Gated cases are held to the budget: their sizes are among BudgetSizes.
	Gated bool
	// Prepare makes the case ready. The error is an *Unavailable where what it needs
	// is not there.
	Prepare func(env *Env) (*Body, error)
}

// Label is one key and its value.
type Label struct{ Key, Value string }

// Name is the name of the benchmark without "Benchmark", which benchstat reads:
// Parse/kind=calls/size=64KiB/cut=4/impl=native.
func (c Case) Name() string { return c.Input() + "/impl=" + c.Impl }

// Input is the name without the implementation: what the cases of one row share.
func (c Case) Input() string {
	var b strings.Builder
	b.WriteString(c.Family)
	for _, l := range c.Labels {
		b.WriteString("/" + l.Key + "=" + l.Value)
	}
	return b.String()
}

// Label is the value of a key, "" where there is none.
func (c Case) Label(key string) string {
	for _, l := range c.Labels {
		if l.Key == key {
			return l.Value
		}
	}
	return ""
}

// Body is a case that is ready to run.
type Body struct {
	// Bytes is the text that one operation reads or writes.
	Bytes int
	// Run does one operation and checks its answer. It is nil where another process
	// does it.
	Run func() error
	// Time lets another process do n operations and gives the time that they took
	// there, or as seen from here.
	Time func(n int) (time.Duration, error)
	// Steps is what one operation looked at, whatever the machine; nil where it is
	// not counted.
	Steps func() int64
}

// WrongAnswer is an operation whose answer is not the right one: it has no speed.
type WrongAnswer struct{ Case, What string }

func (e *WrongAnswer) Error() string { return fmt.Sprintf("%s: wrong answer: %s", e.Case, e.What) }

// Unavailable is an implementation that this machine does not have, or that cannot
// do an input. The table shows it as missing.
type Unavailable struct{ What, Why string }

func (e *Unavailable) Error() string { return e.What + ": " + e.Why }

// Sizes are the sizes of inputs in bytes, each twice the one before it.
var Sizes = sizes(1<<10, 1<<20)

// BudgetSizes are those at which allocations, bytes and steps are held to the
// budget. At the larger one the growth has shown.
var BudgetSizes = []int{1 << 10, 64 << 10}

func sizes(from, to int) (list []int) {
	for n := from; n <= to; n *= 2 {
		list = append(list, n)
	}
	return list
}

// SizeName is a size as names have it: 64KiB.
func SizeName(n int) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%dMiB", n>>20)
	}
	return fmt.Sprintf("%dKiB", n>>10)
}
