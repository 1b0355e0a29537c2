package ci

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/reference/engine"
)

type promoteVerb struct {
	File   string `arg:"" placeholder:"FILE" help:"A finding of a campaign."`
	Name   string `arg:"" placeholder:"NAME" help:"The case's id without its suite: topic/name. Topic is the file that it is put into."`
	Why    string `required:"" placeholder:"SENTENCE" help:"What the case is for."`
	Source string `required:"" placeholder:"SOURCE" help:"What it proves: a place in a document, a report, how it was found."`
	Corpus string `default:"corpus/regressions" placeholder:"FOLDER" help:"The suite's folder. Default: corpus/regressions."`
	Want   string `placeholder:"ENGINE" help:"The engine whose stored answer the case wants, or none. Default: the one that the others were judged by."`
}

func (promoteVerb) Help() string {
	return `
Example:
  beamdiff promote finding.json parse/empty-close --why 'An empty close ends nothing.' --source 'fuzz campaign of seed 1'

The case joins FOLDER/TOPIC.json as SUITE/TOPIC/NAME, in the form of the corpus. A want of the engine that
judged holds for its checkpoint alone, one of another engine (--want native) for any. In the repository run
go test ./corpus -update afterwards.`
}

func (v *promoteVerb) run(t *terminal) error {
	f, isCase, err := load(v.File)
	if err != nil {
		return err
	}
	if isCase {
		return usagef("%s is a case already; put it into a file of %s", v.File, v.Corpus)
	}
	topic, name, ok := strings.Cut(v.Name, "/")
	if !ok || name == "" || strings.Contains(name, "/") || topic != filepath.Base(topic) || strings.HasPrefix(topic, ".") {
		return usagef("NAME is topic/name, such as parse/empty-close; not %q", v.Name)
	}
	if v.Why == "" || v.Source == "" {
		return usagef("a case of a corpus says what it is for and what it proves: --why and --source must not be empty")
	}
	c := f.Case
	c.ID = filepath.Base(v.Corpus) + "/" + v.Name
	c.Why, c.Source = v.Why, v.Source
	if err := v.want(&c, f); err != nil {
		return err
	}
	path := filepath.Join(v.Corpus, topic+".json")
	var cases []corpus.Case
	data, err := corpus.ReadFile(path)
	switch {
	case err == nil:
		if cases, err = corpus.Decode(data, path); err != nil {
			return usage(err)
		}
	case !errors.Is(err, fs.ErrNotExist): // its cases would be lost
		return usagef("%s cannot be read: %w", path, reason(err))
	}
	if slices.ContainsFunc(cases, func(other corpus.Case) bool { return other.ID == c.ID }) {
		return usagef("%s has a case %s already", path, c.ID)
	}
	data, err = corpus.Encode(append(cases, c))
	if err == nil {
		_, err = corpus.Decode(data, path) // what is not a case is refused before it is written
	}
	if err != nil {
		return usage(err)
	}
	if err := os.MkdirAll(v.Corpus, 0o755); err != nil {
		return broken(err)
	}
	if err := writeAtomic(path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return broken(fmt.Errorf("%s: %w", path, advise(err)))
	}
	return t.print(fmt.Sprintf("%s now holds %s\n", path, c.ID))
}

// want gives the case the stored answer of an engine to the whole input. That of
// the checkpoint's own Python holds for this checkpoint alone; another engine's says
// what the checkpoint should answer, and so holds for any.
func (v *promoteVerb) want(c *corpus.Case, f *finding.Finding) error {
	last := f.Engines[len(f.Engines)-1]
	name := orElse(v.Want, last.Name)
	if name == "none" {
		return nil
	}
	for _, a := range f.Answers {
		if a.Engine != name || a.Op != engine.Op(c.Kind) {
			continue
		}
		if a.Outcome.Kind != corpus.OK && a.Outcome.Kind != corpus.Raised {
			return usagef("the engine %s gave no answer that a case can want (%s); --want none leaves it out", name, a.Outcome.Kind)
		}
		want := a.Outcome
		if c.Kind == corpus.Mask && want.Kind == corpus.OK {
			want.Value = object("text", want.Value.Get("text"), "spans", want.Value.Get("spans"))
		}
		c.Want = &want
		if name == last.Name && last.CheckpointHash != "" {
			c.Domain, c.CheckpointHash = corpus.Undocumented, last.CheckpointHash
		}
		return nil
	}
	return usagef("the finding holds no answer of an engine %s", name)
}
