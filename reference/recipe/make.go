package recipe

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/python"
)

// make puts recipes' checkpoints into the store. The caller holds the lock.
func (s *store) make(ctx context.Context, recipes []*Recipe) error {
	parts := &parts{store: s, wheels: map[*Package]*wheel{}, texts: map[Source]string{}, index: map[Source]int{}}
	defer parts.close()
	for _, r := range recipes {
		if err := parts.gather(ctx, r); err != nil {
			return err
		}
	}
	if err := parts.read(ctx); err != nil {
		return err
	}
	for _, r := range recipes {
		if err := s.write(r, parts); err != nil {
			return err
		}
	}
	return nil
}

// parts are what checkpoints are made from: texts of files, and values of
// variables in them.
type parts struct {
	store  *store
	wheels map[*Package]*wheel // those that are open
	texts  map[Source]string   // by package and file

	modules []module
	wants   []want
	index   map[Source]int // of a module (by package and file) and of a want
	values  []literal
}

func (p *parts) close() {
	for _, w := range p.wheels {
		w.close()
	}
}

// gather reads the files of a recipe, and notes which variables it needs.
func (p *parts) gather(ctx context.Context, r *Recipe) error {
	for _, s := range r.sources() {
		file := Source{Package: s.Package, File: s.File}
		if _, has := p.texts[file]; !has {
			data, err := p.file(ctx, file)
			if err == nil {
				if bad := harmony.CheckUTF8("the file", string(data)); bad != nil {
					err = &Error{Package: s.Package.String(), File: s.File, What: "is no text", Err: bad}
				}
			}
			if err != nil {
				return ofRecipe(r, err)
			}
			p.texts[file] = string(data)
		}
		if s.Variable == "" {
			continue
		}
		if _, has := p.index[file]; !has {
			p.index[file] = len(p.modules)
			p.modules = append(p.modules, module{text: p.texts[file], given: s.Package.Given})
		}
		if _, has := p.index[s]; !has {
			p.index[s] = len(p.wants)
			p.wants = append(p.wants, want{module: p.index[file], variable: s.Variable, key: s.Key})
		}
	}
	return nil
}

// ofRecipe names the recipe in an error about a package.
func ofRecipe(r *Recipe, err error) error {
	var e *Error
	if errors.As(err, &e) {
		e.Recipe = r.Name
	}
	return err
}

// file reads a file of a package.
func (p *parts) file(ctx context.Context, s Source) ([]byte, error) {
	if s.Package.Installed() {
		return p.store.installed(s.Package, s.File)
	}
	if p.wheels[s.Package] == nil {
		w, err := p.store.openWheel(ctx, s.Package)
		if err != nil {
			return nil, err
		}
		p.wheels[s.Package] = w
	}
	return p.wheels[s.Package].read(s.File)
}

// openWheel opens a package's wheel, fetched where it is missing or damaged.
func (s *store) openWheel(ctx context.Context, p *Package) (*wheel, error) {
	path := s.wheel(p)
	if w, err := openWheel(p, path); err == nil {
		return w, nil
	}
	if s.report != nil {
		s.report(python.Event{Step: python.StepFetch, Text: "fetching the package " + p.String()})
	}
	dir, err := s.fresh()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := s.fetch(ctx, p, dir); err != nil {
		return nil, err
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil || len(found) != 1 {
		return nil, &Error{Package: p.String(), What: "pip gave another number of wheels than one", Err: err}
	}
	if err := checkWheel(p, found[0]); err != nil {
		return nil, &Error{Package: p.String(), What: "the wheel is not the one that the list names", Err: err}
	}
	if err := os.Rename(found[0], path); err != nil {
		return nil, s.broken(python.StepSeal, path, err)
	}
	return openWheel(p, path)
}

// read reads the variables.
func (p *parts) read(ctx context.Context) (err error) {
	if len(p.wants) == 0 {
		return nil
	}
	p.values, err = p.store.literals(ctx, p.modules, p.wants)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return p.store.broken(python.StepFetch, "python literal.py", err)
	}
	return nil
}

// responseTemplate is the value of a recipe's variable.
func (p *parts) responseTemplate(r *Recipe) (value.Value, error) {
	s := r.ResponseTemplate
	l := p.values[p.index[s]]
	if l.why == "" && l.value.Kind() != value.KindObject {
		l.why = s.Variable + " is no dict, but " + l.value.Kind().String()
	}
	if l.why != "" {
		return l.value, &Error{Recipe: r.Name, Package: s.Package.String(), File: s.File, What: l.why}
	}
	return l.value, nil
}

// write makes the folder of a recipe's checkpoint and renames it into place.
func (s *store) write(r *Recipe, p *parts) error {
	config := &value.Object{}
	config.Set("tokenizer_class", value.String("PreTrainedTokenizerFast"))
	for _, name := range checkpoint.SpecialNames {
		if token, ok := r.SpecialTokens[name]; ok {
			config.Set(name, value.String(token))
		}
	}
	if r.ResponseTemplate.Package != nil {
		v, err := p.responseTemplate(r)
		if err != nil {
			return err
		}
		config.Set("response_template", v)
	}
	temp, err := s.fresh()
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	made := filepath.Join(temp, r.folder())
	err = os.Mkdir(made, 0o755)
	put := func(name string, data []byte) {
		if err == nil {
			err = os.WriteFile(filepath.Join(made, name), data, 0o644)
		}
	}
	if r.ChatTemplate.Package != nil {
		put(chatFile, []byte(p.texts[Source{Package: r.ChatTemplate.Package, File: r.ChatTemplate.File}]))
	}
	if s := r.Tokenizer; s.Package != nil {
		text, bad := tiktokenJSON(p.texts[Source{Package: s.Package, File: s.File}])
		if bad != nil {
			return &Error{Recipe: r.Name, Package: s.Package.String(), File: s.File, What: "is no list of o200k_base", Err: bad}
		}
		put(tokenizerFile, text)
	}
	put(configFile, append(value.Append(nil, config.Value(), value.Style{Indent: "  "}), '\n'))
	if err == nil {
		var text []byte
		if text, err = manifest(made); err == nil {
			put(manifestName, text)
		}
	}
	target := s.path(r)
	if err == nil { // a damaged one goes out of the way at once
		if err = os.Rename(target, filepath.Join(temp, "damaged")); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err == nil {
		err = os.Rename(made, target)
	}
	if err != nil {
		return s.broken(python.StepSeal, target, err)
	}
	return nil
}
