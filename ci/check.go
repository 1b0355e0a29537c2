package ci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// checker holds checkpoints and chat templates against laws.
type checker struct {
	laws   []law.Law
	engine string // its name, as --engine has it
	opener        // how checkpoints are opened; its Checkpoint is set for each
}

// check looks at one: the directory of a checkpoint, the file of a chat template,
// or a name. An error ends the run: the name is none, or the set-up is broken.
func (c *checker) check(ctx context.Context, name string) (report.Report, error) {
	o := c.opener
	o.Checkpoint = name
	l := &loading{}
	subject := report.Subject{Name: cmp.Or(name, checkpoint.DefaultName)}
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return c.file(ctx, name)
	}
	open, remove, err := c.open(ctx, &o)
	if err != nil {
		if _, there := os.Stat(name); there == nil && l.unread(err) {
			subject.Files = filesOf(name)
			return l.report(report.Report{Subjects: []report.Subject{subject}}), nil
		}
		return report.Report{}, err
	}
	defer remove()
	defer open.close()
	stop := context.AfterFunc(ctx, open.close) // a worker in the middle of a case is not waited for
	defer stop()
	l.ask("load/files", "", "", "", "", nil)
	if o.public != nil {
		subject.Name = open.checkpoint.Name
	}
	subject.Hash = open.checkpoint.Hash()
	subject.Files = filesOf(name)
	return c.opened(ctx, &o, open, l, subject)
}

// open opens the checkpoint of o, unless its template is larger than any. A name
// that is no text, which the protocol cannot say, is opened through a link; remove
// takes that away.
func (c *checker) open(ctx context.Context, o *opener) (_ *opened, remove func(), err error) {
	remove = func() {}
	if err := checkSize(o.Checkpoint, templateFile); err != nil {
		return nil, remove, err
	}
	if !utf8.ValidString(o.Checkpoint) {
		if o.Checkpoint, remove, err = linked(o.Checkpoint); err != nil {
			return nil, remove, broken(err)
		}
	}
	open, err := o.open(ctx, []string{c.engine})
	if err != nil {
		remove()
	}
	return open, remove, err
}

// opened asks the laws of a checkpoint that Go has read.
func (c *checker) opened(ctx context.Context, o *opener, open *opened, l *loading, subject report.Subject) (report.Report, error) {
	e := open.engines[0]
	if _, err := e.Info(ctx); err != nil {
		var start *engine.StartError
		if !errors.As(err, &start) || ctx.Err() != nil || !c.healthy(ctx, o) {
			return report.Report{}, broken(err)
		}
		l.unopened(start)
		return l.report(report.Report{Subjects: []report.Subject{subject}}), nil
	}
	l.ask("load/opens", "", "", "", "", nil)
	s, err := law.Of(e, open.checkpoint)
	if err != nil && !l.unread(err) { // the tokenizer: the laws can do without
		return report.Report{}, broken(err)
	}
	s.Subject = subject
	return c.ask(ctx, s, l)
}

// ask probes the template, and asks the laws of one that renders.
func (c *checker) ask(ctx context.Context, s *law.Subject, l *loading) (report.Report, error) {
	sound, err := l.probe(ctx, s)
	if err != nil {
		return report.Report{}, err
	}
	r := report.Report{Subjects: []report.Subject{s.Subject}}
	if sound {
		if r, err = law.Check(ctx, s, c.laws); err != nil && ctx.Err() == nil {
			return report.Report{}, broken(err)
		}
	}
	r.Interrupted = ctx.Err() != nil
	return l.report(r), nil
}

// healthy tells whether the engine opens a checkpoint with nothing in it: then it is
// not the set-up that is broken.
func (c *checker) healthy(ctx context.Context, o *opener) bool {
	dir, remove, err := bare("")
	if err != nil {
		return false
	}
	defer remove()
	other := *o
	other.Checkpoint, other.public, other.folder, other.jobs = dir, nil, "", 1
	open, err := other.open(ctx, []string{c.engine})
	if err != nil {
		return false
	}
	defer open.close()
	_, err = open.engines[0].Info(ctx)
	return err == nil
}

// file looks at the file of a chat template alone: a checkpoint that has nothing
// but that and the usual special tokens.
func (c *checker) file(ctx context.Context, name string) (report.Report, error) {
	l := &loading{}
	subject := report.Subject{Name: name, Files: map[string]string{"chat_template": shownPath(name)}}
	text, err := templateText(name)
	if err != nil {
		l.unread(err)
		return l.report(report.Report{Subjects: []report.Subject{subject}}), nil
	}
	dir, remove, err := bare(text)
	if err != nil {
		return report.Report{}, broken(err)
	}
	defer remove()
	r, err := c.check(ctx, dir)
	if err == nil {
		r.Subjects[0].Name, r.Subjects[0].Files = subject.Name, subject.Files
	}
	return r, err
}

// several looks at checkpoints one after the other, and says which findings are
// whose.
func (c *checker) several(ctx context.Context, names []string) (*report.Report, error) {
	all := &report.Report{}
	for i, name := range names {
		c.meter.step(Progress{Phase: "checking", Done: i, Total: len(names)})
		r, err := c.check(ctx, name)
		if ctx.Err() != nil {
			all.Interrupted = true
			break
		}
		if err != nil {
			return nil, err
		}
		c.repeatable(&r, name)
		if len(names) > 1 {
			ofSubject(&r, name)
		}
		all.Add(r)
	}
	return all, nil
}

// repeatable gives each witness the command that asks the smallest case again: none
// for a file of a template, which the other verbs do not take, and none that is
// longer than a shell's line should be.
func (c *checker) repeatable(r *report.Report, name string) {
	const most = 1500
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return
	}
	for i := range r.Findings {
		w := r.Findings[i].Smallest
		if w == nil || w.Input == "" || len(w.Input) > most {
			continue
		}
		in, err := value.Loads(w.Input)
		if err != nil {
			continue
		}
		o, _ := in.AsObject()
		verb := "render"
		if _, reply := o.Get("reply"); reply {
			verb = "parse"
		} else if strings.HasPrefix(r.Findings[i].Rule, "mask/") {
			verb = "mask"
		}
		w.Command = fmt.Sprintf("echo %s | %s %s --engine %s", quoteArg(w.Input), program(os.Args[0]), verb, quoteArg(c.engine))
		if name != "" {
			w.Command += " --checkpoint " + quoteArg(name)
		}
		w.Command += " -"
	}
}

// ofSubject gives all findings of a report the name of its subject.
func ofSubject(r *report.Report, name string) {
	for i := range r.Subjects {
		r.Subjects[i].Role = name
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Subject = name
		for j := range f.Places {
			f.Places[j].Role = name
		}
	}
	for i, why := range r.NotChecked {
		r.NotChecked[i] = fmt.Sprintf("%s: %s", name, why)
	}
}
