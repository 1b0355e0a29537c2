package openai

import (
	"regexp"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/template"
)

// Error is a request that cannot be rendered: the exception that apply_chat_template
// raises with the model's template.
type Error = template.Error

// Renderer renders requests. The zero Renderer is ready to use.
type Renderer struct {
	// Template is the source of the chat template that is stood in for.
	// Transformers looks in it for the name of a field to continue; without it the
	// fields that the template reads are known, and no other.
	Template string
}

// Result is a prompt and what the model wrote in it.
type Result struct {
	Text string
	// Spans are the bytes that {% generation %} covers in the template's training
	// variant, one span a turn, in order.
	Spans []harmony.Span
}

// Render gives the prompt of a request. Errors are *[Error], or
// *[harmony.UTF8Error].
func Render(req *Request) (string, error) { return Renderer{}.Render(req) }

// AppendRender appends the prompt of a request to dst, and allocates nothing where
// dst has room. After an error dst is returned as it came.
func AppendRender(dst []byte, req *Request) ([]byte, error) {
	return Renderer{}.AppendRender(dst, req)
}

// RenderSpans renders a finished conversation for training and gives the spans that
// the model wrote. Continue is an error here, as it is in Transformers.
func RenderSpans(req *Request) (Result, error) { return Renderer{}.RenderSpans(req) }

// RenderMarked gives the prompt of a request whose texts were passed through mark.
// With (*token.Marker).Mark it is what Transformers renders under
// sanitize_control_tokens: token.SafeEncoder makes ids of it, and token.Unmark the
// text. Errors are those of [Render].
func RenderMarked(req *Request, mark func(string) string) (string, error) {
	return Renderer{}.RenderMarked(req, mark)
}

// Render is like the function of its name.
func (r Renderer) Render(req *Request) (string, error) {
	text, err := r.AppendRender(nil, req)
	return string(text), err
}

// AppendRender is like the function of its name.
func (r Renderer) AppendRender(dst []byte, req *Request) ([]byte, error) {
	if req == nil {
		return dst, errNoRequest
	}
	w := writer{buf: dst, start: len(dst), req: req, opts: r}
	w.prompt = req.GenerationPrompt == template.On || req.GenerationPrompt == template.Auto && req.Continue == ""
	if err := w.render(); err != nil {
		return dst, err
	}
	return w.buf, nil
}

// RenderSpans is like the function of its name.
func (r Renderer) RenderSpans(req *Request) (Result, error) {
	if req == nil {
		return Result{}, errNoRequest
	}
	w := writer{req: req, opts: r, training: true, mask: r.marks(), prompt: req.GenerationPrompt == template.On}
	if err := w.render(); err != nil {
		return Result{}, err
	}
	return Result{Text: string(w.buf), Spans: w.spans}, nil
}

// marks tells whether the template marks what the model wrote, as its training
// variant does and the model's own does not.
func (r Renderer) marks() bool { return r.Template == "" || generation.MatchString(r.Template) }

var generation = regexp.MustCompile(`\{%-?\s*generation\s*-?%\}`)

// RenderMarked is like the function of its name.
func (r Renderer) RenderMarked(req *Request, mark func(string) string) (string, error) {
	if req == nil {
		return "", errNoRequest
	}
	marked := req.MapText(mark)
	marked.Sanitize = false
	return r.Render(marked)
}

var (
	errNoRequest = template.ValueError("", "there is no request: it is nil")
	errNoDate    = template.ValueError("date", "the system message says the day: give it as Date, in the form YYYY-MM-DD")
)

// readFields are the keys of a message that the template reads.
var readFields = []string{"role", "content", "thinking", "tool_calls"}

// writer writes one prompt into buf.
type writer struct {
	buf    []byte
	start  int // where the prompt begins in buf
	req    *Request
	opts   Renderer
	prompt bool // a generation prompt is written

	training bool // the template is asked for spans
	mask     bool // and has them
	spans    []harmony.Span

	place  place            // what is being written
	final  *harmony.Message // stands in for the last message where it is continued
	called dynamic          // the name of the tool that was called last, null where none was
}

func (w *writer) text(s string) { w.buf = append(w.buf, s...) }

// render writes the prompt.
func (w *writer) render() error {
	tail, err := template.Begin(template.Call{
		Messages: w.req.Messages, Tools: w.req.Tools,
		Prompt: w.prompt, Mask: w.training, Sanitize: w.req.Sanitize,
		Continue: w.req.Continue, Template: w.opts.Template, Fields: readFields,
	})
	if err != nil {
		return err
	}
	if w.req.Date == "" {
		return errNoDate
	}
	w.final = tail.Final
	if err := w.system(); err != nil {
		return err
	}
	first, err := w.developer()
	if err != nil {
		return err
	}
	for i := first; i < len(w.req.Messages); i++ {
		if err := w.turn(i, first); err != nil {
			return err
		}
	}
	if w.prompt {
		w.text(MarkStart + "assistant")
	}
	kept, err := tail.Cut(w.buf[w.start:])
	if err != nil {
		return err
	}
	w.buf = w.buf[:w.start+kept]
	return template.CheckUTF8(w.buf[w.start:], w.req.Messages)
}

// message gives message i.
func (w *writer) message(i int) *harmony.Message {
	if w.final != nil && i == len(w.req.Messages)-1 {
		return w.final
	}
	return &w.req.Messages[i]
}
