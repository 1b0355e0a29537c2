package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// NativeName is how the native engine is named in verdicts.
const NativeName = "native"

// Native answers cases in Go: prompts through the renderer of their format
// (format.go), replies through harmony/response with the checkpoint's response
// template. It starts no process.
type Native struct {
	checkpoint *checkpoint.Checkpoint
	format     string
	decisions  decide.Decisions
	date       string             // that templates see where a case does not say
	template   *response.Template // nil where the checkpoint has none that can be read
	refused    error              // why it cannot
	markers    []string           // the tokenizer's added tokens
	noMarkers  error              // why they cannot be had
	tokenizer  *tokenizer
}

// NativeOptions say how a checkpoint is taken. The zero value looks at its
// template and decides as the default checkpoint does.
type NativeOptions struct {
	// Format, if not empty, says what the checkpoint is of.
	Format string
	// Decisions settle what Beam's documentation leaves open.
	Decisions decide.Decisions
	// Date is the time that templates see where a case does not say, an ISO date or
	// date and time; "" is today, in UTC.
	Date string
}

// NewNative makes the native engine for a checkpoint. A response template that
// cannot be compiled is no error: the engine raises it for each case, as the
// reference does.
func NewNative(c *checkpoint.Checkpoint, o NativeOptions) *Native {
	n := &Native{checkpoint: c, format: o.Format, decisions: o.Decisions, date: o.Date, tokenizer: newTokenizer(c)}
	if n.format == "" {
		n.format = c.Format()
	}
	if n.date == "" {
		n.date = time.Now().UTC().Format(time.DateOnly)
	}
	if !c.ResponseTemplate.IsNull() {
		n.template, n.refused = response.Compile(c.ResponseTemplate)
		if n.refused != nil {
			n.template = nil
		}
	}
	n.markers, n.noMarkers = c.AddedTokens()
	return n
}

// Name is [NativeName].
func (n *Native) Name() string { return NativeName }

// Info tells what the engine can do. It never fails.
func (n *Native) Info(context.Context) (Info, error) {
	notes := n.decisions.Settings()
	for _, held := range n.template.HeldBack() {
		notes = append(notes, "replies cannot be streamed: "+held)
	}
	notes = append(notes, n.template.Backtracks()...)
	if n.noMarkers != nil {
		notes = append(notes, fmt.Sprintf("problems are told without the tokenizer's markers: %v", n.noMarkers))
	}
	info := Info{
		Name:           NativeName,
		Versions:       []Version{{"go", runtime.Version()}, {"platform", runtime.GOOS + "/" + runtime.GOARCH}},
		Checkpoint:     n.checkpoint.Name,
		CheckpointHash: n.checkpoint.Hash(),
		Formats:        rendered(),
		Abilities:      []string{string(OpRender), string(OpEncode), string(OpMask), string(OpParse), string(OpStream)},
		Notes:          notes,
	}
	n.tokenizer.tell(&info)
	return info, nil
}

// Close does nothing: there is nothing to end.
func (n *Native) Close() error { return nil }

// caught makes a panic, which is a bug of this module, the engine's failure.
func caught(o *corpus.Outcome) {
	if r := recover(); r != nil {
		*o = failed(fmt.Sprintf("panic: %v\n%s", r, debug.Stack()))
	}
}

// Do answers a request.
func (n *Native) Do(ctx context.Context, r Request) (o corpus.Outcome) {
	defer caught(&o)
	if err := ctx.Err(); err != nil {
		return failed(err.Error())
	}
	switch r.Op {
	case OpRender:
		return n.render(r.Case)
	case OpEncode:
		return n.encode(r.Case)
	case OpMask:
		return n.mask(r.Case)
	case OpParse:
		return n.Read(r.Case, ReadOptions{}).Outcome
	case OpStream:
		return n.Read(r.Case, ReadOptions{Events: true}).stream()
	}
	return cannot("the native engine has no operation " + string(r.Op))
}

func given(v value.Value) corpus.Outcome {
	return corpus.Outcome{Kind: corpus.OK, Value: v, Offset: -1}
}

func cannot(why string) corpus.Outcome {
	return corpus.Outcome{Kind: corpus.Cannot, Why: why, Offset: -1}
}

// raised is the outcome that an error of the format is.
func raised(err error) corpus.Outcome {
	o := corpus.Outcome{Kind: corpus.Raised, Message: err.Error(), Offset: -1}
	var rendering *template.Error
	var reading *response.Error
	var shape *harmony.DecodeError
	var text *harmony.UTF8Error
	var date *dateError
	switch {
	case errors.As(err, &rendering):
		o.Class, o.Message = rendering.Class, rendering.Message
	case errors.As(err, &reading):
		if reading.Kind == response.KindUnsupported {
			return cannot(err.Error())
		}
		o.Class, o.Message = reading.Class(), reading.Msg
		if reading.Offset != response.NoOffset {
			o.Offset = reading.Offset
		}
	case errors.As(err, &shape), errors.As(err, &date):
		o.Class = requestError
	case errors.As(err, &text):
		o.Class, o.Offset = "UTF8Error", text.Offset
	default:
		return failed(err.Error())
	}
	return o
}

// requestError is the class of a request that is itself wrong, as the worker
// names it.
const requestError = "RequestError"

func wrong(format string, args ...any) corpus.Outcome {
	return corpus.Outcome{Kind: corpus.Raised, Class: requestError, Message: fmt.Sprintf(format, args...), Offset: -1}
}

// chatTemplate chooses the template as the tokenizer does: the case's, which may
// be the name of one of the checkpoint's; else tool_use where there are tools
// and one of that name; else default.
func (n *Native) chatTemplate(in *value.Object) (text string, inline bool) {
	named := func(name string) (string, bool) {
		i := slices.IndexFunc(n.checkpoint.Templates, func(t checkpoint.Template) bool { return t.Name == name })
		if i < 0 {
			return "", false
		}
		return n.checkpoint.Templates[i].Text, true
	}
	v, _ := in.Get("chat_template")
	if asked, ok := v.AsString(); ok {
		if text, ok := named(asked); ok && asked != "" {
			return text, false
		}
		return asked, true
	}
	if tools, _ := in.Get("tools"); !tools.IsNull() {
		if text, ok := named("tool_use"); ok {
			return text, false
		}
	}
	for _, name := range []string{"", "default"} {
		if text, ok := named(name); ok {
			return text, false
		}
	}
	return "", false
}

// conversation decodes the keys of a case that say what is rendered, by the format
// of its chat template, which is given too; refused is the outcome where there is
// none.
func (n *Native) conversation(in *value.Object) (c conversation, template string, refused *corpus.Outcome) {
	text, inline := n.chatTemplate(in)
	format := n.format
	if inline {
		format = checkpoint.FormatOf(text)
	}
	decode, known := renderers[format]
	if !known {
		why := fmt.Sprintf("the native renderer writes the formats %s, and this chat template is of none of them", strings.Join(rendered(), " and "))
		if text == "" && !inline {
			why = "the checkpoint has no chat template to render with"
		}
		o := cannot(why)
		return nil, "", &o
	}
	date, refused := n.dateOf(in)
	if refused != nil {
		return nil, "", refused
	}
	keys := &value.Object{}
	for name, v := range in.All() {
		switch name {
		case "chat_template", "date", keyTruncation, keyMaxLength, keyPadding:
		default:
			keys.Set(name, v)
		}
	}
	c, err := decode(keys.Value(), setting{text, date, n.decisions})
	if err != nil {
		o := raised(err)
		return nil, "", &o
	}
	return c, text, checkDocuments(in)
}

func (n *Native) render(in *value.Object) corpus.Outcome {
	c, _, refused := n.conversation(in)
	if refused != nil {
		return *refused
	}
	text, err := c.Render()
	if err != nil {
		return raised(err)
	}
	return given(value.String(text))
}

// Choices are the other choices of a decision; none where there is no decision
// of that name.
func (n *Native) Choices(decision string) []string {
	for _, d := range decide.All() {
		if d.Name == decision {
			now := n.decisions.Choice(decision)
			return slices.DeleteFunc(d.Choices, func(choice string) bool { return choice == now })
		}
	}
	return nil
}

// Decide is the same engine with a decision taken otherwise. The error is a
// *decide.Error.
func (n *Native) Decide(decision, choice string) (Engine, error) {
	other := *n
	if err := other.decisions.Set(decision + "=" + choice); err != nil {
		return nil, err
	}
	return &other, nil
}
