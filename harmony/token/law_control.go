package token

import "fmt"

// CheckControl looks whether the ids of a rendered text hold as many control
// tokens as the renderer wrote markers ([LawControl]). Each further one is
// reported with the text of the request that wrote it.
func CheckControl(v *Vocabulary, tr Trace, e Encoding) []Finding {
	var out []Finding
	for _, f := range tr.Foreign {
		token := v.name(f.ID)
		detail := fmt.Sprintf("writes the control token %s (id %d) at byte %d of the prompt", token, f.ID, f.Text.Start)
		for _, s := range f.Sources[1:] {
			detail += fmt.Sprintf(", together with %s", s.Path)
		}
		out = append(out, Finding{Law: LawControl, Path: f.Sources[0].Path, Offset: f.Sources[0].Offset, Token: token, Detail: detail})
	}
	n := 0
	for _, id := range e.IDs {
		if v.isAdded(id) && !v.tokens[id].model {
			n++
		}
	}
	want := 0
	for _, m := range tr.Written {
		if !v.tokens[m.ID].model {
			want++
		}
	}
	for _, m := range tr.Foreign {
		if !v.tokens[m.ID].model {
			want++
		}
	}
	if n != want {
		out = append(out, Finding{Law: LawControl, Offset: -1, Detail: fmt.Sprintf("%d control ids stand for the %d markers of the prompt", n, want)})
	}
	return out
}
