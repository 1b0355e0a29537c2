package gate

import (
	"embed"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
)

// The rules of a change, the gravest of each kind first: where several hold for a
// case, the first one counts.
const (
	ruleEngine     = "gate/engine"
	ruleRaises     = "gate/prompt-raises"
	ruleDocumented = "gate/prompt-documented"
	ruleTextLost   = "gate/text-lost"
	ruleMaskGone   = "gate/mask-gone"
	ruleAccepted   = "gate/prompt-accepted"
	rulePrompt     = "gate/prompt-changed"
	ruleMask       = "gate/mask-changed"
	ruleRefusal    = "gate/refusal-changed"

	ruleUnread          = "gate/reply-raises"
	ruleReplyDocumented = "gate/reply-documented"
	ruleValueLost       = "gate/value-lost"
	ruleTypeLost        = "gate/type-lost"
	ruleRead            = "gate/reply-accepted"
	ruleReply           = "gate/reply-changed"

	ruleTurnLossy = "gate/turn-lossy"
	ruleTurn      = "gate/turn-changed"

	ruleNativePrompt = "gate/native-prompt"
	ruleNativeReply  = "gate/native-reply"
)

// rules are all of them, in the order of a report.
var rules = []report.Rule{
	{ID: ruleEngine, Level: report.Error, Title: "The candidate answers where the base does, within the limits of time and memory."},
	{ID: ruleRaises, Level: report.Error, Title: "What the base renders the candidate renders."},
	{ID: ruleDocumented, Level: report.Error, Title: "A prompt that the format's documentation fixes stays as it is."},
	{ID: ruleTextLost, Level: report.Error, Title: "No text of the caller's that the base renders is lost."},
	{ID: ruleMaskGone, Level: report.Error, Title: "Where the base marks what the model wrote, so does the candidate."},
	{ID: ruleAccepted, Level: report.Warning, Title: "What the base refuses the candidate refuses."},
	{ID: rulePrompt, Level: report.Warning, Title: "Prompts are the same."},
	{ID: ruleMask, Level: report.Warning, Title: "What is marked as the model's is the same."},
	{ID: ruleRefusal, Level: report.Warning, Title: "What both refuse they refuse with the same error."},
	{ID: ruleUnread, Level: report.Error, Title: "What the base reads the candidate reads."},
	{ID: ruleReplyDocumented, Level: report.Error, Title: "A message that the format's documentation fixes stays as it is."},
	{ID: ruleValueLost, Level: report.Error, Title: "Nothing that the base reads from a reply is lost."},
	{ID: ruleTypeLost, Level: report.Error, Title: "A value of an argument that the base reads with its type is not read as text."},
	{ID: ruleRead, Level: report.Warning, Title: "A reply that the base cannot read the candidate cannot."},
	{ID: ruleReply, Level: report.Warning, Title: "Replies are read the same."},
	{ID: ruleTurnLossy, Level: report.Error, Title: "A turn that the base writes and reads back without loss, so does the candidate."},
	{ID: ruleTurn, Level: report.Warning, Title: "What is read of a turn that the template itself wrote is the same."},
	{ID: ruleNativePrompt, Level: report.Warning, Title: "Where native Go writes the base's prompt, it writes the candidate's."},
	{ID: ruleNativeReply, Level: report.Warning, Title: "Where native Go reads replies as the base does, it does so as the candidate."},
}

// help holds a page of why for each rule, under its ID.
//
//go:embed help
var help embed.FS

// Rules are what a gate asks besides the laws, each with its page.
func Rules() []report.Rule {
	out := make([]report.Rule, len(rules))
	for i, u := range rules {
		page, _ := help.ReadFile("help/" + strings.TrimPrefix(u.ID, "gate/") + ".md") // a test holds that there is one
		u.Help = strings.TrimSpace(string(page))
		out[i] = u
	}
	return out
}

// rank is the place of a rule: the lower, the graver within its kind.
func rank(id string) int {
	for i, u := range rules {
		if u.ID == id {
			return i
		}
	}
	return len(rules)
}

func levelOf(id string) report.Level { return rules[rank(id)].Level }
