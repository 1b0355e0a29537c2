package ci

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/beamdiff/beamdiff/reference/python"
)

// The doctor says of each chat template of a directory whether it compiles.
func TestDoctorCompilesTemplates(t *testing.T) {
	env, err := python.Ensure(t.Context(), python.Options{}) // the doctor sets nothing up
	if err != nil {
		t.Fatal(err)
	}
	defer env.Close()
	for _, tt := range []struct {
		name, template string
		code           int
		want           string
	}{
		{"compiles", "{{ messages[0].content }}", ExitSame, `ok +template +the chat template compiles`},
		{"raises, but compiles", "{{ raise_exception('no') }}", ExitSame, `ok +template +the chat template compiles`},
		{"no expression", "{% if %}", ExitEngine, `BROKEN +template +the chat template does not compile: TemplateSyntaxError: Expected`},
		{"no such filter", "{{ messages | nonsense }}", ExitEngine, `BROKEN +template +the chat template does not compile: TemplateAssertionError: No filter`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "chat_template.jinja"), []byte(tt.template), 0o644); err != nil {
				t.Fatal(err)
			}
			code, out, errs := command(t, "", "doctor", "--checkpoint", dir)
			if code != tt.code || !regexp.MustCompile(`(?m)^`+tt.want).MatchString(out) {
				t.Errorf("exit %d, want %d and %s\n%s%s", code, tt.code, tt.want, out, errs)
			}
		})
	}
}
