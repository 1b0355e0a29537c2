package campaign

import (
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Generator makes cases: the same choices always the same case. Make may be
// called from several goroutines at once, each with a source of its own.
type Generator struct {
	Name string
	// Weight is how often it is taken, next to the others.
	Weight int
	Make   func(s *fuzz.Source) corpus.Case
}

// Default are the generators for a checkpoint: replies to its own response
// template, null where it has none, conversations of its format where there are such, and
// replies to this project's templates and to random ones, which prove the engine
// for templates whatever the checkpoint. The error is a template that native Go
// cannot compile.
func Default(responseTemplate value.Value, format string) ([]Generator, error) {
	generators := []Generator{Replies(), RandomReplies()}
	if !responseTemplate.IsNull() {
		t, err := fuzz.NewTemplate("checkpoint", responseTemplate)
		if err != nil {
			return nil, err
		}
		generators = append(generators, CheckpointReplies(t))
	}
	if made, ok := conversation.Of(format); ok {
		generators = append(generators, ConversationsOf(made, corpus.Render, 4), ConversationsOf(made, corpus.Mask, 1))
	}
	return generators, nil
}

// CheckpointReplies makes replies to the run's own response template.
func CheckpointReplies(t *fuzz.Template) Generator {
	return Generator{Name: "replies", Weight: 4, Make: func(s *fuzz.Source) corpus.Case {
		c := reply(s, t)
		c.Input.Delete("response_template")
		return c
	}}
}

// Replies makes replies to the templates of package fuzz, which each case brings
// along.
func Replies() Generator {
	return Generator{Name: "templates", Weight: 2, Make: func(s *fuzz.Source) corpus.Case {
		return reply(s, fuzz.Pick(s, fuzz.Templates()...))
	}}
}

// reply makes a reply: of many regions or of one, damaged or not, with a cut.
func reply(s *fuzz.Source, t *fuzz.Template) corpus.Case {
	made := fuzz.Generate
	if s.OneIn(3) {
		made = fuzz.GenerateOne
	}
	in := made(s, t)
	if s.OneIn(2) {
		fuzz.Mutate(s, in)
	}
	in.Cut = fuzz.CutOf(s, in)
	return corpus.Case{Kind: corpus.Parse, Input: in.Case(in.Cut.At)}
}

// RandomReplies makes a template by chance and a reply to it.
func RandomReplies() Generator {
	return Generator{Name: "random templates", Weight: 1, Make: func(s *fuzz.Source) corpus.Case {
		for {
			t, err := fuzz.RandomTemplate(s, "random")
			if err != nil {
				continue // one that native Go refuses
			}
			in := fuzz.RandomInput(s, t)
			return corpus.Case{Kind: corpus.Parse, Input: in.Case(in.Cut.At)}
		}
	}}
}

// Conversations makes conversations of Beam, which most templates render some of,
// to render or to mask.
func Conversations(kind corpus.Kind, weight int) Generator {
	made, _ := conversation.Of("beam")
	return ConversationsOf(made, kind, weight)
}

// ConversationsOf makes conversations of any format (conversation.Of).
func ConversationsOf(made func(*fuzz.Source) *conversation.Conversation, kind corpus.Kind, weight int) Generator {
	return Generator{Name: map[corpus.Kind]string{corpus.Render: "conversations", corpus.Mask: "masks"}[kind], Weight: weight,
		Make: func(s *fuzz.Source) corpus.Case {
			c := made(s).Case(kind, "")
			return corpus.Case{Kind: kind, Format: c.Format, Input: c.Input}
		}}
}
