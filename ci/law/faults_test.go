package law

import (
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/ci/report"
)

// fault is a change of a clean fixture that breaks one law.
type fault struct {
	law   string
	level report.Level
	from  string // the fixture
	old   string
	new   string
	line  string   // what stands on the line that the finding points to, "" where it points to none
	also  []string // what the same change breaks besides
}

var faults = []fault{
	{"render/renders", report.Error, "clean.jinja", `        {{- text_of(message.content, where ~ '.content') -}}`, `        {{- checked(message.content + '', where) -}}`, "message.content + ''", []string{"render/renders warning"}},
	{"render/renders", report.Warning, "clean.jinja", `where ~ '[' ~ loop.index0 ~ '] must be a text part.'`, `'not supported'`, "not supported", nil},
	{"render/unprepared", report.Warning, "clean.jinja", `{%- elif content is none or content is undefined -%}`, `{%- elif content is undefined -%}`, "", nil},
	{"render/unprepared", report.Warning, "clean.jinja", `        {{- text_of(message.content, where ~ '.content') -}}`, `        {%- if 'content' in message and '<x>' not in message.content -%}{{- text_of(message.content, where ~ '.content') -}}{%- endif -%}`, "<x>", nil},
	{"render/markers-balanced", report.Error, "clean.jinja", `~ '}</call>'`, `~ ('}</call>' if loop.first else '}')`, "<call>", nil},
	{"render/markers-balanced", report.Error, "clean.jinja", `{{- '<|close|>\n' -}}
        {%- endgeneration`, `{{- '<|close|>\n' if not message.tool_calls else '\n' -}}
        {%- endgeneration`, "<|open|>tool", nil},
	{"render/markers-balanced", report.Error, "ends.jinja", `~ '<|stop|>'`, `~ ('\n' if 'floating' in message.content else '<|stop|>')`, "message.content",
		[]string{"render/markers-balanced warning", "render/forged-turn warning", "render/tools-told warning"}},
	{"render/markers-balanced", report.Warning, "clean.jinja", `{{- '<|open|>assistant\n' -}}
{%- endif -%}`, `{{- '<|open|>assistant\n</think>' -}}
{%- endif -%}`, "</think>", []string{"render/exact-append warning"}},
	{"render/markers-balanced", report.Warning, "clean.jinja", `~ '</think>' -}}`, `~ '</think>' -}}
        {%- else -%}{{- '</think>' -}}`, "else", nil},
	{"render/no-python", report.Error, "clean.jinja", `arguments if arguments is string else arguments | tojson`, `arguments ~ ''`, "checked(arguments", []string{"render/arguments-alike warning"}},
	{"render/no-python", report.Error, "clean.jinja", `(tool.function if tool.function is defined else tool) | tojson`, `(tool.function if tool.function is defined else tool) ~ ''`, "checked((tool", nil},
	{"render/exact-append", report.Error, "clean.jinja", `{{- text_of(message.content, where ~ '.content') -}}`, `{{- text_of(message.content, where ~ '.content') if loop.last or not message.tool_calls or loop.index0 > 2 or loop.length < 4 -}}`, "", []string{"render/nothing-lost error"}},
	{"render/exact-append", report.Error, "clean.jinja", `{%- if reasoning -%}`, `{%- if reasoning and loop.index0 + 3 > loop.length -%}`, "", []string{"render/exact-append warning", "render/reasoning-kept warning"}},
	{"render/exact-append", report.Warning, "clean.jinja", `{%- if reasoning -%}`, `{%- if reasoning and (messages | selectattr('role', 'equalto', 'user') | list | last) == (messages[:loop.index0] | selectattr('role', 'equalto', 'user') | list | last) -%}`, "", nil},
	{"render/exact-append", report.Warning, "clean.jinja", `{{- '<|open|>assistant\n' -}}
{%- endif -%}`, `{{- '<|open|>assistant\n<think>' -}}
{%- endif -%}`, "", []string{"mask/only-the-model warning"}},
	{"render/order", report.Warning, "clean.jinja", `{%- for message in messages -%}`, `{%- for message in (messages[1:2] + messages[:1] + messages[2:] if messages[0].role == 'system' else messages) -%}`, "text", nil},
	{"render/nothing-lost", report.Error, "clean.jinja", `{%- for call in message.tool_calls or [] -%}`, `{%- for call in (message.tool_calls or [])[:1] -%}`, "", nil},
	{"render/nothing-lost", report.Warning, "clean.jinja", `{{- ('' if loop.first else '\n') ~ checked(part.text, where) -}}`, `{{- checked(part.text, where) if loop.first -}}`, "", nil},
	{"render/date", report.Warning, "clean.jinja", `{%- if tools -%}`, `{{- '<|open|>system\nIt is ' ~ strftime_now('%d %B %Y') ~ '.<|close|>\n' -}}{%- if tools -%}`, "strftime_now", nil},
	{"render/repeatable", report.Error, "clean.jinja", `{{- '<|open|>tools\n' -}}`, `{{- '<|open|>tools ' ~ (range(99999) | random) ~ '\n' -}}`, "random", nil},
	{"render/tools-told", report.Warning, "clean.jinja", `(tool.function if tool.function is defined else tool) | tojson`, `(tool.function if tool.function is defined else tool).name | tojson`, "", nil},
	{"render/nothing-alike", report.Warning, "clean.jinja", `{%- elif content is none or content is undefined -%}`, `{%- elif content is none or content is undefined -%}{{- ' ' -}}`, "", nil},
	{"render/arguments-alike", report.Warning, "clean.jinja", `arguments if arguments is string else arguments | tojson`, `arguments | tojson`, "text", nil},
	{"render/reasoning-kept", report.Warning, "clean.jinja", `message.reasoning_content or message.reasoning or message.thinking`, `message.reasoning if message.reasoning is defined else ''`, "", nil},
	{"render/results-told", report.Warning, "clean.jinja", `{{- '<|open|>tool ' ~ (message.tool_call_id or '') ~ '\n'`, `{{- '<|open|>tool\n'`, "text", nil},
	{"render/generation-prompt", report.Warning, "clean.jinja", `{%- if add_generation_prompt -%}`, `{%- if add_generation_prompt and false -%}`, "", nil},
	{"render/forged-turn", report.Warning, "clean.jinja", `{%- if '<|' in text or`, `{%- if`, "", nil},
	{"render/forged-turn", report.Error, "clean.jinja", `{{- text -}}`, `{{- text | replace('/quiet', '') -}}`, "replace", nil},
	{"mask/present", report.Error, "clean.jinja", `        {{- text_of(message.content, where ~ '.content') -}}`, `        {%- endgeneration -%}{{- text_of(message.content, where ~ '.content') -}}{%- generation -%}`, "", []string{"mask/stop error"}},
	{"mask/only-the-model", report.Error, "clean.jinja", `{{- '<|open|>tool ' ~ (message.tool_call_id or '') ~ '\n' ~ text_of(message.content, where ~ '.content') ~ '<|close|>\n' -}}`,
		`{%- generation -%}{{- '<|open|>tool ' ~ (message.tool_call_id or '') ~ '\n' ~ text_of(message.content, where ~ '.content') ~ '<|close|>\n' -}}{%- endgeneration -%}`, "", nil},
	{"mask/only-the-model", report.Warning, "clean.jinja", `{{- '<|open|>assistant\n' -}}
        {%- generation -%}`, `{%- generation -%}
        {{- '<|open|>assistant\n' -}}`, "", nil},
	{"mask/stop", report.Error, "clean.jinja", `        {{- '<|close|>\n' -}}
        {%- endgeneration -%}`, `        {%- endgeneration -%}{{- '<|close|>\n' -}}`, "", nil},
}

// TestFaults plants each fault: its law fires, at its level, points to the line,
// and no other law does that should not.
func TestFaults(t *testing.T) {
	e := python(t)
	fired, ran := map[string]bool{}, 0
	for _, f := range faults {
		t.Run(f.law, func(t *testing.T) {
			ran++
			clean := fixture(t, f.from)
			if strings.Count(clean, f.old) != 1 {
				t.Fatalf("%q stands %d times in %s", f.old, strings.Count(clean, f.old), f.from)
			}
			r, got := check(t, e, strings.Replace(clean, f.old, f.new, 1))
			want := slices.Sorted(slices.Values(append([]string{f.law + " " + string(f.level)}, f.also...)))
			if !slices.Equal(got, want) {
				t.Errorf("findings %v, want %v", got, want)
				tell(t, r)
			}
			var lines []string
			for _, x := range r.Findings {
				if x.Rule != f.law {
					continue
				}
				fired[x.Rule] = true
				if len(x.Places) == 0 || x.Smallest == nil || x.Smallest.Input == "" || len(x.Cases) == 0 {
					t.Errorf("%s has no place or no witness: %+v", x.Rule, x)
					continue
				}
				lines = append(lines, x.Places[0].Text)
			}
			if f.line != "" && !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, f.line) }) {
				t.Errorf("%s points to %q, want a line with %q", f.law, lines, f.line)
			}
		})
	}
	for _, law := range RenderLaws() {
		if !fired[law.ID] && ran == len(faults) { // and not only those that -run names
			t.Errorf("no planted fault shows that %s can fail", law.ID)
		}
	}
}
