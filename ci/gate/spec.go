package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Source is a side as it was named, put where an engine can open it.
type Source struct {
	// Name is how the caller named it.
	Name string
	// Dir is its directory, "" for a name that has none, such as a hub id.
	Dir string
	// Named: Name is that of a checkpoint, not of a place.
	Named bool
	// Release is the release of Transformers of reference@VERSION, whose checkpoint
	// is the other side's; "" is the default one.
	Release string
	// Files are those of report.Subject: paths as the caller knows them.
	Files map[string]string
}

// SpecError is a side that cannot be had, and why.
type SpecError struct {
	Spec string
	What string
	Err  error
}

func (e *SpecError) Error() string { return fmt.Sprintf("%q %s", e.Spec, e.What) }
func (e *SpecError) Unwrap() error { return e.Err }

// The files of a checkpoint that shape prompts and replies.
const (
	templateFile = "chat_template.jinja"
	configFile   = "tokenizer_config.json"
)

// ReleasePrefix begins the name of a side that is the other one under another
// release of Transformers.
const ReleasePrefix = "reference@"

// Materialise finds what the names of the two sides stand for, and puts what is in
// no directory into one under dir, which is the caller's to remove. A name is that
// of a directory or of a file; REVISION:PATH, read from the git repository of the
// working directory; reference@VERSION; or, if none of these, one to be looked up.
// A file is a chat template (.jinja), a tokenizer_config.json, or a response
// template (other .json); the rest of its checkpoint is that of the other side, or
// absent where that is a file as well. find gives the directory of a name, "" where
// it has none. The error is a *SpecError or find's.
func Materialise(ctx context.Context, specs [2]string, dir string, find func(context.Context, string) (string, error)) (out [2]Source, err error) {
	var parts [2]map[string][]byte // of a side that is a file
	for i, spec := range specs {
		home := filepath.Join(dir, fmt.Sprint(i))
		if out[i], parts[i], err = locate(ctx, spec, home); err != nil {
			return out, err
		}
		if !out[i].Named {
			continue
		}
		if out[i].Dir, err = find(ctx, spec); err != nil {
			return out, err
		}
		if out[i].Dir != "" {
			out[i].Files = filesOf(spec, out[i].Dir)
		}
	}
	for i, files := range parts {
		if out[i].Release != "" {
			out[i].Files = out[1-i].Files
		}
		if files == nil {
			continue
		}
		other := out[1-i]
		if parts[1-i] == nil && other.Dir == "" {
			return out, &SpecError{specs[i], "is one file, and the rest of its checkpoint cannot be taken from " + fmt.Sprintf("%q, which has no directory here; name one there", specs[1-i]), nil}
		}
		home := filepath.Join(dir, fmt.Sprint(i))
		if err := os.MkdirAll(home, 0o755); err != nil {
			return out, &SpecError{specs[i], "cannot be copied: " + err.Error(), err}
		}
		if parts[1-i] == nil {
			if err := copyCheckpoint(home, other.Dir); err != nil {
				return out, &SpecError{specs[i], "cannot be completed from the other side: " + err.Error(), err}
			}
		}
		if err := complete(home, files); err != nil {
			return out, &SpecError{specs[i], "cannot be copied: " + err.Error(), err}
		}
		out[i].Dir = home
	}
	return out, nil
}

// locate finds what a name stands for: a directory, or the files of a side that is
// one file, by the names under which a checkpoint has them.
func locate(ctx context.Context, spec, home string) (s Source, files map[string][]byte, err error) {
	s = Source{Name: spec, Files: map[string]string{}}
	if spec == "" {
		return s, nil, &SpecError{spec, "names nothing; it is a directory, REVISION:PATH, a template's file, a public checkpoint, or reference@VERSION", nil}
	}
	info, statErr := os.Stat(spec)
	if statErr == nil && info.IsDir() {
		s.Dir, err = filepath.Abs(spec)
		s.Files = filesOf(spec, s.Dir)
		return s, nil, err
	}
	if statErr == nil {
		data, err := corpus.ReadRegular(os.DirFS(filepath.Dir(spec)), filepath.Base(spec))
		if err != nil {
			return s, nil, &SpecError{spec, "cannot be read: " + err.Error(), err}
		}
		files, err = single(spec, data)
		for name := range files {
			s.Files[map[string]string{templateFile: chatTemplate, configFile: responseTemplate}[name]] = filepath.ToSlash(spec)
		}
		return s, files, err
	}
	if !errors.Is(statErr, fs.ErrNotExist) && !strings.Contains(spec, ":") {
		return s, nil, &SpecError{spec, "cannot be read: " + statErr.Error(), statErr}
	}
	if version, ok := strings.CutPrefix(spec, ReleasePrefix); ok {
		if version == "" {
			return s, nil, &SpecError{spec, "names no release of Transformers: reference@5.23.0", nil}
		}
		s.Release = version
		return s, nil, nil
	}
	if rev, at, ok := strings.Cut(spec, ":"); ok && rev != "" {
		return revision(ctx, s, rev, at, home)
	}
	s.Named = true
	return s, nil, nil
}

// filesOf are the paths of a directory's templates, as shown.
func filesOf(shown, dir string) map[string]string {
	out := map[string]string{}
	for file, name := range map[string]string{templateFile: chatTemplate, configFile: responseTemplate} {
		if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
			out[name] = path.Join(filepath.ToSlash(shown), file)
		}
	}
	if out[chatTemplate] == "" && out[responseTemplate] != "" {
		out[chatTemplate] = out[responseTemplate] // the template stands in the configuration
	}
	return out
}

// single is a side of one file, as a checkpoint has it.
func single(spec string, data []byte) (map[string][]byte, error) {
	if strings.HasSuffix(spec, ".jinja") {
		return map[string][]byte{templateFile: data}, nil
	}
	v, err := value.Loads(string(data))
	o, _ := v.AsObject()
	if err != nil || o == nil {
		return nil, &SpecError{spec, "is neither a chat template (its name ends in .jinja) nor a JSON object: a tokenizer_config.json or a response template", err}
	}
	if _, bare := o.Get("fields"); bare {
		v = value.Members(value.Member{Name: "response_template", Value: v})
		data = []byte(value.Dumps(v))
	}
	return map[string][]byte{configFile: data}, nil
}

// complete puts a side's own files into its directory. Of a configuration that is a
// response template alone the rest is the other side's.
func complete(home string, files map[string][]byte) error {
	for name, data := range files {
		at := filepath.Join(home, name)
		if name == configFile {
			merged, err := mergeConfig(at, data)
			if err != nil {
				return err
			}
			data = merged
		}
		if err := os.WriteFile(at, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// mergeConfig is the configuration data, or, where it is a response template alone
// and there is a configuration, that one with it.
func mergeConfig(at string, data []byte) ([]byte, error) {
	own, err := value.Loads(string(data))
	o, _ := own.AsObject()
	if err != nil || o == nil || o.Len() != 1 {
		return data, nil
	}
	old, err := os.ReadFile(at)
	if errors.Is(err, fs.ErrNotExist) {
		return data, nil
	}
	if err != nil {
		return nil, err
	}
	v, err := value.Loads(string(old))
	whole, _ := v.AsObject()
	if err != nil || whole == nil {
		return data, nil
	}
	whole.Set("response_template", own.Get("response_template"))
	return []byte(value.Dumps(v)), nil
}

// wanted tells whether a file of a directory shapes prompts, replies or tokens.
func wanted(name string) bool {
	dir, base := path.Split(name)
	switch dir {
	case "":
		return strings.HasSuffix(base, ".json") && !strings.HasSuffix(base, ".index.json") || strings.HasSuffix(base, ".jinja") ||
			strings.HasSuffix(base, ".model") || strings.HasSuffix(base, ".txt") || strings.HasSuffix(base, ".tiktoken")
	case "additional_chat_templates/":
		return strings.HasSuffix(base, ".jinja")
	}
	return false
}

// copyCheckpoint copies what is wanted of a directory.
func copyCheckpoint(to, from string) error {
	return fs.WalkDir(os.DirFS(from), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && name != "additional_chat_templates" {
				return fs.SkipDir
			}
			return nil
		}
		if !wanted(name) {
			return nil
		}
		data, err := corpus.ReadRegular(os.DirFS(from), name)
		if err != nil {
			return err
		}
		return write(to, name, data)
	})
}

func write(dir, name string, data []byte) error {
	at := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	return os.WriteFile(at, data, 0o644)
}
