package beam

import "github.com/beamdiff/beamdiff/harmony/template"

// RenderMarked gives the prompt of a request whose texts were passed through
// mark. With (*token.Marker).Mark it is what Transformers renders under
// sanitize_control_tokens: token.SafeEncoder makes ids of it, and token.Unmark
// the text. Errors are those of [Render].
func RenderMarked(req *Request, mark func(string) string) (string, error) {
	return Renderer{}.RenderMarked(req, mark)
}

// RenderMarked is like the function of its name.
func (r Renderer) RenderMarked(req *Request, mark func(string) string) (string, error) {
	if req == nil {
		return "", errNoRequest
	}
	marked := req.MapText(mark)
	marked.Sanitize = false
	return r.Render(marked)
}

// MapText gives a copy of the request in which each text that a caller wrote, in
// messages, tools and the template's arguments, is what f makes of it; names of
// members stay. A message's Raw, which the model wrote, is not changed, nor is the
// request's Extra, which is not rendered.
func (r *Request) MapText(f func(string) string) *Request {
	out := *r
	out.Messages, out.Tools = template.MapText(r.Messages, r.Tools, f)
	if !r.Effort.sent.IsNull() {
		out.Effort = EffortOf(template.MapValue(r.Effort.sent, f))
	}
	if r.Identity != "" {
		out.Identity = f(r.Identity)
	}
	out.BuiltinTools = template.MapTexts(r.BuiltinTools, f)
	out.Args = template.MapObject(r.Args, f)
	return &out
}
