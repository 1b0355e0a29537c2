package render

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/fuzz/suite"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// onMessages is the native side with a fault in how it takes messages: change gets
// a copy of each.
func onMessages(change func(messages []harmony.Message, i int)) Subject {
	sub := Native
	wrong := func(req *beam.Request) *beam.Request {
		other := *req
		other.Messages = slices.Clone(req.Messages)
		for i := range other.Messages {
			change(other.Messages, i)
		}
		return &other
	}
	sub.Render = func(req *beam.Request) (string, error) { return Native.Render(wrong(req)) }
	sub.Spans = func(req *beam.Request) (beam.Result, error) { return Native.Spans(wrong(req)) }
	return sub
}

// onRequest is the native side with a fault in how it takes a request.
func onRequest(change func(req *beam.Request)) Subject {
	sub := Native
	sub.Render = func(req *beam.Request) (string, error) {
		other := *req
		change(&other)
		return Native.Render(&other)
	}
	return sub
}

// onJSON is the native side with a fault in how it decodes a request.
func onJSON(change func(request *value.Object)) Subject {
	sub := Native
	sub.Decode = func(v value.Value) (*beam.Request, error) {
		v = v.Clone()
		o, _ := v.AsObject()
		change(o)
		return Native.Decode(v)
	}
	return sub
}

// onText is the native side with a fault in what it writes.
func onText(change func(req *beam.Request, text string) string) Subject {
	sub := Native
	sub.Render = func(req *beam.Request) (string, error) {
		text, err := Native.Render(req)
		if err == nil {
			text = change(req, text)
		}
		return text, err
	}
	return sub
}

// onSpans is the native side with a fault in its spans.
func onSpans(change func(spans []harmony.Span) []harmony.Span) Subject {
	sub := Native
	sub.Spans = func(req *beam.Request) (beam.Result, error) {
		r, err := Native.Spans(req)
		r.Spans = change(r.Spans)
		return r, err
	}
	return sub
}

// onArguments is the native side with a fault in how it reads arguments.
func onArguments(change func(text string) string) Subject {
	sub := Native
	sub.Read = func(reply, prompt string, tools []harmony.ToolDef) (harmony.Reply, error) {
		r, err := Native.Read(reply, prompt, tools)
		for _, c := range r.Calls {
			args, _ := c.Value.Get("function").Get("arguments").AsObject()
			for i := range args.Len() {
				if text, ok := args.At(i).Value.AsString(); ok {
					args.Set(args.At(i).Name, value.String(change(text)))
				}
			}
		}
		return r, err
	}
	return sub
}

// onPaths is the native side with a fault in where its errors are.
func onPaths(change func(path string) string) Subject {
	sub := Native
	sub.Render = func(req *beam.Request) (string, error) {
		text, err := Native.Render(req)
		if e, ok := err.(*beam.Error); ok {
			other := *e
			other.Path = change(e.Path)
			err = &other
		}
		return text, err
	}
	return sub
}

// onWarnings is the native side with a fault in what it warns of.
func onWarnings(change func(w *beam.Warning)) Subject {
	sub := Native
	sub.Warn = func(req *beam.Request) []beam.Warning {
		list := Native.Warn(req)
		for i := range list {
			change(&list[i])
		}
		return list
	}
	return sub
}

// seenWith looks for the first of n inputs at which the law is broken; without the
// fault none may be.
func seenWith(t *testing.T, law Law, n int, check func(sub Subject, i int) *Violation, sub Subject) {
	for i := range n {
		if v := check(Native, i); v != nil {
			t.Fatalf("without the fault: %v", v)
		}
		if v := check(sub, i); v != nil {
			if v.Law != law {
				t.Fatalf("seen as %q, not as %q", v.Law, law)
			}
			t.Logf("seen at input %d", i)
			return
		}
	}
	t.Errorf("not seen in %d inputs", n)
}

// Each fault must be seen by the law that it breaks, within 400 conversations.
func TestPlantedFaults(t *testing.T) {
	times := 0
	for _, fault := range []struct {
		name   string
		law    Law
		oracle Oracle
		sub    Subject
	}{
		{"the second rendering is another", Pure, CheckPure, onText(func(_ *beam.Request, text string) string {
			times++
			return text + strings.Repeat(" ", times%2)
		})},
		{"rendering changes the request", Pure, CheckPure, onRequest(func(req *beam.Request) {
			for i := range req.Tools {
				if o, ok := req.Tools[i].Function().AsObject(); ok {
					o.Delete("description")
				}
			}
		})},
		{"an error is of another message", RightPath, CheckPure, onPaths(func(path string) string { return strings.Replace(path, "messages[", "messages[9", 1) })},
		{"an error is of a key that is not there", RightPath, CheckPure, onPaths(func(path string) string { return strings.Replace(path, ".tool_calls[", ".calls[", 1) })},
		{"a warning is of another message", RightPath, CheckPure, onWarnings(func(w *beam.Warning) { w.Path = strings.Replace(w.Path, "messages[", "messages[9", 1) })},
		{"a warning says nothing", RightPath, CheckPure, onWarnings(func(w *beam.Warning) { w.Detail = "" })},
		{"a panic", NoPanic, CheckPure, onMessages(func(messages []harmony.Message, i int) { _ = messages[i].Parts[len(messages[i].Parts):][0] })},
		{"a span has the generation prompt in it", RightMask, CheckMask, onSpans(func(spans []harmony.Span) []harmony.Span {
			for i := range spans {
				spans[i].Start -= int64(len(assistantHead))
			}
			return spans
		})},
		{"the stop token is not trained", RightMask, CheckMask, onSpans(func(spans []harmony.Span) []harmony.Span {
			for i := range spans {
				spans[i].End -= int64(len(beam.MarkCall))
			}
			return spans
		})},
		{"only the last turn is trained", RightMask, CheckMask, onSpans(func(spans []harmony.Span) []harmony.Span { return spans[max(0, len(spans)-1):] })},
		{"reasoning of earlier turns is dropped", Grows, CheckGrows, onMessages(func(messages []harmony.Message, i int) {
			if i < len(messages)-1 {
				messages[i].Thinking = ""
			}
		})},
		{"an answer that is not the last ends in another way", Grows, CheckGrows, onText(func(req *beam.Request, text string) string {
			return strings.ReplaceAll(text, beam.MarkReturn+beam.MarkStart, beam.MarkEnd+beam.MarkStart)
		})},
		{"the generation prompt has a channel", Grows, CheckGrows, onText(func(req *beam.Request, text string) string {
			if req.GenerationPrompt == beam.On {
				text += beam.MarkChannel
			}
			return text
		})},
		{"open turns stay open", Grows, CheckKeeps, onMessages(func(messages []harmony.Message, i int) {
			if m := &messages[i]; m.Raw != "" && !strings.HasSuffix(m.Raw, "|>") {
				m.Raw += beam.MarkEnd
			}
		})},
		{"the first line break of the model's text is lost", Grows, CheckKeeps, onMessages(func(messages []harmony.Message, i int) {
			messages[i].Raw = strings.Replace(messages[i].Raw, "<|message|>\n", "<|message|>", 1)
		})},
		{"arguments are stripped", ReadsBack, CheckReadsBack, onArguments(value.Strip)},
		{"arguments are unescaped", ReadsBack, CheckReadsBack, onArguments(func(text string) string { return strings.ReplaceAll(text, "&lt;", "<") })},
		{"values are written as Python does", ReadsBack, CheckReadsBack, onText(func(_ *beam.Request, text string) string {
			return strings.NewReplacer(">\ntrue\n<", ">\nTrue\n<", ">\nnull\n<", ">\nNone\n<").Replace(text)
		})},
		{"reasoning is not written", ReadsBack, CheckReadsBack, onMessages(func(messages []harmony.Message, i int) {
			if m := &messages[i]; m.ThinkingKey == "reasoning" {
				m.Thinking = ""
			}
		})},
	} {
		t.Run(fault.name, func(t *testing.T) {
			check := func(sub Subject, i int) *Violation { return Check(sub, makeConversation(i), nil, fault.oracle) }
			seenWith(t, fault.law, 400, check, fault.sub)
		})
	}
}

// The same for what a reply becomes in the history.
func TestPlantedFaultsInHistory(t *testing.T) {
	for _, fault := range []struct {
		name   string
		law    Law
		oracle AnswerOracle
		sub    Subject
	}{
		{"the model's text is trimmed", Grows, CheckRaw, onMessages(func(messages []harmony.Message, i int) { messages[i].Raw = value.Strip(messages[i].Raw) })},
		{"an open message stays open", Grows, CheckRaw, onText(func(_ *beam.Request, text string) string {
			return strings.Replace(text, beam.MarkReturn+goOnText, goOnText, 1)
		})},
		{"the model's text is not kept", Grows, CheckRaw, onMessages(func(messages []harmony.Message, i int) { messages[i].Raw = "" })},
		{"results have lost their call", Grows, CheckRaw, onMessages(func(messages []harmony.Message, i int) {
			if messages[i].Raw != "" {
				messages[i].ToolCalls = nil
			}
		})},
		{"an answer gains a line break", Grows, CheckRaw, onText(func(_ *beam.Request, text string) string {
			return strings.ReplaceAll(text, "<|channel|>final<|message|>", "<|channel|>final<|message|>\n")
		})},
		{"an answer gains a line break each time", Stays, CheckStays, onText(func(_ *beam.Request, text string) string {
			return strings.ReplaceAll(text, "<|channel|>final<|message|>", "<|channel|>final<|message|>\n")
		})},
		{"arguments are escaped", Stays, CheckStays, onText(func(_ *beam.Request, text string) string { return strings.ReplaceAll(text, "'", "&#x27;") })},
	} {
		t.Run(fault.name, func(t *testing.T) {
			check := func(sub Subject, i int) *Violation { return CheckAnswer(sub, makeAnswer(i), nil, fault.oracle) }
			seenWith(t, fault.law, 400, check, fault.sub)
		})
	}
}

// An error of a text that says the wrong place is seen.
func TestPlantedFaultsInTexts(t *testing.T) {
	for name, change := range map[string]func(err error){
		"syntax, in characters": func(err error) {
			if e := (*value.SyntaxError)(nil); errors.As(err, &e) {
				e.Offset = e.Char
			}
		},
		"syntax, behind the text": func(err error) {
			if e := (*value.SyntaxError)(nil); errors.As(err, &e) {
				e.Offset += 1 << 20
			}
		},
		"shape": func(err error) {
			if e := (*harmony.DecodeError)(nil); errors.As(err, &e) {
				e.Path = "messages[1000000]"
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			parse := func(text string) (*beam.Request, error) {
				req, err := beam.ParseRequest(text)
				change(err)
				return req, err
			}
			for i := range 3000 {
				s := fuzz.FromSeed(suite.Seed("text", i))
				if why := CheckText(parse, TextOf(s, conversation.GenerateOne(s))); why != "" {
					t.Logf("seen at text %d", i)
					return
				}
			}
			t.Error("not seen in 3000 texts")
		})
	}
}
