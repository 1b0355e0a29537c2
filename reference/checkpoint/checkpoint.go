package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Checkpoint is what shapes prompts and replies.
type Checkpoint struct {
	// Name is the directory as given, [DefaultName] or the title of a [Variant].
	Name string
	// Templates are the chat templates: one without a name, or several by name.
	// None where the checkpoint has no chat template.
	Templates []Template
	// ResponseTemplate is the value in tokenizer_config.json, null where there is
	// none.
	ResponseTemplate value.Value
	// SpecialTokens are the named special tokens that the configuration sets
	// (eos_token and so on), by name.
	SpecialTokens map[string]string
	// Configuration are the files that configure the tokenizer.
	token.Configuration
	// Tokenizer is tokenizer.json as it stands, nil where there is none.
	Tokenizer []byte

	files    fs.FS
	replaced bool // Tokenizer is not the one of files
}

// Template is one chat template.
type Template struct{ Name, Text string }

// The files of a checkpoint's directory.
const (
	configFile    = "tokenizer_config.json"
	templateFile  = "chat_template.jinja"
	templateDir   = "additional_chat_templates"
	tokenizerFile = "tokenizer.json"
	specialFile   = "special_tokens_map.json"
	addedFile     = "added_tokens.json"
)

// SpecialNames are the names of a tokenizer's special tokens, sorted.
var SpecialNames = []string{"bos_token", "cls_token", "eos_token", "mask_token", "pad_token", "sep_token", "unk_token"}

// LoadError says why a directory is not a checkpoint.
type LoadError struct {
	Dir  string
	File string // "" for the directory itself
	Err  error
}

func (e *LoadError) Error() string {
	return fmt.Sprintf("checkpoint %s: %v", filepath.Join(e.Dir, e.File), e.Err)
}

func (e *LoadError) Unwrap() error { return e.Err }

// Load reads a directory that holds chat_template.jinja, tokenizer_config.json
// or both. The error is a *LoadError.
func Load(dir string) (*Checkpoint, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, &LoadError{Dir: dir, Err: errors.Unwrap(err)}
	case !info.IsDir():
		return nil, &LoadError{Dir: dir, Err: errors.New("is a file; give the directory of a checkpoint")}
	}
	return read(os.DirFS(dir), dir)
}

func read(files fs.FS, name string) (*Checkpoint, error) {
	c := &Checkpoint{Name: name, SpecialTokens: map[string]string{}, files: files}
	file := ""
	fail := func(err error) (*Checkpoint, error) { return nil, &LoadError{Dir: name, File: file, Err: err} }

	file = configFile
	config, hasConfig, err := readJSON(files, file)
	if err != nil {
		return fail(err)
	}
	c.Config = config
	c.ResponseTemplate = config.Get("response_template")
	if err := c.special(config); err != nil {
		return fail(err)
	}
	// Two files of old are read only beside a configuration that has not all of it.
	if o, _ := config.AsObject(); !has(o, "added_tokens_decoder") {
		file = addedFile
		if c.Added, _, err = readJSON(files, file); err != nil {
			return fail(err)
		}
		file = specialFile
		if c.Special, _, err = readJSON(files, file); err != nil {
			return fail(err)
		}
		if err := c.special(c.Special); err != nil {
			return fail(err)
		}
	}

	if c.Templates, err = configTemplates(config.Get("chat_template")); err != nil {
		file = configFile
		return fail(err)
	}
	file = templateFile
	found, err := fileTemplates(files)
	if err != nil {
		return fail(err)
	}
	if len(found) > 0 { // files win over the configuration
		c.Templates = found
	}
	file = ""
	if !hasConfig && len(found) == 0 {
		return fail(fmt.Errorf("has neither %s nor %s", templateFile, configFile))
	}
	file = tokenizerFile
	if c.Tokenizer, err = corpus.ReadRegular(files, tokenizerFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(err)
	}
	return c, nil
}

// readText reads a text as Python's text mode does: UTF-8, and every line break
// becomes \n.
func readText(files fs.FS, name string) (text string, ok bool, err error) {
	data, err := corpus.ReadRegular(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err == nil {
		err = harmony.CheckUTF8("the file", string(data))
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data)), err == nil, err
}

func readJSON(files fs.FS, name string) (v value.Value, ok bool, err error) {
	text, ok, err := readText(files, name)
	if err != nil || !ok {
		return v, false, err
	}
	if v, err = value.Loads(text); err != nil {
		return v, false, fmt.Errorf("is not JSON: %w", err)
	}
	if v.Kind() != value.KindObject {
		return v, false, fmt.Errorf("must be a JSON object, but is %s", v.Kind())
	}
	return v, true, nil
}

func has(o *value.Object, name string) bool {
	_, ok := o.Get(name)
	return ok
}

// special takes over the named tokens of a file: a string, or an added token's
// object.
func (c *Checkpoint) special(config value.Value) error {
	o, _ := config.AsObject()
	for _, name := range SpecialNames {
		v, set := o.Get(name)
		if !set {
			continue
		}
		delete(c.SpecialTokens, name) // by null, too
		switch v.Kind() {
		case value.KindNull, value.KindString:
		case value.KindObject:
			v = v.Get("content")
		default: // Python loads no tokenizer then, and lends none
			return fmt.Errorf("%s must be a string or an added token, but is %s", name, v.Kind())
		}
		if text, ok := v.AsString(); ok {
			c.SpecialTokens[name] = text
		}
	}
	return nil
}

// configTemplates reads a chat_template of the configuration: a text, or a list
// of names and texts.
func configTemplates(v value.Value) ([]Template, error) {
	if text, ok := v.AsString(); ok {
		return []Template{{Text: text}}, nil
	}
	if v.IsNull() {
		return nil, nil
	}
	list, ok := v.AsArray()
	if !ok {
		return nil, fmt.Errorf("chat_template must be a string or a list of named templates, but is %s", v.Kind())
	}
	var out []Template
	for i, item := range list.All() {
		name, ok1 := item.Get("name").AsString()
		text, ok2 := item.Get("template").AsString()
		if !ok1 || !ok2 {
			return nil, fmt.Errorf(`chat_template[%d] must be an object with the strings "name" and "template"`, i)
		}
		out = append(out, Template{Name: name, Text: text})
	}
	return out, nil
}

// fileTemplates reads the templates that stand in files of their own.
func fileTemplates(files fs.FS) ([]Template, error) {
	var out []Template
	text, ok, err := readText(files, templateFile)
	if err != nil {
		return nil, err
	}
	if ok {
		out = append(out, Template{Name: "default", Text: text})
	}
	more, err := fs.Glob(files, templateDir+"/*.jinja")
	if err != nil {
		return nil, err
	}
	slices.Sort(more)
	for _, name := range more {
		text, _, err := readText(files, name)
		if err != nil {
			return nil, err
		}
		base := strings.TrimSuffix(strings.TrimPrefix(name, templateDir+"/"), ".jinja")
		out = append(out, Template{Name: base, Text: text})
	}
	if len(out) == 1 && ok {
		out[0].Name = ""
	}
	return out, nil
}

// Format is that of the first chat template whose format is known; else other.
func (c *Checkpoint) Format() string {
	for _, t := range c.Templates {
		if f := FormatOf(t.Text); f != "other" {
			return f
		}
	}
	return "other"
}

// FormatOf is the format of one chat template, by what no other format writes: beam
// for its parameter tags, gpt-oss (OpenAI Harmony) for the calls and channels of it.
func FormatOf(template string) string {
	writes := func(texts ...string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(template, text) })
	}
	switch {
	case writes("<|start|>", "<rfl:parameter"):
		return "beam"
	case writes("<|start|>assistant to=", "functions.", "<|channel|>commentary", "<|channel|>analysis<|message|>"):
		return "gpt-oss"
	}
	return "other"
}

// AddedTokens are the tokens that tokenizer.json adds to its vocabulary, such as
// the markers of a format; none where there is no tokenizer. The error is a
// *LoadError: one that is there and cannot be read.
func (c *Checkpoint) AddedTokens() ([]string, error) {
	if c.Tokenizer == nil {
		return nil, nil
	}
	v, err := value.Loads(string(c.Tokenizer))
	if err != nil {
		return nil, &LoadError{Dir: c.Name, File: tokenizerFile, Err: fmt.Errorf("is not JSON: %w", err)}
	}
	list, ok := v.Get("added_tokens").AsArray()
	if tokens := v.Get("added_tokens"); !ok && !tokens.IsNull() {
		return nil, &LoadError{Dir: c.Name, File: tokenizerFile, Err: fmt.Errorf("added_tokens must be a list, but is %s", tokens.Kind())}
	}
	var out []string
	for _, item := range list.All() {
		if text, ok := item.Get("content").AsString(); ok && text != "" {
			out = append(out, text)
		}
	}
	return out, nil
}
