package response

import "github.com/beamdiff/beamdiff/harmony"

// MessageFields tell, in the order of the template, what is known of each field
// of the message before a reply is read; nothing of a nil Template.
func (t *Template) MessageFields() []harmony.Field {
	if t == nil {
		return nil
	}
	out := make([]harmony.Field, len(t.fields))
	for i, f := range t.fields {
		out[i] = harmony.Field{
			Name:    f.name,
			Text:    f.isText(),
			Strip:   f.isText() && f.content.strip,
			Repeats: f.repeats,
			Join:    f.join,
		}
		if v, ok := t.defaults.Get(f.name); ok {
			out[i].Default = v.Clone()
		}
	}
	return out
}

// isText tells whether the field's value is the text of its region.
func (f *field) isText() bool {
	if f.content.kind != "text" || f.content.err != nil || f.each {
		return false
	}
	return f.transform == nil || len(f.transform.path) == 1 && f.transform.path[0] == "content"
}
