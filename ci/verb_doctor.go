package ci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
)

// doctorLine is one thing that was looked at.
type doctorLine struct{ state, what, detail string }

// The states of a line. What has state missing is set up by a run when it is
// needed; what is broken makes the command fail.
const (
	ok      = "ok"
	missing = "missing"
	bad     = "BROKEN"
	notRun  = "NOT RUN"
)

func (v *doctorVerb) run(ctx context.Context, t *terminal) error {
	lines := []doctorLine{
		{ok, "beamdiff", version()},
		{ok, "go", runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH},
	}
	lines = append(lines, moduleLines()...)
	lines = append(lines, v.checkpointLine(t))
	set := v.pythonLines()
	lines = append(lines, v.templateLines(ctx, t, set)...)
	lines = append(lines, set...)
	lines = append(lines, publicLine(), tokensLine())
	var b strings.Builder
	failed := 0
	for _, l := range lines {
		fmt.Fprintf(&b, "%-8s  %-12s  %s\n", l.state, l.what, strings.ReplaceAll(l.detail, "\n", "\n"+strings.Repeat(" ", 24)))
		if l.state == bad {
			failed++
		}
	}
	if err := t.print(b.String()); err != nil {
		return err
	}
	if failed > 0 {
		return broken(fmt.Errorf("%s; what is missing is set up by the first diff, or by setup", count(failed, "thing is broken", "things are broken")))
	}
	return nil
}

// moduleLines give the versions of the modules that decide how things behave.
func moduleLines() []doctorLine {
	info, has := debug.ReadBuildInfo()
	if !has {
		return nil
	}
	var out []doctorLine
	for _, m := range info.Deps {
		if strings.Contains(m.Path, "embed-python") {
			out = append(out, doctorLine{ok, "module", m.Path + " " + m.Version})
		}
	}
	return out
}

func (v *doctorVerb) checkpointLine(t *terminal) doctorLine {
	o := &opener{t: t, checkpointFlags: v.checkpointFlags}
	if r := public(o.given()); r != nil {
		return doctorLine{ok, "checkpoint", r.Title() + "\nformat " + r.Format}
	}
	c, err := o.load()
	switch {
	case err != nil:
		return doctorLine{bad, "checkpoint", err.Error()}
	case c == nil:
		return doctorLine{ok, "checkpoint", o.name() + ": there is no such directory, so it is taken for a hub id; the first run fetches it"}
	}
	return doctorLine{ok, "checkpoint", fmt.Sprintf("%s\nformat %s, sha256 %s", c.Name, c.Format(), c.Hash())}
}

// tokensLine tells whether this program can encode text.
func tokensLine() doctorLine {
	encoder, err := token.NewEncoder(checkpoint.Default().Tokenizer)
	var without *token.NoEncoderError
	switch {
	case errors.As(err, &without):
		return doctorLine{notRun, "tokens", err.Error()}
	case err != nil:
		return doctorLine{bad, "tokens", err.Error()}
	}
	defer encoder.Close()
	return doctorLine{ok, "tokens", "this program can encode text"}
}

// templateLines tell whether the chat templates of a directory compile, which
// Python alone can tell: where its environment is set up, each renders one
// message. What a template that compiles says to the message is no matter here.
func (v *doctorVerb) templateLines(ctx context.Context, t *terminal, set []doctorLine) []doctorLine {
	o := &opener{t: t, meter: t.meter(), checkpointFlags: v.checkpointFlags, jobs: 1, limitFlags: limitFlags{Timeout: defaultTimeout, Memory: defaultMemory}}
	if o.given() == "" || public(o.given()) != nil {
		return nil
	}
	c, err := o.load()
	if err != nil || c == nil || len(c.Templates) == 0 {
		return nil // the line of the checkpoint says what it is
	}
	if !slices.ContainsFunc(set, func(l doctorLine) bool { return l.what == "python" && l.state == ok }) {
		return []doctorLine{{notRun, "template", "whether the chat template compiles: Python has to be set up for it"}}
	}
	e, err := o.reference(ctx, referenceName)
	if err != nil {
		return []doctorLine{{bad, "template", err.Error()}}
	}
	defer e.Close()
	if _, err := e.Info(ctx); err != nil {
		return []doctorLine{{bad, "template", err.Error()}}
	}
	var out []doctorLine
	for _, template := range c.Templates {
		out = append(out, compiles(ctx, e, template))
	}
	return out
}

// compiles tries one template.
func compiles(ctx context.Context, e engine.Engine, template checkpoint.Template) doctorLine {
	name := "the chat template"
	if template.Name != "" {
		name += " " + template.Name
	}
	hello := object("role", value.String("user"), "content", value.String("Hello!"))
	in, _ := object("messages", value.List(hello), "chat_template", value.String(template.Text)).AsObject()
	answer := e.Do(ctx, engine.Request{Op: engine.OpRender, Case: in})
	switch {
	case answer.Kind == corpus.Failed:
		return doctorLine{bad, "template", name + " cannot be tried: " + answer.Why}
	case answer.Class == "TemplateSyntaxError" || answer.Class == "TemplateAssertionError":
		return doctorLine{bad, "template", name + " does not compile: " + answer.Class + ": " + answer.Message}
	}
	return doctorLine{ok, "template", name + " compiles"}
}

// pythonLines look at the embedded Python without setting it up.
func (v *doctorVerb) pythonLines() []doctorLine {
	cache, err := python.CacheDir()
	if err != nil {
		return []doctorLine{{bad, "cache", err.Error()}}
	}
	out := []doctorLine{{ok, "cache", cache}}
	if why := writable(cache); why != nil {
		out[0] = doctorLine{bad, "cache", fmt.Sprintf("%s cannot be written: %v; %s names another", cache, why, python.CacheVariable)}
	}
	env, err := python.Find(python.Options{CacheDir: cache})
	if err != nil {
		var damage *python.DamageError
		if errors.As(err, &damage) && damage.Path != "." {
			return append(out, doctorLine{bad, "python", fmt.Sprintf("the environment is damaged: %v; setup builds it again", err)})
		}
		return append(out, doctorLine{missing, "python", fmt.Sprintf("not set up yet: the first diff does it, or setup (%d MB, 10 to 20 seconds on a fast line)", python.Megabytes)})
	}
	defer env.Close()
	state, detail := ok, env.Dir()
	if err := env.Verify(v.Deep); err != nil {
		state, detail = bad, fmt.Sprintf("the environment is damaged: %v; setup builds it again", err)
	} else if v.Deep {
		detail += "\nevery file is as it was installed"
	}
	out = append(out, doctorLine{state, "python", "CPython " + env.PythonVersion() + "\n" + detail})
	var packages []string
	for _, p := range env.Packages() {
		packages = append(packages, p.Name+" "+p.Version)
	}
	out = append(out, doctorLine{ok, "packages", strings.Join(packages, ", ")})
	for _, release := range python.Releases(cache) {
		out = append(out, v.releaseLine(cache, release))
	}
	return out
}

// releaseLine looks at another release of Transformers that is frozen in the cache.
func (v *doctorVerb) releaseLine(cache, version string) doctorLine {
	const what = "release"
	name := releasePrefix + version
	env, err := python.Find(python.Options{CacheDir: cache, Release: version})
	var damage *python.DamageError
	if errors.As(err, &damage) && damage.Path == "." {
		return doctorLine{missing, what, name + " is chosen, and not set up: its first use does it, or setup --engine " + name}
	}
	if err == nil {
		defer env.Close()
		err = env.Verify(v.Deep)
	}
	if err != nil {
		return doctorLine{bad, what, fmt.Sprintf("%s is damaged: %v; setup --engine %s makes it again", name, err, name)}
	}
	return doctorLine{ok, what, fmt.Sprintf("%s, tokenizers %s, jinja2 %s\n%s", name, env.PackageVersion("tokenizers"), env.PackageVersion("jinja2"), env.Dir())}
}

// writable tells why nothing can be written in a folder, or in the nearest one
// above it that exists.
func writable(dir string) error {
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return errors.New("it is a file")
		}
		if err == nil {
			f, err := os.CreateTemp(dir, ".beamdiff-*")
			if err != nil {
				return reason(err)
			}
			f.Close()
			return os.Remove(f.Name())
		}
		up := filepath.Dir(dir)
		if up == dir {
			return reason(err)
		}
		dir = up
	}
}
