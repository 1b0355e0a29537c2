package response

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// uses collects the placeholders of a transform that read the body: their paths
// in an element of it with each, else in the body itself.
func (t *transform) uses(each bool, paths [][]string) [][]string {
	switch {
	case t.path == nil:
		for _, sub := range t.subs {
			paths = sub.uses(each, paths)
		}
	case each:
		paths = append(paths, t.path)
	case t.path[0] == "content":
		paths = append(paths, t.path[1:])
	}
	return paths
}

// noteUnused notes what of a region's content its transform leaves out. The
// content is a value by now, so that the span is that of the whole body.
func (f *field) noteUnused(v value.Value, size int, r *reading) {
	paths := f.transform.uses(f.each, nil)
	var names []string
	if list, ok := v.AsArray(); ok && f.each {
		for _, item := range list.All() {
			names = unused(item, paths, "", names)
		}
	} else if !f.each {
		names = unused(v, paths, "", nil)
	}
	switch {
	case len(names) == 0:
	case names[0] == "":
		r.losses = append(r.losses, loss{span: span(0, size), kind: harmony.BadArgs, detail: "the template makes no use of this content"})
	default:
		r.losses = append(r.losses, loss{span: span(0, size), kind: harmony.BadArgs, detail: "the template makes no use of " + strings.Join(names, ", ")})
	}
}

// unused adds the keys of a value that no path reads; the value itself, at "at",
// where there is no path at all.
func unused(v value.Value, paths [][]string, at string, names []string) []string {
	if len(paths) == 0 {
		if at == "" && empty(v) {
			return names
		}
		return append(names, at)
	}
	for _, p := range paths {
		if len(p) == 0 {
			return names // all of it is read
		}
	}
	o, _ := v.AsObject()
	for key, member := range o.All() {
		var below [][]string
		for _, p := range paths {
			if p[0] == key {
				below = append(below, p[1:])
			}
		}
		names = unused(member, below, strings.TrimPrefix(at+"."+key, "."), names)
	}
	return names
}
