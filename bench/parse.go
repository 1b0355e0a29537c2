package bench

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/beamdiff/beamdiff/bench/replies"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// cuts are the ways in which replies are fed, in characters a feed: in one piece, as
// an API that does not stream; four, about a token; and one, the most feeds there
// can be.
var cuts = []int{0, 4, 1}

// cutName is a cut as names have it.
func cutName(cut int) string {
	if cut == 0 {
		return "whole"
	}
	return strconv.Itoa(cut)
}

var noPrefix = ""

// beamTemplate is the default checkpoint's response template, compiled.
var beamTemplate = sync.OnceValues(func() (*response.Template, error) {
	return response.Compile(checkpoint.Default().ResponseTemplate)
})

// ReplyInput is a reply and how it is fed: the input of a Parse case, for whoever
// reads it.
type ReplyInput struct {
	Kind replies.Kind
	Size int // bytes, about
	Cut  int // characters a feed; 0 is whole

	text   string
	chunks []string
	want   Tally
}

// Tally is what a message is checked by: the bytes of its texts and the number of
// its calls.
type Tally struct{ Thinking, Content, Calls int }

// Tallied is the tally of a message in the reference's form.
func Tallied(message value.Value) (t Tally) {
	thinking, _ := message.Get("thinking").AsString()
	content, _ := message.Get("content").AsString()
	t.Thinking, t.Content = len(thinking), len(content)
	if calls, ok := message.Get("tool_calls").AsArray(); ok {
		t.Calls = calls.Len()
	}
	return t
}

// Text is the reply.
func (in *ReplyInput) Text() string {
	if in.text == "" {
		in.text = in.Kind.Make(in.Size)
		in.chunks = replies.Cut(in.text, in.Cut)
	}
	return in.text
}

// Chunks are its pieces.
func (in *ReplyInput) Chunks() []string { in.Text(); return in.chunks }

// Want is the right answer: that of the native reader, read once in one piece;
// TestReference holds it against the reference's.
func (in *ReplyInput) Want() (Tally, error) {
	if in.want == (Tally{}) {
		tpl, err := beamTemplate()
		if err != nil {
			return Tally{}, err
		}
		reply, err := tpl.Parse(in.Text(), response.Options{Prefix: &noPrefix})
		if err != nil {
			return Tally{}, err
		}
		in.want = Tallied(reply.Message)
	}
	return in.want, nil
}

// case_ is the case of the input for an implementation.
func (in *ReplyInput) case_(impl string, prepare func(*Env, *ReplyInput) (*Body, error)) Case {
	kind, size := in.Kind, in.Size
	return Case{
		Family: "Parse", Impl: impl, Size: size, Why: kind.Why,
		Labels: []Label{{"kind", kind.Name}, {"size", SizeName(size)}, {"cut", cutName(in.Cut)}},
		Gated:  impl == Native && slices.Contains(BudgetSizes, size),
		Prepare: func(env *Env) (*Body, error) {
			return prepare(env, &ReplyInput{Kind: kind, Size: size, Cut: in.Cut})
		},
	}
}

// replyInputs are all inputs of the family Parse. Hostile replies are not fed a
// character at a time in all sizes: the linear tests do that by steps.
func replyInputs() (list []ReplyInput) {
	for _, kind := range replies.Kinds {
		for _, cut := range cuts {
			if kind.Hostile() && cut == 1 {
				continue
			}
			for _, size := range Sizes {
				if size >= kind.Least {
					list = append(list, ReplyInput{Kind: kind, Size: size, Cut: cut})
				}
			}
		}
	}
	return list
}

// parseCases are the native reader and the yardsticks.
func parseCases() (list []Case) {
	for _, in := range replyInputs() {
		list = append(list, in.case_(Native, nativeReader))
		if in.Cut == 0 {
			list = append(list, in.case_("scan", scanReader))
		}
		if !in.Kind.Hostile() && in.Kind.BytesToCall == 0 {
			list = append(list, in.case_("splitter", splitterReader))
		}
	}
	return list
}

// nativeReader reads with the engine. Feeds go through one parser that is reset.
func nativeReader(_ *Env, in *ReplyInput) (*Body, error) {
	tpl, err := beamTemplate()
	if err != nil {
		return nil, err
	}
	want, err := in.Want()
	if err != nil {
		return nil, err
	}
	return templateReader(tpl, in.Text(), in.Chunks(), func(reply harmony.Reply) error {
		if got := Tallied(reply.Message); got != want {
			return fmt.Errorf("%+v, not %+v", got, want)
		}
		return nil
	})
}

// templateReader reads a reply with a template: at once where it is one chunk.
func templateReader(tpl *response.Template, text string, chunks []string, check func(harmony.Reply) error) (*Body, error) {
	o := response.Options{Prefix: &noPrefix}
	if len(chunks) == 1 {
		return &Body{Bytes: len(text), Run: plant(func() error {
			reply, err := tpl.Parse(text, o)
			if err != nil {
				return err
			}
			return check(reply)
		})}, nil
	}
	p, err := tpl.NewParser(o)
	if err != nil {
		return nil, err
	}
	run := func() error {
		if err := p.Reset(o); err != nil {
			return err
		}
		for _, chunk := range chunks {
			if _, err := p.Feed(chunk); err != nil {
				return err
			}
		}
		_, reply, err := p.Finalize(harmony.Stop{})
		if err != nil {
			return err
		}
		return check(reply)
	}
	return &Body{Bytes: len(text), Run: plant(run), Steps: p.Steps}, nil
}

// scanReader is the limit: it looks for each < of the reply.
func scanReader(_ *Env, in *ReplyInput) (*Body, error) { return scanned([]byte(in.Text())) }

func scanned(text []byte) (*Body, error) {
	want := 0
	for _, b := range text {
		if b == '<' {
			want++
		}
	}
	return &Body{Bytes: len(text), Run: func() error {
		if got := replies.Scan(text); got != want {
			return fmt.Errorf("%d found, not %d", got, want)
		}
		return nil
	}}, nil
}

// splitterReader splits the reply at its markers.
func splitterReader(_ *Env, in *ReplyInput) (*Body, error) {
	want, err := in.Want()
	if err != nil {
		return nil, err
	}
	return split(in.Text(), in.Chunks(), want)
}

func split(text string, chunks []string, want Tally) (*Body, error) {
	s := &replies.Splitter{}
	return &Body{Bytes: len(text), Run: func() error {
		s.Reset()
		for _, chunk := range chunks {
			s.Feed(chunk)
		}
		thinking, final := s.End()
		if got := (Tally{Thinking: len(thinking), Content: len(final)}); got != want {
			return fmt.Errorf("%+v, not %+v", got, want)
		}
		return nil
	}}, nil
}
