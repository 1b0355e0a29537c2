package finding

import (
	"strconv"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// readPath takes a JSON path of a report apart: names are strings, indices
// ints. What it cannot read it leaves out.
func readPath(path string) (steps []any) {
	rest := strings.TrimPrefix(path, "$")
	for rest != "" {
		switch {
		case rest[0] == '.':
			end := 1 + strings.IndexAny(rest[1:]+".", ".[")
			steps = append(steps, rest[1:end])
			rest = rest[end:]
		case strings.HasPrefix(rest, `["`):
			end := 2
			for end < len(rest) && rest[end] != '"' {
				if rest[end] == '\\' {
					end++
				}
				end++
			}
			if end+1 >= len(rest) {
				return steps
			}
			name, err := value.Loads(rest[1 : end+1])
			if err != nil {
				return steps
			}
			s, _ := name.AsString()
			steps = append(steps, s)
			rest = rest[end+2:]
		case rest[0] == '[':
			end := strings.IndexByte(rest, ']')
			i, err := strconv.Atoi(rest[1:max(end, 1)])
			if err != nil {
				return steps
			}
			steps = append(steps, i)
			rest = rest[end+1:]
		default:
			return steps
		}
	}
	return steps
}

// follow gives the value at a path, and whether there is one.
func follow(v value.Value, steps []any) (value.Value, bool) {
	for _, s := range steps {
		switch s := s.(type) {
		case string:
			o, _ := v.AsObject()
			if o == nil {
				return value.Null(), false
			}
			next, ok := o.Get(s)
			if !ok {
				return value.Null(), false
			}
			v = next
		case int:
			list, ok := v.AsArray()
			if !ok || s < 0 || s >= list.Len() {
				return value.Null(), false
			}
			v = list.At(s)
		}
	}
	return v, true
}
