package openai

import "fmt"

// place is what is being written, for the paths of errors.
type place struct {
	list  string // messages or tools, "" for an argument
	i     int
	field string
}

// at says which field of message i is written.
func (w *writer) at(i int, field string) { w.place = place{"messages", i, field} }

// where is the path of what is being written.
func (w *writer) where() string {
	p := w.place
	if p.list == "" {
		return p.field
	}
	return fmt.Sprintf("%s[%d].%s", p.list, p.i, p.field)
}
