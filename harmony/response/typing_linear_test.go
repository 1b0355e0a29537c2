package response

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/typing"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// typedTools have a schema that makes much of each argument: any type, each of them
// many times, in a circle of references, beside 10,000 properties.
func typedTools(t testing.TB) *Tools {
	var properties []string
	for i := range 10_000 {
		properties = append(properties, fmt.Sprintf(`"p%d":{"$ref":"#/properties/any"}`, i))
	}
	object := strings.TrimSuffix(strings.Repeat(`{"type":"object"},{"type":"array"},`, 1000), ",")
	schema := `"any":{"anyOf":[{"$ref":"#/properties/any"},{"type":["integer","number","boolean","null","object","array"]},` + object + `]},` +
		`"object":{"type":"object"},"word":{"enum":["a","b"]},` + strings.Join(properties, ",")
	return PrepareTools([]value.Value{loads(t, `{"name":"f","parameters":{"type":"object","additionalProperties":false,"properties":{`+schema+`}}}`)})
}

// argument writes an argument of a call of f.
func argument(name, text string) string {
	return `<rfl:parameter name="` + name + `">` + text + `</rfl:parameter>`
}

// typedReplies are calls of f of about n bytes whose arguments take long to type.
var typedReplies = map[string]func(n int) string{
	"one number":          func(n int) string { return argument("any", strings.Repeat("9", n)) },
	"one text":            func(n int) string { return argument("any", strings.Repeat("x", n)) },
	"brackets":            func(n int) string { return argument("any", fill("[1],", n)) },
	"JSON but for an end": func(n int) string { return argument("any", `{"a":[`+fill(`{"b":1},`, n)) },
	"JSON":                func(n int) string { return argument("any", `{"a":[`+fill(`{"b":1},`, n)+`0]}`) },
	"keys again":          func(n int) string { return argument("object", `{`+fill(`"a":1,`, n)+`"a":1}`) },
	"keys again, nested": func(n int) string {
		return fill(argument("any", strings.Repeat(`{"a":1,"a":`, 500)+"1"+strings.Repeat("}", 500)), n)
	},
	"a Python literal": func(n int) string { return argument("any", `{'a': [`+fill(`'b', `, n)+`None]}`) },
	"many arguments":   func(n int) string { return fill(argument("any", "[1, 2.50]")+argument("none", "x"), n) },
	"many names": func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(argument(fmt.Sprintf("p%d", i), "7"))
		}
		return b.String()
	},
	"a value that may not be": func(n int) string { return argument("word", fill("a", n)) },
}

// Typing is counted, and costs a few readings of an argument whatever the schema.
func TestLinearTyping(t *testing.T) {
	const small, large = 64 << 10, 1 << 20
	tpl, tools := beamTemplate(t), typedTools(t)
	call := func(body string) string {
		return " to=f<|channel|>analysis <|constrain|>xml<|message|>" + body + "<|call|>"
	}
	for name, policy := range map[string]typing.Policy{"reference": typing.Reference{}, "literals": typing.Literals{}} {
		for reply, make := range typedReplies {
			for _, problems := range []bool{false, true} {
				t.Run(fmt.Sprintf("policy=%s/reply=%s/problems=%v", name, reply, problems), func(t *testing.T) {
					o := Options{Tools: tools, Typing: policy, Problems: problems}
					untyped := stepsOf(t, tpl, Options{Problems: problems}, call(make(large)), 0)
					perSmall, perLarge := stepsOf(t, tpl, o, call(make(small)), 0), stepsOf(t, tpl, o, call(make(large)), 0)
					if perLarge > perSmall*1.05 || perLarge > untyped+30 {
						t.Errorf("steps per byte: %.2f at 64 KiB, %.2f at 1 MiB, %.2f without tools", perSmall, perLarge, untyped)
					}
					if reply == "JSON" && perLarge < untyped+0.9 {
						t.Errorf("%.2f steps a byte, %.2f without tools: typing is not counted", perLarge, untyped)
					}
				})
			}
		}
	}
}

// fill repeats a text up to about n bytes.
func fill(text string, n int) string { return strings.Repeat(text, max(1, n/len(text))) }
