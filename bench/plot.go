package bench

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"
)

// Plot is a chart of lines over the size of the input, both axes logarithmic, as
// SVG without scripts or fonts of its own.
type Plot struct {
	Title string
	// Y names the vertical axis, and its unit.
	Y, Unit string
	Lines   []Line
}

// Line is one implementation.
type Line struct {
	Name   string
	Points []Point
}

// Point is a size in bytes and a value.
type Point struct{ X, Y float64 }

// Plots are two charts for each kind of input that was measured in three sizes or
// more: the throughput, and the time as a multiple of the native one in the same
// run.
func Plots(s Suite, r *Results) (list []Plot) {
	type key struct{ input, impl string }
	var inputs []string
	lines := map[key][]Point{}
	ratios := map[key][]Point{}
	for _, c := range s {
		speed, ok := r.summary(c.Name(), tidySpeed)
		if !ok || c.Size == 0 {
			continue
		}
		input := sizePart.ReplaceAllString(c.Input(), "")
		if !slices.Contains(inputs, input) {
			inputs = append(inputs, input)
		}
		k := key{input, c.Impl}
		lines[k] = append(lines[k], Point{float64(c.Size), speed.Center})
		took, _ := r.summary(c.Name(), tidyTime)
		if own, ok := r.summary(c.Input()+"/impl="+Native, tidyTime); ok {
			ratios[k] = append(ratios[k], Point{float64(c.Size), took.Center / own.Center})
		}
	}
	for _, input := range inputs {
		for _, p := range []struct {
			name, unit string
			points     map[key][]Point
		}{{"throughput", "B/s", lines}, {"time, native = 1", "", ratios}} {
			plot := Plot{Title: input + ": " + p.name, Y: p.name, Unit: p.unit}
			longest := 0
			for k, points := range p.points {
				if k.input == input {
					slices.SortFunc(points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
					plot.Lines = append(plot.Lines, Line{k.impl, points})
					longest = max(longest, len(points))
				}
			}
			slices.SortFunc(plot.Lines, func(a, b Line) int { return strings.Compare(a.Name, b.Name) })
			if longest >= 3 {
				list = append(list, plot)
			}
		}
	}
	return list
}

// The colours of lines, which people who see few colours can tell apart too.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"}

// The picture's measures, in pixels.
const (
	plotWidth, plotHeight = 760, 420
	plotLeft, plotRight   = 90, 210
	plotTop, plotBottom   = 40, 50
)

// WriteSVG writes the chart.
func (p Plot) WriteSVG(w io.Writer) error {
	low, high := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, line := range p.Lines {
		for _, at := range line.Points {
			low = Point{min(low.X, at.X), min(low.Y, at.Y)}
			high = Point{max(high.X, at.X), max(high.Y, at.Y)}
		}
	}
	low.Y, high.Y = math.Pow(10, math.Floor(math.Log10(low.Y))), math.Pow(10, math.Ceil(math.Log10(high.Y)+1e-9))
	place := func(v, low, high, from, to float64) float64 {
		return from + (to-from)*(math.Log(v)-math.Log(low))/max(math.Log(high)-math.Log(low), 1e-9)
	}
	x := func(v float64) float64 { return place(v, low.X, high.X, plotLeft, plotWidth-plotRight) }
	y := func(v float64) float64 { return place(v, low.Y, high.Y, plotHeight-plotBottom, plotTop) }
	var b strings.Builder
	text := func(px, py float64, anchor, what string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="%s">`, px, py, anchor)
		_ = xml.EscapeText(&b, []byte(what)) // a Builder takes all
		b.WriteString("</text>\n")
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", plotWidth, plotHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", plotWidth, plotHeight)
	text(plotLeft, plotTop-16, "start", p.Title)
	for v := low.Y; v <= high.Y*1.001; v *= 10 {
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#ddd"/>`+"\n", plotLeft, y(v), plotWidth-plotRight)
		text(plotLeft-8, y(v)+4, "end", benchunit.Scale(v, benchunit.Decimal)+p.Unit)
	}
	for _, size := range Sizes {
		if v := float64(size); v >= low.X && v <= high.X {
			fmt.Fprintf(&b, `<path d="M%.1f %dV%d" stroke="#ddd"/>`+"\n", x(v), plotTop, plotHeight-plotBottom)
			text(x(v), plotHeight-plotBottom+18, "middle", strings.TrimSuffix(SizeName(size), "iB"))
		}
	}
	text((plotLeft+plotWidth-plotRight)/2, plotHeight-10, "middle", "bytes of the input")
	for i, line := range p.Lines {
		colour := colours[i%len(colours)]
		b.WriteString(`<polyline fill="none" stroke-width="2" stroke="` + colour + `" points="`)
		for _, at := range line.Points {
			fmt.Fprintf(&b, "%.1f,%.1f ", x(at.X), y(at.Y))
		}
		b.WriteString(`"/>` + "\n")
		py := float64(plotTop + 10 + 20*i)
		fmt.Fprintf(&b, `<path d="M%d %.1fh20" stroke-width="2" stroke="%s"/>`+"\n", plotWidth-plotRight+14, py, colour)
		text(plotWidth-plotRight+40, py+4, "start", line.Name)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// FileName is a name for the chart's file.
func (p Plot) FileName() string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, p.Title) + ".svg"
}
