package response

import (
	"os"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// The templates that the tests read with: the default checkpoint's own, and the
// two shapes of public gateway templates for the same wire format, whose tool
// name is .+? and whose markers are patterns.
const (
	gatewayFields = `"fields": {
  "thinking": {"open_pattern": "<\\|channel\\|>analysis<\\|message\\|>", "close": "<|end|>"},
  "content": {"open_pattern": "<\\|channel\\|>final<\\|message\\|>", "close": ["<|return|>", "<|end|>"]},
  "tool_calls": {
    "open_pattern": "(?:<\\|start\\|>assistant )?to=(?P<name>.+?)<\\|channel\\|>analysis(?: <\\|constrain\\|>xml)?<\\|message\\|>",
    "close": ["<|call|>", "<|end|>"], "repeats": true, "content": "xml-inline",
    "content_args": {"tag_pattern": "<rfl:parameter name=\"(?P<key>[^\"]+)\">(?P<value>.*?)</rfl:parameter>",
      "value_parser": {"name": "text", "args": {"strip": STRIP}}},
    "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}}}`
	gatewayHead = `{"defaults": {"thinking": "", "content": "", "tool_calls": []}, "start_anchor_pattern": "<\\|start\\|>assistant", `
)

func compileJSON(t testing.TB, template string) *Template {
	t.Helper()
	tpl, err := Compile(loads(t, template))
	if err != nil {
		t.Fatalf("Compile(%s): %v", template, err)
	}
	return tpl
}

func loads(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.Loads(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// beamTemplate is the default checkpoint's response template.
func beamTemplate(t testing.TB) *Template {
	t.Helper()
	config, err := os.ReadFile("../../reference/checkpoint/beam/tokenizer_config.json")
	if err != nil {
		t.Fatal(err)
	}
	tpl, err := Compile(loads(t, string(config)).Get("response_template"))
	if err != nil {
		t.Fatal(err)
	}
	return tpl
}

func gateway(t testing.TB, strip string) *Template {
	return compileJSON(t, gatewayHead+strings.Replace(gatewayFields, "STRIP", strip, 1)+"}")
}

// beamTemplates are the three of them by name.
func beamTemplates(t testing.TB) map[string]*Template {
	return map[string]*Template{"beam": beamTemplate(t), "gateway-stripped": gateway(t, "true"), "gateway-kept": gateway(t, "false")}
}

var noPrefix = ""
