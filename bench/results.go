package bench

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// Machine is the configuration that a file of results begins with: what ran, on
// what, when.
func Machine(now time.Time) []benchfmt.Config {
	config := [][2]string{
		{"goos", runtime.GOOS}, {"goarch", runtime.GOARCH}, {"pkg", "github.com/beamdiff/beamdiff/bench"},
		{"cpu", cpuName()}, {"procs", fmt.Sprint(runtime.NumCPU())}, {"go", runtime.Version()},
		{"revision", revision()}, {"date", now.UTC().Format(time.RFC3339)},
	}
	var out []benchfmt.Config
	for _, c := range config {
		if c[1] != "" {
			out = append(out, benchfmt.Config{Key: c[0], Value: []byte(c[1]), File: true})
		}
	}
	return out
}

// Unfinished is a configuration that says too that the run broke off.
func Unfinished(config []benchfmt.Config) []benchfmt.Config {
	return append(slices.Clone(config), benchfmt.Config{Key: "unfinished", Value: []byte("true"), File: true})
}

// cpuName is the processor's name, "" where it is not known.
func cpuName() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		text, _ = exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output()
		return strings.TrimSuffix(string(text), "\n")
	}
	for line := range strings.Lines(string(text)) {
		if key, name, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(name)
		}
	}
	return ""
}

// revision is that of the source that this program was built from.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}

// Write writes the results in Go's benchmark format, which benchstat reads too.
// What is missing stands in comments.
func (r *Results) Write(w io.Writer, config []benchfmt.Config) error {
	for _, c := range config {
		if _, err := fmt.Fprintf(w, "%s: %s\n", c.Key, c.Value); err != nil {
			return err
		}
	}
	for _, unit := range Exact {
		if _, err := fmt.Fprintf(w, "Unit %s assume=exact\n", unit); err != nil {
			return err
		}
	}
	for _, m := range r.Missing {
		why := oneLine(m.Why)
		if len(why) > missingWidth { // a program may tell a whole template, which is not ours to keep
			why = strings.ToValidUTF8(why[:missingWidth], "") + " …"
		}
		if _, err := fmt.Fprintf(w, "# missing %s: %s\n", m.Name, why); err != nil {
			return err
		}
	}
	out := benchfmt.NewWriter(w)
	for _, record := range r.Records {
		plain := *record
		plain.Config = nil // it stands above
		if err := out.Write(&plain); err != nil {
			return err
		}
	}
	return nil
}

// missingWidth is how much, in bytes, a file tells of why something is missing.
const missingWidth = 80

// oneLine is a text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Read reads results in Go's benchmark format. Lines that are none are passed
// over; a line that is a broken one is an error (*benchfmt.SyntaxError).
func Read(r io.Reader, name string) (*Results, error) {
	out := &Results{}
	in := benchfmt.NewReader(r, name)
	for in.Scan() {
		switch record := in.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, record
		case *benchfmt.Result:
			out.Records = append(out.Records, record.Clone())
		}
	}
	return out, in.Err()
}

// Config is the configuration that the first measurement was read with.
func (r *Results) Config() []benchfmt.Config {
	if len(r.Records) == 0 {
		return nil
	}
	return r.Records[0].Config
}

// SameMachine tells whether two configurations are of one machine and one release
// of Go, as far as they say.
func SameMachine(a, b []benchfmt.Config) bool {
	get := func(list []benchfmt.Config, key string) string {
		for _, c := range list {
			if c.Key == key {
				return string(c.Value)
			}
		}
		return ""
	}
	for _, key := range []string{"goos", "goarch", "cpu", "procs", "go"} {
		if get(a, key) == "" && key != "cpu" || get(a, key) != get(b, key) {
			return false
		}
	}
	return true
}

// WriteSides writes two sides in one file, told apart by the key side, for
// benchstat -col side.
func WriteSides(w io.Writer, config []benchfmt.Config, before, after *Results) error {
	for _, side := range []struct {
		name    string
		results *Results
	}{{"before", before}, {"after", after}} {
		if err := side.results.Write(w, append(slices.Clone(config), benchfmt.Config{Key: "side", Value: []byte(side.name), File: true})); err != nil {
			return err
		}
	}
	return nil
}

// at is where the measurements of a benchmark stand.
func (r *Results) at(name string) []int {
	if r.index == nil {
		r.index = map[string][]int{}
	}
	for ; r.indexed < len(r.Records); r.indexed++ {
		name := string(r.Records[r.indexed].Name)
		r.index[name] = append(r.index[name], r.indexed)
	}
	return r.index[name]
}

// names are the benchmarks in the order of their first measurement.
func (r *Results) names() (list []string) {
	for i, record := range r.Records {
		if name := string(record.Name); r.at(name)[0] == i {
			list = append(list, name)
		}
	}
	return list
}

// sample are the values of a benchmark in a (tidy) unit.
func (r *Results) sample(name, unit string) []float64 {
	var list []float64
	for _, i := range r.at(name) {
		if v, ok := r.Records[i].Value(unit); ok {
			list = append(list, v)
		}
	}
	return list
}

// least is one record of all measurements of a benchmark: of each unit of cost the
// least, since whatever else the machine does only adds.
func (r *Results) least(name string) *benchfmt.Result {
	out := r.Records[r.at(name)[0]].Clone()
	for i, v := range out.Values {
		if v.Unit == tidySpeed {
			continue
		}
		for _, other := range r.at(name)[1:] {
			if o, ok := r.Records[other].Value(v.Unit); ok && o < out.Values[i].Value {
				out.Values[i].OrigValue *= o / out.Values[i].Value
				out.Values[i].Value = o
			}
		}
	}
	return out
}

// The units as benchfmt holds them.
const (
	tidyTime  = "sec/op"
	tidyCPU   = "cpu-sec/op"
	tidySpeed = "B/s"
)

// confidence is that of the intervals which tables tell.
const confidence = 0.95

// summary is the median of a benchmark's values with its interval; ok is false
// where there are none.
func (r *Results) summary(name, unit string) (s benchmath.Summary, ok bool) {
	values := r.sample(name, unit)
	if len(values) == 0 {
		return s, false
	}
	sample := benchmath.NewSample(values, &benchmath.DefaultThresholds)
	return benchmath.AssumeNothing.Summary(sample, confidence), true
}
