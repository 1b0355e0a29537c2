package recipe

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// ListError says why a text is no list of recipes.
type ListError struct {
	File   string
	Line   int    // from 1; 0 where it has no place
	Recipe string // the name of the recipe or package, "" where it is about none
	Key    string // the key of it, "" where it is about the whole
	Msg    string
	Err    error // a toml.ParseError, or nil
}

func (e *ListError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Recipe != "" {
		fmt.Fprintf(&b, ": %s", e.Recipe)
	}
	if e.Key != "" {
		fmt.Fprintf(&b, ": %s", e.Key)
	}
	return b.String() + ": " + e.Msg
}

func (e *ListError) Unwrap() error { return e.Err }

// The file as TOML has it.
type (
	document struct {
		Package    map[string]packageEntry `toml:"package"`
		Checkpoint []entry                 `toml:"checkpoint"`
	}
	packageEntry struct {
		Version   string          `toml:"version"`
		SHA256    string          `toml:"sha256"`
		Installed bool            `toml:"installed"`
		License   string          `toml:"license"`
		Given     map[string]bool `toml:"given"`
	}
	entry struct {
		Name     string            `toml:"name"`
		Format   string            `toml:"format"`
		Chat     *place            `toml:"chat_template"`
		Training *place            `toml:"training_template"`
		Response *place            `toml:"response_template"`
		Tokens   *place            `toml:"tokenizer"`
		Special  map[string]string `toml:"special_tokens"`
		Note     string            `toml:"note"`
	}
	place struct {
		Package  string `toml:"package"`
		File     string `toml:"file"`
		Variable string `toml:"variable"`
		Key      string `toml:"key"`
		Form     string `toml:"form"`
	}
)

// TrainingSuffix ends the name of a training variant.
const TrainingSuffix = "-training"

var (
	nameForm     = regexp.MustCompile(`^[a-z0-9]+([.-][a-z0-9]+)*$`)
	formatForm   = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	wordForm     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+!-]*$`)
	variableForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// Decode reads a list of recipes; file is its name in errors, which are
// *[ListError].
func Decode(text []byte, file string) (*List, error) {
	d := &decoder{file: file, packages: map[string]*Package{}, list: &List{}}
	var doc document
	meta, err := toml.Decode(string(text), &doc)
	var parse toml.ParseError
	if errors.As(err, &parse) {
		return nil, &ListError{File: file, Line: parse.Position.Line, Msg: parse.Message, Err: err}
	}
	if err != nil {
		return nil, &ListError{File: file, Msg: err.Error(), Err: err}
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, &ListError{File: file, Key: unknown[0].String(), Msg: "is no key of a list of recipes"}
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Package)) {
		if err := d.pack(name, doc.Package[name]); err != nil {
			return nil, err
		}
	}
	for i, e := range doc.Checkpoint {
		if err := d.recipe(i, e); err != nil {
			return nil, err
		}
	}
	return d.list, nil
}

type decoder struct {
	file     string
	packages map[string]*Package
	list     *List
}

func (d *decoder) fail(recipe, key, format string, args ...any) error {
	return &ListError{File: d.file, Recipe: recipe, Key: key, Msg: fmt.Sprintf(format, args...)}
}

func (d *decoder) pack(name string, e packageEntry) error {
	sum, err := hex.DecodeString(e.SHA256)
	switch {
	case !wordForm.MatchString(name):
		return d.fail(name, "", "is not the name of a package")
	case !wordForm.MatchString(e.Version):
		return d.fail(name, "version", "must be one version, but is %q", e.Version)
	case e.Installed && e.SHA256 != "":
		return d.fail(name, "sha256", "is for a package that is fetched, and this one is installed")
	case !e.Installed && (err != nil || len(sum) != 32 || e.SHA256 != strings.ToLower(e.SHA256)):
		return d.fail(name, "sha256", "must be the 64 hex digits of the wheel's hash, but is %q", e.SHA256)
	}
	for variable := range e.Given {
		if !variableForm.MatchString(variable) {
			return d.fail(name, "given", "%q is not the name of a variable", variable)
		}
	}
	p := &Package{Name: name, Version: e.Version, SHA256: e.SHA256, License: e.License, Given: e.Given}
	d.packages[name] = p
	d.list.Packages = append(d.list.Packages, p)
	return nil
}

func (d *decoder) recipe(i int, e entry) (err error) {
	what := e.Name
	if what == "" {
		what = fmt.Sprintf("checkpoint %d", i+1)
	}
	switch {
	case !nameForm.MatchString(e.Name):
		return d.fail(what, "name", "must be small letters and digits, with single dots and hyphens between, but is %q", e.Name)
	case !formatForm.MatchString(e.Format):
		return d.fail(what, "format", "must be small letters and digits, with single hyphens between, but is %q", e.Format)
	case e.Chat == nil && e.Response == nil:
		return d.fail(what, "", "has neither a chat_template nor a response_template")
	case e.Training != nil && e.Chat == nil:
		return d.fail(what, "training_template", "is a variant of a chat_template, and there is none")
	}
	r := &Recipe{Name: e.Name, Format: e.Format, SpecialTokens: e.Special, Note: e.Note}
	if r.ChatTemplate, err = d.source(what, "chat_template", e.Chat, false); err != nil {
		return err
	}
	if r.ResponseTemplate, err = d.source(what, "response_template", e.Response, true); err != nil {
		return err
	}
	if r.Tokenizer, err = d.tokenizer(what, e.Tokens); err != nil {
		return err
	}
	for name := range e.Special {
		if !slices.Contains(checkpoint.SpecialNames, name) {
			return d.fail(what, "special_tokens", "%q is no special token; they are %s", name, strings.Join(checkpoint.SpecialNames, ", "))
		}
	}
	if err := d.add(r); err != nil || e.Training == nil {
		return err
	}
	variant := *r
	variant.Name, variant.Of = r.Name+TrainingSuffix, r.Name
	if variant.ChatTemplate, err = d.source(what, "training_template", e.Training, false); err != nil {
		return err
	}
	return d.add(&variant)
}

func (d *decoder) add(r *Recipe) error {
	if d.list.Find(r.Name) != nil {
		return d.fail(r.Name, "name", "is that of another recipe too")
	}
	d.list.Recipes = append(d.list.Recipes, r)
	return nil
}

// source checks a place: a file, or with variable a variable in one.
func (d *decoder) source(recipe, key string, p *place, variable bool) (s Source, err error) {
	if p == nil {
		return s, nil
	}
	pack := d.packages[p.Package]
	switch {
	case pack == nil:
		return s, d.fail(recipe, key, "%q is no package of this list", p.Package)
	case !fs.ValidPath(p.File) || p.File == "." || strings.Contains(p.File, `\`):
		return s, d.fail(recipe, key, "%q is not the path of a file in a package, such as trl/chat_templates/x.jinja", p.File)
	case variable && !variableForm.MatchString(p.Variable):
		return s, d.fail(recipe, key, "variable must name the variable that holds the template, but is %q", p.Variable)
	case !variable && p.Variable+p.Key != "":
		return s, d.fail(recipe, key, "is a whole file: variable and key are for a response_template")
	case p.Form != "" && key != tokenizerKey:
		return s, d.fail(recipe, key, "is read as it is: form is for a tokenizer")
	}
	return Source{Package: pack, File: p.File, Variable: p.Variable, Key: p.Key}, nil
}

// tokenizerKey is the key of a tokenizer's source.
const tokenizerKey = "tokenizer"

// tokenizer checks the source of a tokenizer, whose form has to be known.
func (d *decoder) tokenizer(recipe string, p *place) (Source, error) {
	s, err := d.source(recipe, tokenizerKey, p, false)
	if err == nil && p != nil && p.Form != o200kHarmony {
		return s, d.fail(recipe, tokenizerKey, "form must be %s, but is %q", o200kHarmony, p.Form)
	}
	return s, err
}
