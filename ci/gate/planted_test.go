package gate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(all{m}) }

// all is every test, and then the end of what they shared.
type all struct{ tests *testing.M }

func (a all) Run() int {
	code := a.tests.Run()
	if opened != nil {
		opened.Close()
	}
	return code
}

var opened engine.Engine // what shared opened

// shared is the default checkpoint's Python.
var shared = sync.OnceValues(func() (engine.Engine, error) {
	e, err := reference.Open(context.Background(), reference.Options{Workers: 2, Date: "2025-06-01"})
	if err == nil {
		opened = e
	}
	return e, err
})

// inlined is an engine of another checkpoint that is asked with the templates of
// this one: a process for each planted fault would take minutes.
type inlined struct {
	engine.Engine
	hash     string
	chat     string
	response value.Value
}

func (e inlined) Do(ctx context.Context, r engine.Request) corpus.Outcome {
	name, template := "chat_template", value.String(e.chat)
	if r.Op == engine.OpParse || r.Op == engine.OpStream {
		name, template = "response_template", e.response
	}
	if _, has := r.Case.Get(name); !has && !template.IsNull() {
		in := value.NewObject(r.Case.Len() + 1)
		for name, v := range r.Case.All() {
			in.Set(name, v)
		}
		in.Set(name, template)
		r.Case = in
	}
	return e.Engine.Do(ctx, r)
}

func (e inlined) Info(ctx context.Context) (engine.Info, error) {
	info, err := e.Engine.Info(ctx)
	info.CheckpointHash = e.hash
	return info, err
}

// sideOf is the default checkpoint with texts in one of its files replaced.
func sideOf(t *testing.T, file string, replace ...string) Side {
	t.Helper()
	e, err := shared()
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "model")
	if err := checkpoint.Default().Write(dir); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, file)
	data, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(replace); i += 2 {
		if strings.Count(text, replace[i]) == 0 {
			t.Fatalf("%s does not contain %q", file, replace[i])
		}
		text = strings.ReplaceAll(text, replace[i], replace[i+1])
	}
	if err := errors.Join(os.Chmod(at, 0o644), os.WriteFile(at, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	c, err := checkpoint.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return Side{Name: "model", Dir: dir, Checkpoint: c, Engine: inlined{e, c.Hash(), c.Templates[0].Text, c.ResponseTemplate},
		Files: filesOf("model", dir)}
}

// few are the documentation's cases, and the conversations of clients.
func few() (list []corpus.Case) {
	r := &run{Gate: &Gate{Format: "beam"}}
	for _, c := range r.shipped() {
		if c.Suite == "documentation" || strings.HasPrefix(c.ID, "check/") && len(list)%2 == 0 {
			list = append(list, c)
		}
	}
	return list
}

// change runs a gate from the default checkpoint to one with a change.
func runChange(t *testing.T, cand Side, laws ...law.Law) *report.Report {
	t.Helper()
	g := &Gate{Base: sideOf(t, templateFile), Candidate: cand, Format: "beam", Cases: few(), Count: 80, Seed: 1, Laws: laws}
	g.Native = engine.NewNative(cand.Checkpoint, engine.NativeOptions{})
	r, err := g.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Each planted fault fails the gate, and the first place of the finding is the line
// that holds it.
func TestPlanted(t *testing.T) {
	const chat, config = templateFile, configFile
	for _, tt := range []struct {
		name, file, old, new string
		rule                 string // of the gravest finding
		line                 string // part of the line that is named first
	}{
		{"a close marker that is lost", chat, `text_of(message.get('content'), where ~ '.content') ~ '<|end|>' -}}
    {%- elif role == 'assistant'`, `text_of(message.get('content'), where ~ '.content') -}}
    {%- elif role == 'assistant'`, ruleDocumented, `'<|start|>user<|message|>' ~ text_of`},
		{"null that is not looked for", chat, `{%- elif content is defined and content is not none -%}`, `{%- else -%}`, ruleRaises, `{%- else -%}`},
		{"roles that are swapped", chat, `'<|start|>user<|message|>'`, `'<|start|>assistant<|message|>'`, ruleDocumented, `'<|start|>assistant<|message|>'`},
		{"arguments as Python writes them", chat, `value if value is string else value | tojson -%}
            {%- if '</rfl`, `value if value is string else value | string -%}
            {%- if '</rfl`, ruleDocumented, `value | string`},
		{"a line break that is lost", chat, `'">\n' ~ text`, `'">' ~ text`, ruleDocumented, `'">' ~ text`},
		{"tools in another order", chat, `{%- for tool in tools or [] -%}`, `{%- for tool in (tools or []) | reverse -%}`, ruleDocumented, `| reverse`},
		{"the wrong channel", chat, `'<|channel|>final<|message|>' ~ content`, `'<|channel|>analysis<|message|>' ~ content`, ruleDocumented, `analysis<|message|>' ~ content`},
		{"reasoning that is dropped", chat, `<|message|>' ~ turn.reasoning ~ '<|end|>`, `<|message|><|end|>`, ruleDocumented, `<|message|><|end|>`},
		{"the wrong stop token", chat, `'<|call|>' if loop.last`, `'<|end|>' if loop.last`, ruleDocumented, `'<|end|>' if loop.last`},
		{"instructions that are dropped", chat, `{%- if text -%}
        {%- set developer`, `{%- if text and loop.first -%}
        {%- set developer`, ruleDocumented, `{%- if text and loop.first -%}`},
		{"results that are dropped", chat, `{{- text_of(message.get('content'), where ~ '.content') ~ '<|end|>' -}}`, `{{- '<|end|>' -}}`, ruleDocumented, `{{- '<|end|>' -}}`},
		{"generation that is not marked", chat, `{%- generation -%}`, `{%- if true -%}`, ruleMaskGone, `{%- if true -%}`},
		{"a pattern that takes too much", config, `(?P<value>.*?)`, `(?P<value>.*)`, ruleReplyDocumented, "tool_calls"},
		{"types that are lost", config, `"type": "function",`, `"type": "tool",`, ruleReplyDocumented, "tool_calls"},
		{"a field that has another name", config, `"thinking": {`, `"thoughts": {`, ruleReplyDocumented, "thoughts"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			replace := []string{tt.old, tt.new}
			if tt.rule == ruleMaskGone { // both ends of the block
				replace = append(replace, "{%- endgeneration -%}", "{%- endif -%}")
			}
			cand := sideOf(t, tt.file, replace...)
			r := runChange(t, cand)
			if r.ExitCode() != report.ExitFailed {
				t.Fatalf("the gate passes: %s", r.Verdict())
			}
			f := r.Findings[0]
			if f.Rule != tt.rule || f.Level != report.Error || f.Smallest == nil || len(f.Cases) == 0 {
				t.Errorf("%s %s: %s", f.Level, f.Rule, f.Message)
			}
			if len(f.Places) == 0 || !strings.Contains(f.Places[0].Text, tt.line) || f.Places[0].Line == 0 {
				t.Errorf("%s: places %+v, want one with %q first", f.Message, f.Places, tt.line)
			}
			for _, f := range r.Findings {
				t.Logf("%s %s (%d): %s %v %s", f.Level, f.Rule, len(f.Cases), f.Message, f.Places, f.Smallest.Input)
			}
		})
	}
}

// A change that changes nothing passes, without a finding of any level.
func TestClean(t *testing.T) {
	const chat, config = templateFile, configFile
	for _, tt := range []struct {
		name, file string
		replace    []string
	}{
		{"nothing", chat, nil},
		{"a comment", chat, []string{"{#- The turns. -#}", "{#- The turns,\n    one after the other. -#}"}},
		{"a variable with another name", chat, []string{"speaker", "teller"}},
		{"white space between tags", chat, []string{
			"{{- '<|start|>user<|message|>' ~ text_of(message.get('content'), where ~ '.content') ~ '<|end|>' -}}",
			"{{- '<|start|>user<|message|>' -}}\n\n        {{- text_of(message.get('content'),\n            where ~ '.content') -}}\n        {{- '<|end|>' -}}"}},
		{"a condition the other way round", chat, []string{"{%- if text -%}\n        {%- set developer.instructions = developer.instructions + [text] -%}\n    {%- endif -%}",
			"{%- if not text -%}\n    {%- else -%}\n        {%- set developer.instructions = developer.instructions + [text] -%}\n    {%- endif -%}"}},
		{"a configuration with other spaces", config, []string{": ", ":  "}},
		{"a pattern that is written otherwise", config, []string{`(?P<key>[^\"]+)`, `(?P<key>[^\"][^\"]*)`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := runChange(t, sideOf(t, tt.file, tt.replace...))
			if r.ExitCode() != report.ExitPassed || len(r.Findings) > 0 {
				t.Errorf("%s", r.Verdict())
				for _, f := range r.Findings {
					t.Errorf("%s %s (%d): %s %v %+v", f.Level, f.Rule, len(f.Cases), f.Message, f.Places, f.Smallest)
				}
			}
			asked := 0
			for _, u := range r.Rules {
				asked += u.Asked
			}
			if asked < 1000 || !slices.ContainsFunc(r.Rules, func(u report.Rule) bool { return u.ID == ruleTurnLossy && u.Asked > 20 }) {
				t.Errorf("only %d questions: %+v", asked, r.Rules)
			}
		})
	}
}
