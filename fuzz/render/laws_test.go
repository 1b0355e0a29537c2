package render

import (
	"testing"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/fuzz/suite"
	"github.com/beamdiff/beamdiff/harmony/beam"
)

// makeConversation makes conversation i: two of three of many turns, the third of
// one construct; each fifth is damaged.
func makeConversation(i int) *conversation.Conversation {
	s := fuzz.FromSeed(suite.Seed("conversation", i))
	made := conversation.Generate
	if i%3 == 2 {
		made = conversation.GenerateOne
	}
	if i%5 == 4 {
		return conversation.Mutate(s, made(s))
	}
	return made(s)
}

// makeAnswer makes reply i: of a conversation's turn, or by the template's markers
// alone, damaged or not.
func makeAnswer(i int) *Answer {
	s := fuzz.FromSeed(suite.Seed("answer", i))
	if i%3 > 0 {
		if a := AnswerOf(s, conversation.Generate(s)); a != nil {
			return a
		}
	}
	in := fuzz.Generate(s, fuzz.FindTemplate("beam"))
	if s.OneIn(2) {
		fuzz.Mutate(s, in)
	}
	return &Answer{in.Reply, in.Tools}
}

// The shares of what the laws meet, for each conversation: what is met too seldom
// is not shown to hold.
var leastMet = map[string]float64{
	"accepted": 0.55, "refused": 0.25, "turns in a mask": 1, "prompts that grow": 4, "kept": 1, "kept=open": 0.4,

	"warning=late_instruction": 0.1, "warning=bash_replaced": 0.03, "warning=builtin_differs": 0.002, "warning=builtin_other": 0.005, "warning=builtin_absent": 0.03,
	"warning=low_effort": 0.005, "warning=result_order": 0.05, "warning=result_without_call": 0.03, "warning=call_without_result": 0.1, "warning=result_name": 0.03,
	"warning=missing_reasoning": 0.3, "warning=key_not_rendered": 0.5, "warning=marker_in_text": 0.7, "warning=repeated_tool": 0.02, "warning=schema_not_rendered": 0.1,

	Lossless: 0.7, Typed: 0.03, Unwritable + notText: 0.1, Unwritable + notText + ", being not finite": 0.0005, Unwritable + inexact: 0.0005,
	Unwritable + "a marker in the reasoning": 0.04, Unwritable + "a marker in the answer": 0.04, Unwritable + markerInArgument: 0.04,
	Unwritable + "half a surrogate pair": 0.03,

	"alike=ids are renamed": 0.2, "alike=an instruction is split in two": 0.001, "alike=two instructions are joined": 0.04, "alike=system and developer change places": 0.2,
	"alike=late instructions are left out": 0.1, "alike=no content is said otherwise": 0.3, "alike=a content is cut into parts": 0.5, "alike=a content's parts are joined": 0.3,
	"alike=reasoning is under other names": 0.3, "alike=no reasoning is said otherwise": 0.5, "alike=no calls are said otherwise": 0.5, "alike=keys are in another order": 0.5,
	"alike=there are more keys": 0.5, "alike=calls are wrapped otherwise": 0.2, "alike=tools are wrapped otherwise": 0.2, "alike=results are named": 0.15,
	"alike=arguments of the template are said otherwise": 0.5, "alike=no tools are said otherwise": 0.2,
}

// hold judges the inputs that check makes, by their number, and asks for the shares
// of what they met.
func hold(t *testing.T, least map[string]float64, check func(i int, tally Tally) *Violation) {
	var met fuzz.Stats
	bad := 0
	for i := range 12 * suite.Pairs(t) {
		met.Inputs++
		if v := check(i, met.Count); v != nil {
			t.Error(v)
			if bad++; bad == 3 {
				break
			}
		}
	}
	t.Log(&met)
	for _, short := range met.Require(least) {
		t.Error(short)
	}
}

func TestLaws(t *testing.T) {
	hold(t, leastMet, func(i int, tally Tally) *Violation { return Check(Native, makeConversation(i), tally) })
}

var leastMetByAnswers = map[string]float64{
	"reply=closed": 0.3, "reply=open": 0.2, "append=exact": 0.15,
	"append=changed: another end of a message": 0.05, "append=changed: arguments spelled otherwise": 0.01, "append=changed: no message": 0.01,
	"append=changed: reasoning that does not come first, or twice": 0.03, "append=changed: text behind the last message": 0.003, "append=changed: text between messages": 0.05,
	"append=refused: a channel header in a text": 0.02, "append=refused: an answer beside calls": 0.05,
	"again=same": 0.4, "again=refused": 0.1,
}

func TestAnswers(t *testing.T) {
	hold(t, leastMetByAnswers, func(i int, tally Tally) *Violation { return CheckAnswer(Native, makeAnswer(i), tally) })
}

// Texts of requests, of which most are damaged: errors say where.
func TestTexts(t *testing.T) {
	failed := 0
	for i := range 20 * suite.Pairs(t) {
		s := fuzz.FromSeed(suite.Seed("text", i))
		text := TextOf(s, conversation.GenerateOne(s))
		if why := CheckText(beam.ParseRequest, text); why != "" {
			t.Fatal(why)
		}
		if _, err := beam.ParseRequest(text); err != nil {
			failed++
		}
	}
	if n := 20 * suite.Pairs(t); failed < n/2 || failed > n*19/20 {
		t.Errorf("%d of %d texts are no requests", failed, n)
	}
}
