package law

import (
	"context"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Subject is the checkpoint that is looked at.
type Subject struct {
	report.Subject
	// Asker answers cases with the checkpoint's own Python, each only once.
	Asker Asker
	// ChatTemplate is the source; "" where there is none.
	ChatTemplate string
	// ResponseTemplate is null where there is none; Reader is what native Go makes
	// of it, nil where there is none or that failed, and ReaderError says why.
	ResponseTemplate value.Value
	Reader           *response.Template
	ReaderError      error
	// Added are the added tokens of the checkpoint's own tokenizer, and Special its
	// named special tokens (eos_token and so on).
	Added   []string
	Special map[string]string

	// What laws share, each once it was asked for. A subject is for one goroutine.
	shapes   []*rendered
	marks    *markers
	turned   *turned
	patterns *predictions
	repeated []repetition
}

// Asker answers cases.
type Asker interface {
	// Ask gives what the checkpoint's Python makes of each case, in their order. op is
	// the protocol's: render, parse, stream, mask.
	Ask(ctx context.Context, op engine.Op, cases []corpus.Case) ([]corpus.Outcome, error)
	// Trace says which lines of the chat template wrote a prompt, or raised. The
	// zero value says that the engine cannot tell.
	Trace(ctx context.Context, c corpus.Case) (engine.Traced, error)
}

// Of is a checkpoint, asked through the engine that has opened it. The role and
// the files of report.Subject are the caller's to set. The error is a
// *checkpoint.LoadError: a tokenizer that cannot be read.
func Of(e engine.Engine, c *checkpoint.Checkpoint) (*Subject, error) {
	s := &Subject{Asker: NewAnswers(e, nil), ResponseTemplate: c.ResponseTemplate, Special: c.SpecialTokens}
	s.Name, s.Hash = c.Name, c.Hash()
	s.Files = map[string]string{}
	for i, t := range c.Templates {
		if i == 0 || t.Name == "default" {
			s.ChatTemplate = t.Text
		}
	}
	if !c.ResponseTemplate.IsNull() {
		s.Reader, s.ReaderError = response.Compile(c.ResponseTemplate)
	}
	var err error
	s.Added, err = c.AddedTokens()
	return s, err
}

// Inline is a chat template alone, asked through an engine of any checkpoint: the
// template goes with every case, and so do <s> and </s> as bos_token and
// eos_token. The laws of reading are not asked of it, and nothing is known of its
// tokenizer.
func Inline(e engine.Engine, name, chatTemplate string) *Subject {
	special := map[string]string{"bos_token": "<s>", "eos_token": "</s>"}
	s := &Subject{Asker: NewAnswers(e, &Template{Text: chatTemplate, Special: special}), ChatTemplate: chatTemplate, Special: special}
	s.Name = name
	return s
}
