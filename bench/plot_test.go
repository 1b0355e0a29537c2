package bench

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
)

// A chart of the throughput and one of the ratios, well formed, with a line for
// each implementation, whose points rise with what they show.
func TestPlots(t *testing.T) {
	var s Suite
	var b strings.Builder
	for i, impl := range []string{Native, "a<b"} {
		for n, size := range Sizes[:4] {
			c := Case{Family: "Parse", Labels: []Label{{"kind", "calls"}, {"size", SizeName(size)}}, Impl: impl, Size: size}
			s = append(s, c)
			fmt.Fprintf(&b, "Benchmark%s 1 %d ns/op %d MB/s\n", c.Name(), 100*(1+9*i), 10*(n+1))
		}
	}
	r, err := Read(strings.NewReader(b.String()), "test")
	if err != nil {
		t.Fatal(err)
	}
	plots := Plots(s, r)
	if len(plots) != 2 || plots[0].FileName() != "Parse_kind_calls__throughput.svg" || len(plots[1].Lines) != 2 {
		t.Fatalf("%+v", plots)
	}
	if at := plots[1].Lines[0].Points; at[0] != (Point{1024, 10}) || len(at) != 4 {
		t.Errorf("ratios %v", at)
	}
	for _, p := range plots {
		var out strings.Builder
		if err := p.WriteSVG(&out); err != nil {
			t.Fatal(err)
		}
		lines := 0
		for d := xml.NewDecoder(strings.NewReader(out.String())); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "polyline" {
				lines++
			}
		}
		if lines != 2 || !strings.Contains(out.String(), ">a&lt;b</text>") {
			t.Errorf("%d lines\n%s", lines, out.String())
		}
	}
	if few := Plots(s[:2], r); few != nil {
		t.Errorf("two sizes are no growth: %v", few)
	}
}
