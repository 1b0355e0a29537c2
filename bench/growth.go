package bench

import (
	"math"
	"regexp"
)

// growthFrom is the least input, in bytes, that growth is seen by: below it what an
// operation costs apart from its input counts.
const growthFrom = 4 << 10

var sizePart = regexp.MustCompile(`/size=[^/]*`)

// Growth is the exponent of the time's growth with the size of the input: 1 is
// linear, 2 the square.
type Growth struct {
	// Name is that of the benchmarks, without their size.
	Name     string
	Exponent float64
	Sizes    int // how many are known
}

// Growths gives the growth of all benchmarks that were measured in three sizes or
// more: the slope of the line through the logarithms of time and bytes, by least
// squares.
func (r *Results) Growths() map[string]Growth {
	points := map[string][][2]float64{}
	for _, name := range r.names() {
		took, ok1 := r.summary(name, tidyTime)
		speed, ok2 := r.summary(name, tidySpeed)
		plain := sizePart.ReplaceAllString(name, "")
		if bytes := took.Center * speed.Center; ok1 && ok2 && plain != name && bytes > growthFrom*0.7 {
			points[plain] = append(points[plain], [2]float64{math.Log(bytes), math.Log(took.Center)})
		}
	}
	out := map[string]Growth{}
	for name, list := range points {
		if len(list) >= 3 {
			out[name] = Growth{Name: name, Exponent: slope(list), Sizes: len(list)}
		}
	}
	return out
}

// slope is that of the line through the points, by least squares.
func slope(points [][2]float64) float64 {
	var x, y, xx, xy float64
	n := float64(len(points))
	for _, p := range points {
		x, y, xx, xy = x+p[0], y+p[1], xx+p[0]*p[0], xy+p[0]*p[1]
	}
	return (n*xy - x*y) / (n*xx - x*x)
}
