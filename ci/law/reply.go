package law

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/ci/law/pattern"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// ReplyLaws are the laws of reading. They hold nothing of a subject without a
// response template.
func ReplyLaws() []Law {
	return []Law{
		{rule("reply/loads", report.Error, "The response template loads"), onlyWith(askLoads)},
		{rule("reply/reads-back", report.Error, "The model's turn, as the chat template writes it, is read back as it was"), onlyLoaded(askReadsBack)},
		{rule("reply/stop-token", report.Error, "The turn is read alike with its stop token, without it, and with what the template writes behind it"), onlyLoaded(askStop)},
		{rule("reply/prefilled", report.Error, "A turn that the prompt began already is read as one"), onlyLoaded(askPrefilled)},
		{rule("reply/bare", report.Error, "No marker and no empty value is left in what is read"), onlyLoaded(askBare)},
		{rule("reply/cuts", report.Error, "A reply in pieces is read as the whole one"), onlyLoaded(askCuts)},
		{rule("reply/streams", report.Warning, "A stream shows text as it comes"), onlyLoaded(askStreams)},
		{rule("reply/linear", report.Error, "Reading takes time in proportion to the reply"), onlyLoaded(askLinear)},
	}
}

// asking is the Ask of a law.
type asking = func(ctx context.Context, s *Subject, found Found) error

// onlyWith asks nothing of a subject without a response template.
func onlyWith(ask asking) asking {
	return func(ctx context.Context, s *Subject, found Found) error {
		if s.ResponseTemplate.IsNull() {
			return nil
		}
		return ask(ctx, s, found)
	}
}

// onlyLoaded asks nothing of a response template that does not load, which
// reply/loads tells.
func onlyLoaded(ask asking) asking {
	return onlyWith(func(ctx context.Context, s *Subject, found Found) error {
		if trouble, err := loading(ctx, s); err != nil || trouble != nil && trouble.Level != report.Warning {
			return err
		}
		return ask(ctx, s, found)
	})
}

// templatePlace is the response template as a whole.
var templatePlace = []report.Place{{File: "response_template"}}

// emptyReply is the shortest reply.
func emptyReply() corpus.Case {
	t := turn{id: "check/empty-reply", why: "A model that stopped at once."}
	return t.read("parse", "", "")
}

// loading says what is wrong with a response template before any reply is read.
func loading(ctx context.Context, s *Subject) (*Trouble, error) {
	if s.ReaderError == nil {
		return nil, nil
	}
	got, err := s.Asker.Ask(ctx, engine.OpParse, []corpus.Case{emptyReply()})
	if err != nil {
		return nil, err
	}
	t := &Trouble{Cause: "does not load", Places: templatePlace, Message: "the response template does not load: " + told(got[0]),
		Advice: "no reply can be read before this is mended; the error is that of transformers"}
	var native *response.Error
	if got[0].Kind == corpus.OK || errors.As(s.ReaderError, &native) && native.Kind == response.KindUnsupported {
		t.Cause, t.Level = "native Go does not load it", report.Warning
		t.Message = "the response template loads in Python, and native Go refuses it: " + s.ReaderError.Error()
		t.Advice = "write the pattern without the construct that is named, and any reader can use the template"
	}
	t.Witness.Sides = []report.Side{{Name: "reference", Text: told(got[0])}, {Name: "native", Text: s.ReaderError.Error()}}
	return t, nil
}

func askLoads(ctx context.Context, s *Subject, found Found) error {
	trouble, err := loading(ctx, s)
	if err != nil {
		return err
	}
	if trouble == nil {
		found(emptyReply())
	} else {
		found(emptyReply(), *trouble)
	}
	return nil
}

// told is an outcome on one line, an error with its text.
func told(o corpus.Outcome) string {
	if o.Kind == corpus.Raised {
		return o.Class + ": " + strings.ReplaceAll(o.Message, "\n", " ")
	}
	return pattern.Told(o)
}

// parse reads cases, as answered does.
func parse(ctx context.Context, s *Subject, law string, cases []corpus.Case) ([]corpus.Outcome, error) {
	return s.answered(ctx, law, engine.OpParse, cases)
}

func askReadsBack(ctx context.Context, s *Subject, found Found) error {
	written, err := s.turns(ctx)
	if err != nil {
		return err
	}
	for _, id := range written.unaligned {
		found(corpus.Case{ID: "check/" + id + "/turn"}, Trouble{Level: report.Note, Cause: "cannot be cut out",
			Message: "the turn cannot be told from its prompt, and is not read back: the conversation does not go on from the prompt that it answers"})
	}
	var cases []corpus.Case
	all := written.turns
	for _, t := range all {
		cases = append(cases, t.read("read", t.prompt, t.text))
	}
	got, err := parse(ctx, s, "reply/reads-back", cases)
	if err != nil {
		return err
	}
	if len(all) == 0 && s.ChatTemplate != "" {
		return &Unasked{"reply/reads-back", "no turn of the model can be told from its prompt"}
	}
	for i, t := range all {
		if t.quotes {
			continue // the caller's own text reads as structure
		}
		if got[i].Kind == corpus.Raised {
			message := "the turn that the chat template writes cannot be read: " + told(got[i])
			if strings.Contains(t.text, "None") && strings.Contains(value.Dumps(t.message), "null") {
				message = "the chat template writes null as Python's None, which cannot be read: " + told(got[i])
			}
			found(cases[i], Trouble{Cause: "raises " + got[i].Class, Message: message, Places: templatePlace,
				Witness: report.Witness{At: "the reply", Sides: []report.Side{{Name: "written", Text: t.text}, {Name: "read", Text: told(got[i])}}}})
			continue
		}
		var troubles []Trouble
		for _, l := range t.losses(got[i].Value) {
			if t.alike && l.level == "" {
				l.level = report.Warning
			}
			troubles = append(troubles, Trouble{Level: l.level, Cause: l.cause, Message: l.message, Places: templatePlace,
				Witness: report.Witness{At: "the message", Sides: []report.Side{{Name: "want", Text: l.written}, {Name: "read", Text: l.read}, {Name: "reply", Text: quote(t.text)}}}})
		}
		found(cases[i], troubles...)
	}
	return nil
}

func askStop(ctx context.Context, s *Subject, found Found) error {
	return likeWhole(ctx, s, "reply/stop-token", found, func(t *turn) (out []way) {
		if t.stop == "" {
			return nil
		}
		out = append(out, way{Case: t.read("no-stop", t.prompt, strings.TrimSuffix(t.text, t.stop)), cause: "without the stop token",
			message: fmt.Sprintf("without its stop token %s, as servers give replies that strip it", t.stop), whole: "with it", other: "without it"})
		if t.after != "" {
			out = append(out, way{Case: t.read("behind", t.prompt, t.text+t.after), cause: "what stands behind the stop token",
				message: fmt.Sprintf("with the %q that the template writes behind the stop token", t.after), whole: "up to the token", other: "with what is behind", most: report.Warning,
				advice: "let the close take the white space behind it (`\\s*`)"})
		}
		return out
	})
}

// askPrefilled moves some of the turn into the prompt: up to a word of the content,
// and all that stands before the content or the reasoning.
func askPrefilled(ctx context.Context, s *Subject, found Found) error {
	start := startAnchor(s.ResponseTemplate)
	return likeWhole(ctx, s, "reply/prefilled", found, func(t *turn) (out []way) {
		add := func(what, body string, within int) {
			at := strings.Index(t.text, body)
			if body == "" || at < 0 || at+within == 0 {
				return
			}
			at += within
			w := way{Case: t.read("prefilled-"+strings.ReplaceAll(what, " ", "-"), t.prompt+t.text[:at], t.text[at:]), cause: "begun: " + what,
				message: fmt.Sprintf("with %q in the prompt already", last(t.text[:at], 40)), whole: "all generated", other: "begun by the prompt"}
			if start != nil {
				if m, again, err := start.NewScan().Search(t.text[:at], 0); err == nil && again && m.End > m.Start {
					w.cause, w.most = "the start anchor stands in the turn again", report.Warning
					w.advice = "what stands before the last start anchor of a prompt does not count: a start anchor that the turn has only once keeps it"
				}
			}
			out = append(out, w)
		}
		content := value.Strip(flat(t.message.Get("content")))
		if i := strings.IndexByte(content, ' '); i > 0 {
			add("content", content, i+1)
		}
		add("before the content", content, 0)
		for _, key := range reasoningKeys {
			add("reasoning", value.Strip(text(t.message.Get(key))), 0)
		}
		return out
	})
}

// last is the end of a text.
func last(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return "…" + string(r[len(r)-n:])
	}
	return text
}
