package ci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
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
	subject := report.Subject{Name: title(name)}
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
	if info, err := os.Stat(filepath.Join(o.Checkpoint, templateFile)); err == nil && info.Size() > largestTemplate {
		return nil, remove, &checkpoint.LoadError{Dir: o.Checkpoint, File: templateFile, Err: &SizeError{info.Size()}}
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

// templateFile is the file of a checkpoint's chat template, and largestTemplate the
// most that is looked at, in bytes: the largest of 858 public ones has 45,602.
const (
	templateFile    = "chat_template.jinja"
	largestTemplate = 4 << 20
)

// SizeError is a chat template that is larger than any.
type SizeError struct{ Size int64 }

func (e *SizeError) Error() string {
	return fmt.Sprintf("is %d bytes long; a chat template of more than %d is not looked at", e.Size, largestTemplate)
}

// linked is a link to a directory, by a name that is a text.
func linked(dir string) (link string, remove func(), err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", func() {}, err
	}
	temp, err := os.MkdirTemp("", "beamdiff-check-")
	if err != nil {
		return "", func() {}, err
	}
	remove = func() { os.RemoveAll(temp) }
	link = filepath.Join(temp, "checkpoint")
	return link, remove, os.Symlink(abs, link)
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
	dir, err := bare("")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
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
	subject := report.Subject{Name: title(name), Files: map[string]string{"chat_template": shownPath(name)}}
	text, err := templateText(name)
	if err != nil {
		l.unread(err)
		return l.report(report.Report{Subjects: []report.Subject{subject}}), nil
	}
	dir, err := bare(text)
	if err != nil {
		return report.Report{}, broken(err)
	}
	defer os.RemoveAll(dir)
	r, err := c.check(ctx, dir)
	if err == nil {
		r.Subjects[0].Name, r.Subjects[0].Files = subject.Name, subject.Files
	}
	return r, err
}

// templateText reads the file of a chat template as Python does. The error is a
// *checkpoint.LoadError.
func templateText(name string) (string, error) {
	if info, err := os.Stat(name); err == nil && info.Size() > largestTemplate {
		return "", &checkpoint.LoadError{Dir: filepath.Dir(name), File: filepath.Base(name), Err: &SizeError{info.Size()}}
	}
	data, err := corpus.ReadRegular(os.DirFS(filepath.Dir(name)), filepath.Base(name))
	if err == nil {
		err = harmony.CheckUTF8("the file", string(data))
	}
	if err != nil {
		return "", &checkpoint.LoadError{Dir: filepath.Dir(name), File: filepath.Base(name), Err: err}
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data)), nil
}

// usualTokens are the special tokens of a chat template that comes alone.
var usualTokens = []value.Member{
	{Name: "bos_token", Value: value.String("<s>")}, {Name: "eos_token", Value: value.String("</s>")},
	{Name: "unk_token", Value: value.String("<unk>")}, {Name: "pad_token", Value: value.String("<pad>")},
}

// bare makes the folder of a checkpoint that has a chat template and the usual
// special tokens. The caller removes it.
func bare(template string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "beamdiff-check-"); err != nil {
		return "", err
	}
	config := append([]value.Member{{Name: "tokenizer_class", Value: value.String("PreTrainedTokenizerFast")}}, usualTokens...)
	err = errors.Join(
		os.WriteFile(filepath.Join(dir, templateFile), []byte(template), 0o600),
		os.WriteFile(filepath.Join(dir, "tokenizer_config.json"), []byte(value.Dumps(value.Members(config...))), 0o600))
	if err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

// filesOf are the paths of a checkpoint's templates, for reports: those of a
// directory, and none of a public checkpoint, which is in no repository of the
// reader's.
func filesOf(dir string) map[string]string {
	files := map[string]string{}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return files
	}
	for key, file := range map[string]string{"response_template": "tokenizer_config.json", "chat_template": templateFile} {
		path := filepath.Join(dir, file)
		if _, err := os.Lstat(path); err == nil {
			files[key] = shownPath(path)
		}
	}
	return files
}

// shownPath is a path as a reader of the working directory has it: relative where
// it lies within.
func shownPath(path string) string {
	abs, err := filepath.Abs(path)
	here, bad := os.Getwd()
	if err != nil || bad != nil {
		return path
	}
	if rel, err := filepath.Rel(here, abs); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// title is a subject's name, "" being the default checkpoint.
func title(name string) string {
	if name == "" {
		return checkpoint.DefaultName
	}
	return name
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
