package ci

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

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

// checkSize holds that the chat template in a file of dir, if it is there, is not
// larger than any. The error is a *checkpoint.LoadError.
func checkSize(dir, file string) error {
	if info, err := os.Stat(filepath.Join(dir, file)); err == nil && info.Size() > largestTemplate {
		return &checkpoint.LoadError{Dir: dir, File: file, Err: &SizeError{info.Size()}}
	}
	return nil
}

// linked is a link to a directory, by a name that is a text. The caller removes it.
func linked(dir string) (link string, remove func(), err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", nil, err
	}
	temp, remove, err := scratch("check")
	if err != nil {
		return "", nil, err
	}
	link = filepath.Join(temp, "checkpoint")
	if err := os.Symlink(abs, link); err != nil {
		remove()
		return "", nil, err
	}
	return link, remove, nil
}

// templateText reads the file of a chat template as Python does. The error is a
// *checkpoint.LoadError.
func templateText(name string) (string, error) {
	if err := checkSize(filepath.Dir(name), filepath.Base(name)); err != nil {
		return "", err
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
	{Name: "sep_token", Value: value.String("<sep>")}, {Name: "cls_token", Value: value.String("<cls>")},
}

// bare makes the folder of a checkpoint that has a chat template and the usual
// special tokens. The caller removes it.
func bare(template string) (dir string, remove func(), err error) {
	if dir, remove, err = scratch("check"); err != nil {
		return "", nil, err
	}
	config := append([]value.Member{{Name: "tokenizer_class", Value: value.String("PreTrainedTokenizerFast")}}, usualTokens...)
	err = errors.Join(
		os.WriteFile(filepath.Join(dir, templateFile), []byte(template), 0o600),
		os.WriteFile(filepath.Join(dir, "tokenizer_config.json"), []byte(value.Dumps(value.Members(config...))), 0o600))
	if err != nil {
		remove()
		return "", nil, err
	}
	return dir, remove, nil
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
