package render

import (
	"context"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/fuzz/suite"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
)

// openaiSides are native Go and the reference with gpt-oss's training template,
// which writes what its own does and marks what the model wrote.
func openaiSides(t *testing.T) (native, python engine.Engine, source string) {
	c, err := checkpoint.Load(assembled(t, "gpt-oss-training"))
	if err != nil {
		t.Fatal(err)
	}
	return engine.NewNative(c, engine.NativeOptions{Format: "gpt-oss", Date: day}), suite.ReferenceOf(t, "gpt-oss-training"), c.Templates[0].Text
}

const day = "2026-04-04"

// assembled is the folder of a public checkpoint.
func assembled(t *testing.T, name string) string {
	dir, err := reference.Assemble(t.Context(), reference.Recipes().Find(name), python.Options{})
	if err != nil {
		t.Fatalf("NOT RUN: the checkpoint %s is not there: %v", name, err)
	}
	return dir
}

// dated answers as an engine does on the day, with another template where one is
// given.
type dated struct {
	engine.Engine
	template string
}

func (d dated) Do(ctx context.Context, r engine.Request) corpus.Outcome {
	in := &value.Object{}
	for name, v := range r.Case.All() {
		in.Set(name, v)
	}
	if v, _ := in.Get("date"); v.IsNull() {
		in.Set("date", value.String(day))
	}
	if d.template != "" {
		in.Set("chat_template", value.String(d.template))
	}
	return d.Engine.Do(ctx, engine.Request{Op: r.Op, Case: in})
}

func makeOpenAI(i int) *conversation.Conversation {
	made, _ := conversation.Of("gpt-oss")
	return made(fuzz.FromSeed(suite.Seed("openai", i)))
}

// Native prompts and spans of OpenAI Harmony against the model's own template,
// errors by class and text.
func TestOpenAI(t *testing.T) {
	n := max(1000, suite.Pairs(t))
	native, python, _ := openaiSides(t)
	report := (&Differ{Native: native, Reference: dated{Engine: python}}).Run(t.Context(), n, makeOpenAI)
	t.Log(report)
	clean(t, report, n)
}

// Each line of the template that is written otherwise is a fault: the generated
// conversations show it, within so many.
func TestOpenAIPlanted(t *testing.T) {
	const within = 1500
	native, python, source := openaiSides(t)
	for name, edit := range map[string][2]string{
		"a type of items":          {`{{- "boolean[]" }}`, `{{- "bool[]" }}`},
		"null of an array":         {`"any[]" }}` + "\n" + `            {%- if param_spec.nullable`, `"any[]" }}` + "\n" + `            {%- if false`},
		"the length of a type":     {"inner_type|length > 50", "inner_type|length > 51"},
		"a default of oneOf":       {`{{ "// default: " + variant.default|tojson }}`, `{{- "// default: " + variant.default|tojson }}`},
		"variants' white space":    {`{{- " | " }}` + "\n                {% endif -%}", `{{- " | " }}` + "\n                {%- endif -%}"},
		"a member's white space":   {`{{ render_typescript_type(prop_spec`, `{{- render_typescript_type(prop_spec`},
		"a default of choices":     {`{{- ", // default: " + param_spec.default }}`, `{{- ", // default: " + param_spec.default|tojson }}`},
		"python alone":             {"{%- if python_tool %}", "{%- if python_tool and browser_tool %}"},
		"an answer later on":       {"loop_messages[loop.index:]", "loop_messages[loop.index + 1:]"},
		"the first call":           {"message.tool_calls[0]", "message.tool_calls[-1]"},
		"the kind of a call":       {`tool_call.content_type is defined`, `tool_call.content_type`},
		"reasoning of training":    {`{%- if "thinking" in message %}` + "\n                " + `{{- "<|start|>assistant<|channel|>analysis`, `{%- if message.thinking %}` + "\n                " + `{{- "<|start|>assistant<|channel|>analysis`},
		"the end of an answer":     {`+ message.content + "<|return|>"`, `+ message.content + "<|end|>"`},
		"the tool that was called": {"{%- set last_tool_call.name = none %}\n        {%- endif %}", "{%- endif %}"},
		"results as JSON":          {"message.content|tojson +", "message.content +"},
	} {
		t.Run(name, func(t *testing.T) {
			edited := strings.Replace(source, edit[0], edit[1], 1)
			if edited == source {
				t.Fatal("the template has no such line")
			}
			differ := Differ{Native: native, Reference: dated{python, edited}}
			for from := 0; from < within; from += 50 {
				if r := differ.Run(t.Context(), 50, func(i int) *conversation.Conversation { return makeOpenAI(from + i) }); len(r.Differences) > 0 {
					t.Logf("within %d conversations", from+50)
					return
				}
			}
			t.Errorf("no difference in %d conversations", within)
		})
	}
}
