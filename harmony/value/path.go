package value

// writeDepth is the deepest nesting that is written, compared or copied: far more
// than any reader gives, and far less than the stack holds.
const writeDepth = 1 << 18

// path is the arrays and objects that stand around a place in a value, outermost
// first. It finds a value that holds itself, which only a program can make.
// The zero path is the outside.
type path struct {
	depth int
	near  [16]any      // the outer ones, by depth
	far   map[any]bool // those deeper in
}

// enter steps into x, an *Array or an *Object. It tells whether it did: x may hold
// itself, or stand too deep.
func (p *path) enter(x any) bool {
	for _, around := range p.near[:min(p.depth, len(p.near))] {
		if around == x {
			return false
		}
	}
	if p.depth < len(p.near) {
		p.near[p.depth] = x
		p.depth++
		return true
	}
	if p.far[x] || p.depth >= writeDepth {
		return false
	}
	if p.far == nil {
		p.far = map[any]bool{}
	}
	p.far[x] = true
	p.depth++
	return true
}

// leave steps out of x, the last that was entered.
func (p *path) leave(x any) {
	if p.depth--; p.depth >= len(p.near) {
		delete(p.far, x)
	}
}
