package reference_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// traced is a text whose parts show their lines: 3[text]5[more].
func traced(t engine.Traced) string {
	b, at := &strings.Builder{}, 0
	for _, w := range t.Written {
		b.WriteString(t.Text[at:w.Start])
		fmt.Fprintf(b, "%d[%s]", w.Line, t.Text[w.Start:w.End])
		at = w.End
	}
	b.WriteString(t.Text[at:])
	if t.Raised != nil {
		fmt.Fprintf(b, " %d: %s: %s", t.Raised.Line, t.Raised.Class, t.Raised.Message)
	}
	return b.String()
}

// traceOf asks an engine for the prompt of a render case with its lines.
func traceOf(t *testing.T, e engine.Engine, in *value.Object) (engine.Traced, error) {
	return engine.ReadTraced(e.Name(), e.Do(t.Context(), engine.Request{Op: engine.OpTrace, Case: in}))
}

// Each part of a prompt is the line's that wrote it.
func TestTraceLines(t *testing.T) {
	e, err := shared()
	if err != nil {
		t.Fatalf("NOT RUN: %v", err)
	}
	for _, c := range []struct{ name, template, want string }{
		{"text of several lines", "a\nb\n\n{{ 'c' }}d\n", "1[a\n]2[b\n]3[\n]4[cd]"},
		{"whitespace control", "a\n\n{%- if true -%}\n\n  b\n{%- endif %}\n{#- no #}\nc", "1[a]5[b]8[c]"},
		{"values and constants", "{{- messages[0].content }}\n{{- 'x' }}{{ 1.5 }}{{ none }}", "1[Größe\U0001F600]2[x1.5None]"},
		{"a macro", "{%- macro m(x) %}\n<{{ x }}>\n{%- endmacro %}\n{{- m('a') }}\n{{- m('b') ~ '!' }}", "2[<a><b>]5[!]"},
		{"a block that is set", "{%- set x %}\n<\n{%- endset %}{{ 'y' }}\n{{ x }}", "3[y\n]2[<]"},
		{"a constant that is set", "{%- set x = '<' %}\n{%- set y = messages[0].role %}\n{{- x }}\n{{- y }}", "1[<]4[user]"},
		{"a call block", "{%- macro m() %}<{{ caller() }}>{% endmacro %}\n{%- call m() %}\nin\n{%- endcall %}", "1[<]3[in]1[>]"},
		{"generation", "a\n{%- generation %}\nb\n{%- endgeneration %}\nc", "1[a]3[b]5[c]"},
		{"a loop", "{%- for m in messages %}\n{{- m.role }}\n{%- else %}\nnone\n{%- endfor %}", "2[user]"},
		{"a loop in itself", "{%- for m in [[[]], []] recursive %}\n<{{ loop(m) }}>\n{%- endfor %}", "2[<<>><>]"},
		{"an expression of several lines", "{{- 'a'\n + messages[0].role\n + 'b'\n if true\n else 'c' }}", "1[a]2[user]3[b]"},
		{"text that is collected", "{%- set ns = namespace(out='') %}\n{%- set ns.out = ns.out + 'a' %}\n{%- set ns.out = ns.out ~ 'b' %}\n{{- ns.out }}", "2[a]3[b]"},
		{"parts of what was written", "{%- set x %}\n  a\n b \n{%- endset %}\n{{- x | trim }}{{ x[1:4] }}{{ x[0] }}{{ x.strip(' ') }}", "2[a\n]3[ b]2[ a\n]5[ ]2[a\n]3[ b]"},
		{"a list that is joined", "{%- set list = ['a'] %}\n{%- set list = list + ['b' ~ 'c'] %}\n{{- '<'\n ~ list | join(', ') ~ messages | join('', attribute='role') }}", "3[<]4[a, ]2[bc]4[user]"},
		{"what a filter makes", "{%- set x %}\na\n{%- endset %}\n{{- x | upper }}", "4[A]"},
		{"a filter of a block", "{%- filter upper %}\na\n{%- endfilter %}", "1[A]"},
		{"a block", "{%- block b %}\na\n{%- endblock %}", "2[a]"},
		{"escaping", "{%- autoescape true %}\n{{- '<' ~ '&' }}{{ '<' | safe }}\n{%- endautoescape %}", "2[&lt;&amp;<]"},
		{"nothing", "", ""},
		{"an error", "a{{ 'b' }}\n{%- if true %}\n{{- raise_exception('no') }}\n{%- endif %}", "1[ab] 3: TemplateError: no"},
		{"an error in a macro", "{%- macro m() %}\nx{{- 1 + 'a' }}\n{%- endmacro %}\na{{ m() }}",
			"4[a] 2: TypeError: unsupported operand type(s) for +: 'int' and 'str'"},
		{"an error of types", "{%- set x %}a{% endset %}\n{{- x + none }}{{ x }}", ` 2: TypeError: can only concatenate str (not "NoneType") to str`},
		{"an error of a filter", "{{ [1]\n | join(2)\n | nofilter }}", " 3: TemplateAssertionError: No filter named 'nofilter'."},
		{"an error of syntax", "a\n{% if %}", " 2: TemplateSyntaxError: Expected an expression, got 'end of statement block'"},
	} {
		in := caseWith(c.template)
		got, err := traceOf(t, e, in)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if s := traced(got); s != c.want {
			t.Errorf("%s: got %q, want %q", c.name, s, c.want)
		}
		checkTrace(t, e, c.name, in)
	}
	if _, err := traceOf(t, e, value.NewObject(0)); err == nil || !strings.Contains(err.Error(), "RequestError: messages is missing") {
		t.Errorf("a case without messages: %v", err)
	}
	var cannot *engine.TraceError
	if _, err := traceOf(t, engine.NewNative(checkpoint.Default(), engine.NativeOptions{}), caseWith("a")); !errors.As(err, &cannot) || cannot.Outcome.Kind != corpus.Cannot {
		t.Errorf("an engine that cannot: %v", err)
	}
}

// caseWith is a small conversation with a template of its own.
func caseWith(template string) *value.Object {
	in := value.NewObject(2)
	in.Set("messages", value.List(value.Members(
		value.Member{Name: "role", Value: value.String("user")},
		value.Member{Name: "content", Value: value.String("Größe\U0001F600")})))
	in.Set("chat_template", value.String(template))
	return in
}

// checkTrace holds a trace against the prompt or the error that render gives, and
// wants each byte of the text to have a line. It tells whether there was a prompt.
func checkTrace(t *testing.T, e engine.Engine, name string, in *value.Object) bool {
	t.Helper()
	out := e.Do(t.Context(), engine.Request{Op: engine.OpRender, Case: in})
	got, err := traceOf(t, e, in)
	switch text, _ := out.Value.AsString(); {
	case err != nil:
		var refused *engine.TraceError
		if !errors.As(err, &refused) || out.Kind != corpus.Raised || refused.Outcome.Class != out.Class || refused.Outcome.Message != out.Message {
			t.Errorf("%s: render gives %s, trace %v", name, say(out), err)
		}
	case out.Kind == corpus.Raised:
		if got.Raised == nil || got.Raised.Class != out.Class || got.Raised.Message != out.Message || got.Raised.Line < 1 {
			t.Errorf("%s: render gives %s, trace %+v", name, say(out), got.Raised)
		}
	case text != got.Text || got.Raised != nil:
		t.Errorf("%s: render gives %q, trace %q, %+v", name, text, got.Text, got.Raised)
	}
	end := 0
	for _, w := range got.Written {
		if w.Start != end {
			t.Errorf("%s: nobody wrote %q", name, got.Text[end:w.Start])
		}
		end = w.End
	}
	if end != len(got.Text) {
		t.Errorf("%s: nobody wrote %q", name, got.Text[end:])
	}
	return err == nil && got.Raised == nil
}

// Every prompt of the corpus is the same traced as rendered, and so with the
// public templates in the place of the checkpoint's.
func TestTraceIsRender(t *testing.T) {
	e := open(t, reference.Options{Workers: 1, Date: "2025-06-01"})
	prompts := 0
	var few []corpus.Case
	for i, c := range slices.DeleteFunc(corpus.Embedded(), func(c corpus.Case) bool { return c.Kind == corpus.Parse || c.Checkpoint != "" }) {
		if checkTrace(t, e, c.ID, c.Input) {
			prompts++
		}
		if i%29 == 0 {
			few = append(few, c)
		}
	}
	if prompts < 400 {
		t.Errorf("only %d prompts", prompts)
	}
	_, list, dirs := publics(t)
	prompts = 0
	for i, dir := range dirs {
		source, err := os.ReadFile(filepath.Join(dir, "chat_template.jinja"))
		if err != nil {
			continue // a response template alone
		}
		for _, c := range few {
			in := value.NewObject(c.Input.Len() + 1)
			for name, v := range c.Input.All() {
				in.Set(name, v)
			}
			in.Set("chat_template", value.String(string(source)))
			if checkTrace(t, e, list.Recipes[i].Name+" "+c.ID, in) {
				prompts++
			}
		}
	}
	if prompts < 1000 {
		t.Errorf("only %d prompts of public templates", prompts)
	}
	t.Logf("%d prompts of public templates", prompts)
}
