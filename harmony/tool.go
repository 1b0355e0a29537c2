package harmony

import "github.com/beamdiff/beamdiff/harmony/value"

// ToolDef is a tool that the model may call: a name, a description and a JSON
// schema of its parameters.
type ToolDef struct {
	// Def is the definition as it was sent, in OpenAI's form or as the bare
	// function object. Renderers read it; nothing of it is lost.
	Def value.Value
}

// DecodeTool takes a tool definition as it was sent. It must be an object; the
// error is a *[DecodeError]. Everything else is for the renderer to judge.
func DecodeTool(v value.Value, path string) (ToolDef, error) {
	if v.Kind() != value.KindObject {
		return ToolDef{}, &DecodeError{Path: path, Want: "an object", Got: v.Kind().String()}
	}
	return ToolDef{Def: v}, nil
}

// Function is the function object: the member "function" where there is one,
// else the definition itself.
func (t ToolDef) Function() value.Value {
	if o, ok := t.Def.AsObject(); ok {
		if f, ok := o.Get("function"); ok {
			return f
		}
	}
	return t.Def
}

// Name is the tool's name, and whether it has one that is a string.
func (t ToolDef) Name() (string, bool) { return t.Function().Get("name").AsString() }

// Description is the tool's description, "" where it has none.
func (t ToolDef) Description() string {
	s, _ := t.Function().Get("description").AsString()
	return s
}

// Parameters is the JSON schema of the arguments, null where there is none.
func (t ToolDef) Parameters() value.Value { return t.Function().Get("parameters") }
