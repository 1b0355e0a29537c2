package render

import (
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Subject renders requests and reads replies: what the laws judge.
type Subject struct {
	Decode func(value.Value) (*beam.Request, error)
	Render func(*beam.Request) (string, error)
	Spans  func(*beam.Request) (beam.Result, error)
	Warn   func(*beam.Request) []beam.Warning
	// Read reads a reply behind a prompt, with problems.
	Read func(reply, prompt string, tools []harmony.ToolDef) (harmony.Reply, error)
}

// Native is this project's own renderer, and its reader with the default
// checkpoint's response template.
var Native = Subject{
	Decode: beam.DecodeRequest,
	Render: beam.Render,
	Spans:  beam.RenderSpans,
	Warn:   beam.Check,
	Read: func(reply, prompt string, tools []harmony.ToolDef) (harmony.Reply, error) {
		o := response.Options{Prefix: &prompt, Problems: true}
		if tools != nil {
			defs := make([]value.Value, len(tools))
			for i := range tools {
				defs[i] = tools[i].Def
			}
			o.Tools = response.PrepareTools(defs)
		}
		return fuzz.FindTemplate("beam").Compiled.Parse(reply, o)
	},
}

// prompt renders the first n messages with a generation prompt or without.
func (sub Subject) prompt(req *beam.Request, n int, generate beam.Switch) (string, error) {
	part := *req
	part.Messages = req.Messages[:n]
	part.GenerationPrompt = generate
	if n == 0 { // what stands before the first message; an empty instruction adds nothing
		part.Messages = []harmony.Message{{Role: harmony.System}}
	}
	return sub.Render(&part)
}
