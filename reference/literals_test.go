package reference_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// traps are templates in which texts are hard to tell from tags.
var traps = []string{
	"", "plain", "a{{ 'b' }}c", "{{ 'a' 'b' \"c\" }}{{ 'd' ~ 'e' }}", "x {#- c 'no' -#}\n y", "{# {{ 'no' }} #}yes",
	"a  {%- if 'b' -%}  c  {%- endif %}\nd\n", "  {% if x %}\n  in\n  {% endif %}\n", "t  {%+ if x %}\nu{% endif +%}\nv", "a\r\nb\rc\n\n",
	"{{ {'k': {'l': 'v'}}['k'] }}z", "{{ '}}' }}{{ \"%}\" }}{% set a = '{{' %}", `{{ 'it\'s' }}{{ "\x41\u00e9\U0001f600\n\t\101\q\\" }}`,
	"{% raw %} {{ 'no' }} {% endraw %} end", "a {%- raw -%}  {% x %}  {%- endraw -%}  b", "{% raw %}\nq{% endraw %}\nr", "{% generation %}g{{ m['content'] }}{% endgeneration %}",
	"{{ f(a='b', c=['d', ('e')]) | replace('f', \"g\") is string }}", "{{ 'a'\n  'b' }}", "{{ x['<|end|>'] }}<|start|>", "{%if a%}b{%endif%}",
	"\xe2\x80\xa8 {{- 'x' -}} \xc2\xa0 y", "{% set s %} block {% endset %}", "{{'' }}", "{{ \"é😀\" }}",
}

// The texts that a template brings are those that the reference finds in it.
func TestLiterals(t *testing.T) {
	templates := slices.Clone(traps)
	_, _, dirs := publics(t)
	for _, dir := range dirs {
		c, err := checkpoint.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, template := range c.Templates {
			templates = append(templates, template.Text)
		}
	}
	for _, template := range checkpoint.Default().Templates {
		templates = append(templates, template.Text)
	}
	text, err := json.Marshal(templates)
	if err != nil {
		t.Fatal(err)
	}
	code := &value.Object{}
	code.Set("code", value.String(`import json
from transformers.utils.chat_template_utils import _get_template_literal_text
print(json.dumps([_get_template_literal_text(t) for t in json.loads(`+value.Dumps(value.String(string(text)))+`)]))`))
	e := open(t, reference.Options{Workers: 1, Timeout: time.Minute}) // all templates in one request
	out := e.Do(t.Context(), engine.Request{Op: worker.OpExec, Case: code})
	printed, _ := out.Value.Get("output").AsString()
	var want []string
	if err := json.Unmarshal([]byte(printed), &want); out.Kind != corpus.OK || err != nil || len(want) != len(templates) {
		t.Fatalf("%s: %v", say(out), err)
	}
	sorted := func(texts []string) []string {
		texts = slices.DeleteFunc(texts, func(s string) bool { return s == "" })
		slices.Sort(texts)
		return slices.Compact(texts)
	}
	for i, template := range templates {
		got, want := sorted(checkpoint.Literals(template)), sorted(strings.Split(want[i], "\x00"))
		if !slices.Equal(got, want) {
			t.Errorf("%.300q:\n got %.2000q\nwant %.2000q", template, got, want)
		}
	}
	if len(templates) < 100 {
		t.Errorf("only %d templates", len(templates))
	}
}
