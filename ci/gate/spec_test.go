package gate

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// repository is a git repository whose first commit has a checkpoint in "my model"
// and whose working tree has another template there.
func repository(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatalf("NOT RUN: %v", err)
	}
	t.Chdir(t.TempDir())
	run := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	write := func(name, text string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write("my model/chat_template.jinja", "one")
	write("my model/tokenizer_config.json", `{"eos_token": "e", "response_template": {"fields": {}}}`)
	write("my model/additional_chat_templates/rag.jinja", "rag")
	write("my model/model.safetensors", "large")
	write("my model/readme/a.json", "{}")
	write("notes/a.txt", "none")
	if err := os.Symlink("/etc/passwd", "my model/link.json"); err != nil {
		t.Fatal(err)
	}
	run("init", "-q")
	run("add", ".")
	run("commit", "-q", "-m", "one")
	write("my model/chat_template.jinja", "two")
	write("other.jinja", "three")
	write("response.json", `{"fields": {"a": {}}, "version": 1}`)
	write("noise.json", `[1]`)
}

// list is what a directory holds: NAME=TEXT, by name.
func list(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out = append(out, filepath.ToSlash(name)+"="+string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

func TestMaterialise(t *testing.T) {
	repository(t)
	const config = `tokenizer_config.json={"eos_token": "e", "response_template": {"fields": {}}}`
	named := t.TempDir()
	if err := checkpoint.Default().Write(named); err != nil {
		t.Fatal(err)
	}
	find := func(_ context.Context, name string) (string, error) {
		return map[string]string{"beam": named}[name], nil
	}
	for _, tt := range []struct {
		base, cand   string
		left, right  string // what the directories hold; "" is not looked at
		wrong        string // part of the error
		template     string // how the candidate's chat template is called
		rightRelease string
	}{
		{base: "HEAD:my model", cand: "my model", template: "my model/chat_template.jinja",
			left: "additional_chat_templates/rag.jinja=rag chat_template.jinja=one " + config},
		{base: "HEAD:./my model/", cand: "HEAD:my model/chat_template.jinja", template: "HEAD:my model/chat_template.jinja",
			right: "additional_chat_templates/rag.jinja=rag chat_template.jinja=one " + config},
		{base: "my model", cand: "other.jinja", template: "other.jinja"},
		{base: "HEAD:my model", cand: "other.jinja", template: "other.jinja",
			right: "additional_chat_templates/rag.jinja=rag chat_template.jinja=three " + config},
		{base: "HEAD:my model", cand: "response.json",
			right: `additional_chat_templates/rag.jinja=rag chat_template.jinja=one tokenizer_config.json={"eos_token": "e", "response_template": {"fields": {"a": {}}, "version": 1}}`},
		{base: "HEAD:my model/chat_template.jinja", cand: "other.jinja", left: "chat_template.jinja=one", right: "chat_template.jinja=three", template: "other.jinja"},
		{base: "my model", cand: "reference@5.23.0", rightRelease: "5.23.0", template: "my model/chat_template.jinja"},
		{base: "beam", cand: "my model", template: "my model/chat_template.jinja"},
		{base: "organisation/name", cand: "other.jinja", wrong: "has no directory here"},
		{base: "HEAD:my model", cand: "HEAD:absent", wrong: `no "absent"`},
		{base: "HEAD:my model", cand: "HEAD:notes", wrong: "holds neither chat_template.jinja nor tokenizer_config.json"},
		{base: "HEAD:my model", cand: "--help:my model", wrong: "is no revision here"},
		{base: "HEAD:my model", cand: "noise.json", wrong: "is neither a chat template"},
		{base: "my model", cand: "", wrong: "names nothing"},
	} {
		dir := t.TempDir()
		got, err := Materialise(t.Context(), [2]string{tt.base, tt.cand}, dir, find)
		var bad *SpecError
		if tt.wrong != "" {
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("%s, %s: %v, want %q", tt.base, tt.cand, err, tt.wrong)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s, %s: %v", tt.base, tt.cand, err)
			continue
		}
		for i, want := range []string{tt.left, tt.right} {
			if want == "" {
				continue
			}
			if has := list(t, got[i].Dir); has != want {
				t.Errorf("%s, %s: side %d holds\n%s, want\n%s", tt.base, tt.cand, i, has, want)
			}
		}
		if tt.template != "" && got[1].Files[chatTemplate] != tt.template || got[1].Release != tt.rightRelease {
			t.Errorf("%s, %s: files %v, release %q", tt.base, tt.cand, got[1].Files, got[1].Release)
		}
	}
}
