package ci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// loadRules are asked before all laws, and always: nothing can be said of a
// checkpoint that breaks one.
var loadRules = []report.Rule{
	{ID: "load/files", Level: report.Error, Title: "The files of the checkpoint can be read",
		Help: "A server that cannot read `chat_template.jinja` or `tokenizer_config.json` does not start, or starts with another template. " +
			"The files must be regular files, a chat template of at most 4 MiB, UTF-8, and JSON where that is their form, nested at most 1,000 deep."},
	{ID: "load/opens", Level: report.Error, Title: "The checkpoint's own Python opens it",
		Help: "Transformers must open the directory with `trust_remote_code=False`: code of the checkpoint is never run here, and should not be needed to load a template. " +
			"A tokenizer that is missing or cannot be loaded is lent, and is no reason."},
	{ID: "load/compiles", Level: report.Error, Title: "The chat template compiles",
		Help: "The template is compiled as Transformers does it: Jinja in the immutable sandbox, with `trim_blocks`, `lstrip_blocks`, loop controls and `{% generation %}`. " +
			"A template that does not compile there serves nobody. The message says on which line."},
	{ID: "load/ends", Level: report.Error, Title: "A plain conversation renders in bounded time and memory",
		Help: "One short message of a user is rendered under a limit of time and one of memory (`--timeout`, `--memory`). " +
			"A template that loops, or writes without end, blocks the server's thread with the first request; whoever can change the template of a shared server can stop it so."},
	{ID: "load/renders", Level: report.Error, Title: "A plain conversation renders",
		Help: "The conversation that every client sends first is one short message of a user. A template that refuses it, or raises by mistake, " +
			"answers every request with an error, and nothing else can be said of it."},
}

// loading is what is found while a checkpoint is opened.
type loading struct {
	rules    []report.Rule
	findings []report.Finding
}

// ask says that a rule is asked of the checkpoint, and whether it held: message is
// "" then. The cause tells troubles of the rule apart; file, if there is one, is
// where it comes from.
func (l *loading) ask(id, cause, message, advice, file string, witness *report.Witness) {
	i := slices.IndexFunc(l.rules, func(r report.Rule) bool { return r.ID == id })
	if i < 0 {
		l.rules = append(l.rules, loadRules[slices.IndexFunc(loadRules, func(r report.Rule) bool { return r.ID == id })])
		i = len(l.rules) - 1
	}
	rule := &l.rules[i]
	rule.Asked++
	if message == "" {
		rule.Held++
		return
	}
	f := report.Finding{Rule: id, Level: rule.Level, Signature: id + " " + string(rule.Level) + " " + cause, Message: message, Advice: advice, Smallest: witness}
	if witness != nil {
		f.Cases = []string{witness.Case}
	}
	if file != "" {
		f.Places = []report.Place{{File: file}}
	}
	l.findings = append(l.findings, f)
}

// report puts what was found before a report of the laws.
func (l *loading) report(r report.Report) report.Report {
	r.Rules = append(slices.Clone(l.rules), r.Rules...)
	r.Findings = append(slices.Clone(l.findings), r.Findings...)
	return r
}

// unread tells of files that cannot be read; false is another error.
func (l *loading) unread(err error) bool {
	var bad *checkpoint.LoadError
	if !errors.As(err, &bad) {
		return false
	}
	file := "chat_template"
	if bad.File == "tokenizer_config.json" {
		file = "response_template"
	}
	l.ask("load/files", bad.File, fmt.Sprintf("%s cannot be used: %v", cmp.Or(bad.File, "the directory"), reason(bad.Err)), "", file, nil)
	return true
}

// unopened tells of a checkpoint that Python does not open.
func (l *loading) unopened(err *engine.StartError) {
	why := err.Reason
	if last := lastLine(err.Stderr); last != "" && !strings.Contains(why, last) {
		why += "; " + last
	}
	l.ask("load/opens", "", "Python does not open the checkpoint: "+why, "", "", nil)
}

// lastLine is the last line of a text that is not blank.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// plain is the case that load/compiles and load/ends are asked with.
func plain() corpus.Case {
	in, _ := object("messages", value.List(object("role", value.String("user"), "content", value.String("Hello")))).AsObject()
	return corpus.Case{ID: "check/load/plain", Kind: corpus.Render, Input: in}
}

// probe renders a plain conversation. false says that no law need be asked.
func (l *loading) probe(ctx context.Context, s *law.Subject) (bool, error) {
	if s.ChatTemplate == "" {
		if _, has := s.Files["chat_template"]; has {
			l.ask("load/renders", "empty", "the chat template is empty: every prompt is", "", "chat_template", nil)
		}
		return true, nil
	}
	c := plain()
	witness := &report.Witness{Case: c.ID, Input: value.Dumps(c.Input.Value())}
	answers, err := s.Asker.Ask(ctx, engine.OpRender, []corpus.Case{c})
	if err != nil {
		return false, err
	}
	switch o := answers[0]; {
	case o.Kind == corpus.Failed:
		l.ask("load/compiles", "", "", "", "", nil)
		l.ask("load/ends", limitOf(o.Why), "a plain message does not render within the limits: "+o.Why,
			"look for a loop or a text that grows with no bound; --timeout and --memory are the limits", "chat_template", witness)
		return false, nil
	case o.Kind == corpus.Raised && uncompiled(o.Class):
		l.ask("load/compiles", o.Class, "the chat template does not compile: "+o.Class+": "+o.Message, "", "chat_template", witness)
		return false, nil
	case o.Kind == corpus.Raised:
		l.ask("load/compiles", "", "", "", "", nil)
		l.ask("load/ends", "", "", "", "", nil)
		l.ask("load/renders", o.Class, "a plain message is not rendered: "+o.Class+": "+o.Message, "", "chat_template", witness)
		return true, nil
	}
	for _, held := range []string{"load/compiles", "load/ends", "load/renders"} {
		l.ask(held, "", "", "", "", nil)
	}
	return true, nil
}

// uncompiled tells whether an exception is one of Jinja's compiler.
func uncompiled(class string) bool {
	return class == "TemplateSyntaxError" || class == "TemplateAssertionError"
}

// limitOf tells the limits apart that an engine can run into, as a cause.
func limitOf(why string) string {
	for _, cause := range []string{"timed out", "out of memory", "a line is longer"} {
		if strings.Contains(why, cause) {
			return cause
		}
	}
	return ""
}
