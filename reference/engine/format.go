package engine

import (
	"maps"
	"slices"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/openai"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// conversation is what a case renders, with the renderer of its format.
type conversation interface {
	Render() (string, error)
	// RenderSpans gives the text and what the model wrote in it, in bytes.
	RenderSpans() (string, []harmony.Span, error)
	RenderMarked(mark func(string) string) (string, error)
	// Sanitizes tells whether control tokens in a caller's texts become plain text.
	Sanitizes() bool
}

// setting is what a renderer stands on besides the case.
type setting struct {
	template  string // the source of the chat template
	date      string // the day that templates see, an ISO date or date and time
	decisions decide.Decisions
}

// renderers are the formats that native Go renders, and how the keys of a case are
// taken: the one place of this package that names formats.
var renderers = map[string]func(in value.Value, s setting) (conversation, error){
	"beam": func(in value.Value, s setting) (conversation, error) {
		req, err := beam.DecodeRequest(in)
		return beamConversation{req, beam.Renderer{Decisions: s.decisions, Template: s.template}}, err
	},
	"gpt-oss": func(in value.Value, s setting) (conversation, error) {
		req, err := openai.DecodeRequest(in)
		if err == nil {
			req.Date, err = day(s.date)
		}
		return openaiConversation{req, openai.Renderer{Template: s.template}}, err
	},
}

// rendered are the names of renderers, sorted.
func rendered() []string { return slices.Sorted(maps.Keys(renderers)) }

type beamConversation struct {
	request  *beam.Request
	renderer beam.Renderer
}

func (c beamConversation) Render() (string, error) { return c.renderer.Render(c.request) }
func (c beamConversation) RenderSpans() (string, []harmony.Span, error) {
	made, err := c.renderer.RenderSpans(c.request)
	return made.Text, made.Spans, err
}
func (c beamConversation) RenderMarked(mark func(string) string) (string, error) {
	return c.renderer.RenderMarked(c.request, mark)
}
func (c beamConversation) Sanitizes() bool { return c.request.Sanitize }

type openaiConversation struct {
	request  *openai.Request
	renderer openai.Renderer
}

func (c openaiConversation) Render() (string, error) { return c.renderer.Render(c.request) }
func (c openaiConversation) RenderSpans() (string, []harmony.Span, error) {
	made, err := c.renderer.RenderSpans(c.request)
	return made.Text, made.Spans, err
}
func (c openaiConversation) RenderMarked(mark func(string) string) (string, error) {
	return c.renderer.RenderMarked(c.request, mark)
}
func (c openaiConversation) Sanitizes() bool { return c.request.Sanitize }

// dateError is a date that is none, as the worker words it.
type dateError struct{ text string }

func (e *dateError) Error() string {
	return "date must be a date such as 2026-01-31, with a time if need be: " + value.Repr(value.String(e.text))
}

// day is the day of an ISO date or date and time.
func day(date string) (string, error) {
	const form = time.DateOnly
	text := date[:min(len(date), len(form))]
	if _, err := time.Parse(form, text); err != nil {
		return "", &dateError{date}
	}
	return text, nil
}

// dateOf is the date of a case, else that of the run.
func (n *Native) dateOf(in *value.Object) (string, *corpus.Outcome) {
	v, _ := in.Get("date")
	if v.IsNull() {
		return n.date, nil
	}
	text, ok := v.AsString()
	if !ok {
		o := wrong("date must be a date such as 2026-01-31, with a time if need be: %s", value.Repr(v))
		return "", &o
	}
	return text, nil
}
