package gate

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// The files of a subject, as report.Subject.Files names them.
const (
	chatTemplate     = "chat_template"
	responseTemplate = "response_template"
)

// advice is what to do about each rule.
var advice = map[string]string{
	ruleEngine:          "Look for a loop or a text that grows without end in the lines that changed.",
	ruleRaises:          "Render it as before, or refuse it in words that name the field, and say so in the notes of the release.",
	ruleDocumented:      "Bring the prompt back to what the documentation shows, or change the documentation first.",
	ruleTextLost:        "Write the text again: the model will not see what the caller said.",
	ruleMaskGone:        "Put the turn back between {% generation %} and {% endgeneration %}: training on it would learn nothing.",
	ruleAccepted:        "If that is meant, nothing; check that the prompt is one that the model knows.",
	ruleRefusal:         "If that is meant, nothing; callers may look for the old text.",
	rulePrompt:          "If that is meant, look at the smallest case and accept it in a baseline (--write-baseline).",
	ruleMask:            "If that is meant, nothing; models are trained on other tokens from here on.",
	ruleUnread:          "Widen the patterns so that the reply is read again.",
	ruleReplyDocumented: "Bring the message back to what the documentation shows, or change the documentation first.",
	ruleValueLost:       "Read the field again: callers no longer get it.",
	ruleTypeLost:        "Read the value with its type again: callers get a text where they had a number, a list or an object.",
	ruleRead:            "If that is meant, nothing.",
	ruleReply:           "If that is meant, look at the smallest case and accept it in a baseline (--write-baseline).",
	ruleTurnLossy:       "Change the chat template and the response template together, so that a turn is read as it was written.",
	ruleTurn:            "If that is meant, nothing.",
	ruleNativePrompt:    "Change the native renderer along with the template, or gateways in Go go on writing the old prompt.",
	ruleNativeReply:     "Native Go reads any response template: this is a fault of it, to be reported with this case.",
}

// what a rule counts, in the words of a message.
var noun = map[engine.Op]string{engine.OpRender: "prompt", engine.OpMask: "mask", engine.OpParse: "reply"}

// message is a change in one line.
func (r *run) message(ch *change, gravest, all int) string {
	things := count(gravest, noun[ch.op])
	var b strings.Builder
	switch ch.rule {
	case ruleEngine:
		fmt.Fprintf(&b, "the candidate gives no answer: %s", firstLine(ch.cand.Why))
	case ruleRaises:
		fmt.Fprintf(&b, "%s no longer rendered: %s", are(things, gravest), oneText(ch.cand.Class+": "+ch.cand.Message))
	case ruleUnread:
		fmt.Fprintf(&b, "%s no longer read: %s", are(things, gravest), oneText(ch.cand.Class+": "+ch.cand.Message))
	case ruleDocumented, ruleReplyDocumented:
		fmt.Fprintf(&b, "%s not what the documentation shows (%s)", are(things, gravest), ch.c.Source)
	case ruleTextLost:
		fmt.Fprintf(&b, "%s without the caller's text %s", lack(things, gravest), oneText(ch.lost))
	case ruleMaskGone:
		fmt.Fprintf(&b, "%s nothing any more of what the model wrote", marks(things, gravest))
	case ruleAccepted, ruleRead:
		fmt.Fprintf(&b, "%s accepted that the base refuses: %s", are(things, gravest), oneText(ch.base.Class+": "+ch.base.Message))
	case ruleRefusal:
		fmt.Fprintf(&b, "%s refused otherwise: %s, where the base says %s", are(things, gravest), oneText(ch.cand.Class+": "+ch.cand.Message), oneText(ch.base.Class+": "+ch.base.Message))
	case ruleValueLost:
		fmt.Fprintf(&b, "%s read without %s, which the base reads as %s", are(things, gravest), fieldOf(ch.where.Path), ch.lost)
	case ruleTypeLost:
		fmt.Fprintf(&b, "%s %s as text, which the base reads as %s", reads(things, gravest), fieldOf(ch.where.Path), ch.lost)
	case ruleTurnLossy:
		fmt.Fprintf(&b, "%s not read back: the %s of a turn that the template itself wrote", are(count(gravest, "turn"), gravest), lostPart(ch.lost))
	case ruleTurn:
		fmt.Fprintf(&b, "%s read otherwise at %s", are(count(gravest, "turn"), gravest), fieldOf(ch.where.Path))
	case ruleNativePrompt, ruleNativeReply:
		fmt.Fprintf(&b, "native Go agrees with the base and not with the candidate: %s", count(gravest, "case"))
	default:
		switch line := ch.cause.cand; {
		case ch.op == engine.OpParse:
			fmt.Fprintf(&b, "%s read otherwise, at %s", are(things, gravest), fieldOf(ch.where.Path))
		case line > 0:
			fmt.Fprintf(&b, "%s otherwise from what line %d writes: %s", are(things, gravest), line, oneText(lineOf(r.cand.source, line)))
		default:
			fmt.Fprintf(&b, "%s otherwise: the end is missing that the base's line %d writes", are(things, gravest), ch.cause.base)
		}
	}
	if all > gravest {
		changes := "change"
		if all-gravest == 1 {
			changes = "changes"
		}
		fmt.Fprintf(&b, "; %s %s besides for the same cause", count(all-gravest, "case"), changes)
	}
	return b.String()
}

func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun == "reply":
		return fmt.Sprintf("%d replies", n)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// are, lack, marks and reads put a verb behind a number of things.
func are(things string, n int) string   { return verb(things, n, "is", "are") }
func lack(things string, n int) string  { return verb(things, n, "comes", "come") }
func marks(things string, n int) string { return verb(things, n, "marks", "mark") }
func reads(things string, n int) string { return verb(things, n, "gives", "give") }

func verb(things string, n int, one, many string) string {
	if n == 1 {
		return things + " " + one
	}
	return things + " " + many
}

func lostPart(path string) string {
	switch path {
	case "prompt":
		return "beginning (it does not follow its own prompt)"
	case "error":
		return "whole (the reply cannot be read)"
	}
	return path
}

// oneText is a text for one line.
func oneText(text string) string {
	const most = 160
	text = firstLine(text)
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strings.TrimSuffix(report.Printable(text), ".")
}

func firstLine(text string) string {
	line, _, cut := strings.Cut(text, "\n")
	if cut {
		line += " …"
	}
	return line
}

// places are the lines to look at, the likeliest first: the line that wrote the byte
// if it was edited, the edits, then the lines that wrote it.
func (r *run) places(ch *change) (out []report.Place) {
	add := func(role string, line int) {
		text := r.base.source
		if role == Candidate {
			text = r.cand.source
		}
		p := report.Place{Role: role, File: chatTemplate, Line: min(line, lineCount(text)), Text: lineOf(text, line)}
		for _, has := range out {
			if has.Role == p.Role && has.Line == p.Line {
				return
			}
		}
		if line > 0 {
			out = append(out, p)
		}
	}
	base, cand := r.edited(ch.cause)
	add(Candidate, cand)
	add(Base, base)
	for _, i := range ch.cause.edits {
		e := r.edits[i]
		if e.cand.lines() > 0 {
			add(Candidate, e.cand.from)
		}
		if e.base.lines() > 0 {
			add(Base, e.base.from)
		}
		add(Candidate, e.cand.from) // before which lines are missing
	}
	add(Candidate, ch.cause.cand)
	add(Base, ch.cause.base)
	if ch.cause.field != "" {
		out = append(out, r.fieldPlaces(ch.cause.field)...)
	}
	return out[:min(len(out), manyPlaces)]
}

// manyPlaces is how many places a finding has at most: blocks that were moved come
// with the edits at both of their ends.
const manyPlaces = 6

// signature names a cause by what was edited, not by where it stands.
func (r *run) signature(ch *change) string {
	cause := ch.cause.field
	if cause == "" && len(ch.cause.edits) > 0 {
		var parts []string
		base, cand := r.edited(ch.cause)
		if base+cand > 0 {
			parts = append(parts, "- "+lineOf(r.base.source, base), "+ "+lineOf(r.cand.source, cand))
		} else {
			for _, i := range ch.cause.edits {
				e := r.edits[i]
				parts = append(parts, "- "+r.base.source[e.start:e.end], "+ "+e.text)
			}
		}
		cause = strings.Join(parts, "\n")
	} else if cause == "" {
		cause = "at " + lineOf(r.base.source, ch.cause.base) + " / " + lineOf(r.cand.source, ch.cause.cand)
	}
	if ch.rule == ruleEngine {
		cause = string(ch.op)
	}
	if shown := strings.Join(strings.Fields(cause), " "); len(shown) <= 120 {
		cause = shown
	} else {
		cause = fmt.Sprintf("%s… %x", strings.ToValidUTF8(shown[:100], ""), sha256.Sum256([]byte(cause)))[:115+16]
	}
	return ch.rule + " " + cause
}

// witness is the case that is shown.
func (r *run) witness(ch *change) *report.Witness {
	w := &report.Witness{Case: ch.c.ID, Input: value.Dumps(ch.c.Input.Value())}
	left := Base
	if ch.rule == ruleNativePrompt || ch.rule == ruleNativeReply {
		left = "native"
	}
	switch what := map[engine.Op]string{engine.OpRender: "the prompt", engine.OpMask: "the conversation", engine.OpParse: "the message"}[ch.op]; {
	case ch.rule == ruleTurnLossy || ch.rule == ruleTurn:
		w.At = "what is read of the turn, " + ch.where.Path
	case ch.where.Path == "$error":
		w.At = "the answer"
	case ch.where.Offset >= 0 && ch.where.Path == "$":
		w.At = fmt.Sprintf("%s, byte %d", what, ch.where.Offset)
	case ch.where.Offset >= 0:
		w.At = fmt.Sprintf("%s, %s, byte %d", what, ch.where.Path, ch.where.Offset)
	default:
		w.At = what + ", " + ch.where.Path
	}
	if ch.made != nil {
		w.At += "; of the edits these alone"
	}
	w.Sides = []report.Side{{Name: left, Text: ch.where.Left}, {Name: Candidate, Text: ch.where.Right}}
	if ch.cand.Kind == corpus.Failed {
		w.Sides[1].Text = firstLine(ch.cand.Why)
	}
	return w
}
