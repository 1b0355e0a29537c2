package coverage

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Point names a line, FILE:LINE, or one way of a branch, FILE:LINE.NUMBER:WAY:
// the branches of a line are counted from 1, left to right.
//
//	chat_template:207              line 207 of the chat template
//	chat_template:207.2:false      its second condition was false
//	response_parser.py:36.1:end    the loop in line 36 of that module ended
type Point string

// The ways of a branch: a condition's, and a loop's.
const (
	WayTrue  = "true"
	WayFalse = "false"
	WayItem  = "item"
	WayEnd   = "end"
)

// Place is a point, taken apart.
type Place struct {
	File   string
	Line   int    // from 1
	Branch int    // from 1; 0 for the line itself
	Way    string // "" for the line itself
}

// ParsePoint reads a point. The error says what it lacks.
func ParsePoint(text string) (Point, error) {
	_, err := take(text)
	return Point(text), err
}

func take(text string) (p Place, err error) {
	bad := func() (Place, error) {
		return Place{}, fmt.Errorf("coverage: %q is no point: it must be FILE:LINE or FILE:LINE.NUMBER:WAY", text)
	}
	file, rest, ok := strings.Cut(text, ":")
	where, way, branch := strings.Cut(rest, ":")
	line, number, numbered := strings.Cut(where, ".")
	if !ok || file == "" || branch != numbered {
		return bad()
	}
	p = Place{File: file, Way: way}
	if p.Line, err = strconv.Atoi(line); err != nil || p.Line < 1 {
		return bad()
	}
	if !branch {
		return p, nil
	}
	if p.Branch, err = strconv.Atoi(number); err != nil || p.Branch < 1 {
		return bad()
	}
	switch way {
	case WayTrue, WayFalse, WayItem, WayEnd:
		return p, nil
	}
	return bad()
}

// Place takes a point apart. One that [ParsePoint] refuses is the zero Place.
func (p Point) Place() Place {
	place, _ := take(string(p))
	return place
}

// Compare orders points by file, line, branch and way.
func Compare(a, b Point) int {
	x, y := a.Place(), b.Place()
	return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Branch, y.Branch),
		cmp.Compare(y.Way, x.Way), cmp.Compare(a, b)) // true before false, item before end
}
