package law

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// shared is the reference with the default checkpoint, one process for all tests:
// its start costs more than what most of them ask. TestMain closes it.
var shared = sync.OnceValues(func() (engine.Engine, error) {
	return reference.Open(context.Background(), reference.Options{Workers: 1, Date: "2026-01-31"})
})

var started atomic.Bool

// python is that, which a test fails without.
func python(t *testing.T) engine.Engine {
	t.Helper()
	e, err := shared()
	if err == nil {
		started.Store(true)
		_, err = e.Info(t.Context())
	}
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	return e
}

func TestMain(m *testing.M) {
	code := m.Run()
	if started.Load() {
		e, _ := shared()
		e.Close()
	}
	os.Exit(code)
}

func fixture(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// check gives the findings of a template, but for notes: law and level.
func check(t *testing.T, e engine.Engine, template string) (report.Report, []string) {
	t.Helper()
	r, err := Check(context.Background(), Inline(e, "fixture", template), RenderLaws())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range r.Findings {
		if f.Level != report.Note {
			out = append(out, f.Rule+" "+string(f.Level))
		}
	}
	slices.Sort(out)
	return r, slices.Compact(out)
}

// TestClean holds the laws silent on templates that break none, and asked.
func TestClean(t *testing.T) {
	e := python(t)
	for _, c := range []struct {
		name string
		want []string
		not  []string // laws that have nothing to ask of it
	}{
		{"clean.jinja", nil, []string{"render/date"}},
		{"ends.jinja", []string{"render/forged-turn warning", "render/tools-told warning"},
			[]string{"render/date", "render/arguments-alike", "render/reasoning-kept", "render/results-told", "mask/only-the-model", "mask/stop"}},
		{"words.jinja", []string{"render/tools-told warning"},
			[]string{"render/date", "render/arguments-alike", "render/reasoning-kept", "render/results-told", "mask/only-the-model", "mask/stop", "render/markers-balanced", "render/forged-turn"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, got := check(t, e, fixture(t, c.name))
			if !slices.Equal(got, c.want) {
				t.Errorf("findings %v, want %v", got, c.want)
				tell(t, r)
			}
			for _, rule := range r.Rules {
				if asked := rule.Asked > 0; asked == slices.Contains(c.not, rule.ID) {
					t.Errorf("%s was asked %d times", rule.ID, rule.Asked)
				}
			}
		})
	}
}

// TestCleanVariants holds the laws silent on what is unusual and right.
func TestCleanVariants(t *testing.T) {
	e := python(t)
	for name, c := range map[string]struct{ old, new string }{
		"tags in prose": {`{{- '<|open|>tools\n' -}}`, `{{- '<|open|>tools\nWrite one <call> for each, and <call> again.\n' -}}`},
		"another marker of calls": {`{{- '<|close|>\n' -}}
        {%- endgeneration -%}`, `{{- ('<|call|>\n' if message.tool_calls else '<|close|>\n') -}}
        {%- endgeneration -%}`},
		"a list of Python's in prose": {`{{- '<|open|>tools\n' -}}`, `{{- "<|open|>tools\nAnswer with one of ['<SAFE>', '<UNSAFE>'], as {'answer': ...}.\n" -}}`},
		"calls of Python's": {`{{- checked(arguments if arguments is string else arguments | tojson, where ~ '.tool_calls.arguments') ~ '}</call>' -}}`,
			`{%- if arguments is string -%}{{- raise_exception(where ~ '.tool_calls: arguments must be an object') -}}{%- endif -%}
            {{- function.name ~ '(' -}}
            {%- for key, item in arguments.items() -%}{{- (', ' if not loop.first else '') ~ checked(key, where) ~ '=' ~ checked(item | tojson if item is string else item ~ '', where) -}}{%- endfor -%}
            {{- ')}</call>' -}}`},
		"Python in prose": {`{{- '<|open|>tools\n' -}}`, `{{- '<|open|>tools\nNone of them is True.\n' -}}`},
		"a role that is refused": {`{%- if message.role in ['system', 'developer', 'user'] -%}`, `{%- if message.role in ['system', 'developer'] -%}{{- raise_exception('the role system is not supported') if message.role == 'system' else raise_exception('the role developer is not supported') -}}
    {%- elif message.role == 'user' -%}`},
	} {
		t.Run(name, func(t *testing.T) {
			clean := fixture(t, "clean.jinja")
			if strings.Count(clean, c.old) != 1 {
				t.Fatalf("%q stands %d times", c.old, strings.Count(clean, c.old))
			}
			if r, got := check(t, e, strings.Replace(clean, c.old, c.new, 1)); len(got) > 0 {
				t.Errorf("findings %v", got)
				tell(t, r)
			}
		})
	}
}

func tell(t *testing.T, r report.Report) {
	t.Helper()
	for _, f := range r.Findings {
		t.Logf("%s %s: %s %v", f.Rule, f.Level, f.Message, f.Cases)
	}
}

// TestNoTools holds that a template that speaks of tools nowhere is warned of calls
// that it cannot take, and one that does fails.
func TestNoTools(t *testing.T) {
	const template = "{% for m in messages %}{{ '<|' ~ m.role ~ '|>' + m.content + '<|end|>' }}{% endfor %}"
	for comment, want := range map[string]string{"": "render/renders warning", "{# tools #}": "render/renders error"} {
		if r, got := check(t, python(t), comment+template); !slices.Contains(got, want) || slices.Contains(got, "render/renders error") != (comment != "") {
			t.Errorf("with %q: findings %v, want %s", comment, got, want)
			tell(t, r)
		}
	}
}

// TestDefault holds that the default checkpoint breaks no law in earnest. The
// warnings are true: late instructions are not rendered (the documentation says
// so), results stand as they came, and markers in texts are encoding's to stop.
func TestDefault(t *testing.T) {
	s, err := Of(python(t), checkpoint.Default())
	if err != nil {
		t.Fatal(err)
	}
	r, err := Check(t.Context(), s, RenderLaws())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"render/forged-turn", "render/nothing-lost", "render/results-told"}
	var got []string
	for _, f := range r.Findings {
		if f.Level == report.Error {
			t.Errorf("%s: %s %v", f.Rule, f.Message, f.Cases)
		}
		if f.Level == report.Warning {
			got = append(got, f.Rule)
		}
	}
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("warnings of %v, want %v", got, want)
		tell(t, r)
	}
	if len(r.NotChecked) > 0 {
		t.Error(r.NotChecked)
	}
	// Native Go breaks the same laws in the same cases.
	c := checkpoint.Default()
	native, err := Of(engine.NewNative(c, engine.NativeOptions{}), c)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Check(t.Context(), native, RenderLaws())
	if err != nil {
		t.Fatal(err)
	}
	if len(other.Findings) != len(r.Findings) {
		t.Fatalf("%d findings of native Go, %d of the reference", len(other.Findings), len(r.Findings))
	}
	for i, f := range r.Findings {
		if g := other.Findings[i]; f.Signature != g.Signature || !slices.Equal(f.Cases, g.Cases) {
			t.Errorf("the reference: %s %v; native Go: %s %v", f.Signature, f.Cases, g.Signature, g.Cases)
		}
	}
}
