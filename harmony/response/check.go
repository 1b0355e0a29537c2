package response

import "github.com/beamdiff/beamdiff/harmony"

// checkCall compares a call with the tools.
func (m *machine) checkCall(f *field, i int) {
	c := m.calls[i]
	name, args, ok := callParts(c.Value)
	if !ok {
		name, _ = c.Value.Get("function").Get("name").AsString()
		m.problem(harmony.BadArgs, c.Span, f.name, i, "the arguments are not an object")
	}
	if marker := m.marker(name); marker != "" {
		m.problem(harmony.MarkerInName, c.Span, f.name, i, "the name %q holds the marker %q", name, short(marker))
	}
	for key := range args.All() {
		if marker := m.marker(key); marker != "" {
			m.problem(harmony.MarkerInName, c.Span, f.name, i, "the argument name %q holds the marker %q", key, short(marker))
		}
	}
	if m.o.Tools.Len() == 0 {
		return
	}
	m.noteTyped(f, i, args)
	t := m.o.Tools.Get(name)
	if t == nil {
		m.problem(harmony.UnknownAction, c.Span, f.name, i, "there is no tool %q", name)
		return
	}
	t.Check(args, func(what string) { m.problem(harmony.BadArgs, c.Span, f.name, i, "%s", what) })
}
