package beam

import (
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Renderer renders requests. The zero Renderer is that of the default
// checkpoint.
type Renderer struct {
	// Decisions settles what the page leaves open.
	Decisions decide.Decisions
	// Template is the source of the chat template that is stood in for.
	// Transformers looks in it for the name of a field to continue; without it
	// the fields that the template reads are known, and no other.
	Template string
}

// Result is a prompt and what the model wrote in it.
type Result struct {
	Text string
	// Spans are the bytes that {% generation %} covers, one span a turn, in order.
	Spans []harmony.Span
}

// Render gives the prompt of a request. Errors are *[Error], or
// *[harmony.UTF8Error].
func Render(req *Request) (string, error) { return Renderer{}.Render(req) }

// AppendRender appends the prompt of a request to dst, and allocates nothing
// where dst has room. After an error dst is returned as it came.
func AppendRender(dst []byte, req *Request) ([]byte, error) {
	return Renderer{}.AppendRender(dst, req)
}

// RenderSpans renders a finished conversation for training and gives the spans
// that the model wrote. Continue is an error here, as it is in Transformers.
func RenderSpans(req *Request) (Result, error) { return Renderer{}.RenderSpans(req) }

// Render is like the function of its name.
func (r Renderer) Render(req *Request) (string, error) {
	text, err := r.AppendRender(make([]byte, 0, sizeHint(req)), req)
	return string(text), err
}

// AppendRender is like the function of its name.
func (r Renderer) AppendRender(dst []byte, req *Request) ([]byte, error) {
	if req == nil {
		return dst, errNoRequest
	}
	w := writer{buf: dst, start: len(dst), req: req, opts: r}
	w.prompt = req.GenerationPrompt == On || req.GenerationPrompt == Auto && req.Continue == ""
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
	w := writer{buf: make([]byte, 0, sizeHint(req)), req: req, opts: r, mask: true}
	w.prompt = req.GenerationPrompt == On
	if err := w.render(); err != nil {
		return Result{}, err
	}
	return Result{Text: string(w.buf), Spans: w.spans}, nil
}

// sizeHint guesses the length of a prompt, in bytes.
func sizeHint(req *Request) int {
	if req == nil {
		return 0
	}
	n := 256
	for i := range req.Messages {
		m := &req.Messages[i]
		n += 96 + len(m.Content) + len(m.Thinking) + len(m.Raw) + 256*len(m.ToolCalls)
		for j := range m.Parts {
			n += len(m.Parts[j].Text)
		}
	}
	return n + 512*len(req.Tools)
}

// readFields are the keys of a message that the template reads.
var readFields = []string{"role", "content", "reasoning_content", "thinking", "reasoning", "tool_calls", "name", "tool_call_id", "refusal", "function_call"}

// writer writes one prompt into buf.
type writer struct {
	buf    []byte
	start  int // where the prompt begins in buf
	req    *Request
	opts   Renderer
	args   arguments
	prompt bool // a generation prompt is written

	mask  bool // spans are kept
	spans []harmony.Span

	tooDeep bool // a value nests deeper than JSON text can

	final *harmony.Message // stands in for the last message where it is continued
	calls callIndex
}

// render writes the prompt. It goes in the order of the prompt; the template
// does not, so after an error it asks for the first one in the template's order.
func (w *writer) render() error {
	tail, err := template.Begin(template.Call{
		Messages: w.req.Messages, Tools: w.req.Tools,
		Prompt: w.prompt, Mask: w.mask, Sanitize: w.req.Sanitize,
		Continue: w.req.Continue, Template: w.opts.Template, Fields: readFields,
	})
	if err != nil {
		return err
	}
	w.final = tail.Final
	if err := w.write(); err != nil {
		if first := w.firstError(); first != nil {
			return first
		}
		return err
	}
	if w.tooDeep {
		return template.TooDeep()
	}
	kept, err := tail.Cut(w.buf[w.start:])
	if err != nil {
		return err
	}
	w.buf = w.buf[:w.start+kept]
	return template.CheckUTF8(w.buf[w.start:], w.req.Messages)
}

// write writes the messages in the order of the prompt.
func (w *writer) write() (err *Error) {
	if w.args, err = w.req.arguments(&w.opts.Decisions); err != nil {
		return err
	}
	if err := w.system(); err != nil {
		return err
	}
	if err := w.developer(); err != nil {
		return err
	}
	for i := range w.req.Messages {
		if err := w.turn(i); err != nil {
			return err
		}
	}
	if w.prompt {
		w.text(assistantHead)
	}
	return nil
}

// firstError gives the error that the template comes to first: it declares all
// tools, in their order, before it reads a message.
func (w *writer) firstError() *Error {
	w.calls = callIndex{}
	if _, err := w.req.arguments(&w.opts.Decisions); err != nil {
		return err
	}
	for i := range w.req.Tools {
		if _, err := w.tool(i, everyTool); err != nil {
			return err
		}
		w.buf = w.buf[:w.start]
	}
	if _, err := w.instructions(); err != nil {
		return err
	}
	for i := range w.req.Messages {
		w.buf = w.buf[:w.start]
		if err := w.turn(i); err != nil {
			return err
		}
	}
	return nil
}

// system writes the system message.
func (w *writer) system() *Error {
	w.text(MarkStart + "system" + MarkMessage)
	w.text(w.args.identity)
	w.text("\n\nReasoning effort: ")
	if label, ok := w.args.effort.AsString(); ok {
		w.text(label)
	} else {
		w.json(w.args.effort)
	}
	w.text("\n\n")
	if any, err := w.toolSection(systemTools); err != nil {
		return err
	} else if any {
		w.text("\n\n")
	}
	w.text("# Valid channels: analysis, final. Channel must be included for every message." + MarkEnd)
	return nil
}

// developer writes the developer message: the instructions, then the tools.
func (w *writer) developer() *Error {
	from := len(w.buf)
	w.text(MarkStart + "developer" + MarkMessage)
	some, err := w.instructions()
	if err != nil {
		return err
	}
	at := len(w.buf)
	if some {
		w.text("\n\n")
	}
	tools, err := w.toolSection(developerTools)
	switch {
	case err != nil:
		return err
	case !some && !tools:
		w.buf = w.buf[:from]
		return nil
	case !tools:
		w.buf = w.buf[:at]
	}
	w.text(MarkEnd)
	return nil
}

// instructions writes the instructions at the start of the conversation, a blank
// line apart, and tells whether there are any.
func (w *writer) instructions() (some bool, err *Error) {
	from := len(w.buf)
	w.text("# Instructions\n\n")
	for i := range w.req.Messages {
		m := w.message(i)
		if !isInstruction(m) {
			break
		}
		before := len(w.buf)
		if some {
			w.text("\n\n")
		}
		at := len(w.buf)
		if err := w.content(m, i); err != nil {
			return false, err
		}
		if len(w.buf) == at && w.opts.Decisions.EmptyInstructions == decide.EmptyInstructionsSkip {
			w.buf = w.buf[:before]
			continue
		}
		some = true
	}
	if !some {
		w.buf = w.buf[:from]
	}
	return some, nil
}

func isInstruction(m *harmony.Message) bool {
	return m.Role == harmony.System || m.Role == harmony.Developer
}

// message gives message i.
func (w *writer) message(i int) *harmony.Message {
	if w.final != nil && i == len(w.req.Messages)-1 {
		return w.final
	}
	return &w.req.Messages[i]
}

func (w *writer) text(s string) { w.buf = append(w.buf, s...) }

// json writes a value as the template's tojson does.
func (w *writer) json(v value.Value) {
	if template.IsDeeper(v, value.MaxDepth) {
		w.tooDeep = true
		return
	}
	w.buf = value.Append(w.buf, v, value.ToJSON)
}
