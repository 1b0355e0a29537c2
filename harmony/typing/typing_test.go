package typing

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

func loads(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.Loads(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// tool makes a tool whose argument a has the schema. Beside it stands $defs.
func tool(t testing.TB, schema string) *Tool {
	t.Helper()
	return Prepare([]value.Value{loads(t, `{"name":"f","parameters":{"properties":{"a":`+schema+`},"$defs":{
		"i":{"type":"integer"},"loop":{"anyOf":[{"$ref":"#/$defs/loop"},{"type":"null"}]},"e":{"enum":["x",1]},"a/b":{"$ref":"#/$defs/i"}}}}`)}).Get("f")
}

// typeText types one text and says what Check says.
func typeText(t testing.TB, tool *Tool, p Policy, text string) (got, faults string) {
	t.Helper()
	args := &value.Object{}
	args.Set("a", value.String(text))
	if err := tool.Type(args, p, Options{}, nil); err != nil {
		return err.Error(), ""
	}
	tool.Check(args, func(what string) { faults += what + ";" })
	v, _ := args.Get("a")
	return value.Dumps(v), faults
}

// The rules of reply-syntaxes-spec.md, section 4, one by one.
func TestLiterals(t *testing.T) {
	const odd = `the argument "a" is not of type `
	for _, c := range []struct{ schema, text, want, fault string }{
		// 1. No types, or none but string: the text unchanged.
		{`{}`, " 7\n", `" 7\n"`, ""},
		{`{"type":"string"}`, "7", `"7"`, ""},
		{`{"type":"string"}`, "None", `"None"`, ""},
		{`{"enum":["x","y"]}`, "true", `"true"`, `the argument "a" is none of the values it may have;`},
		{`{"type":"date"}`, "7", `"7"`, ""},
		// 2. JSON that is no text and fits.
		{`{"type":"integer"}`, " 7\r\n", `7`, ""},
		{`{"type":"integer"}`, "3.0", `3.0`, ""},
		{`{"type":"integer"}`, "12345678901234567890123", `12345678901234567890123`, ""},
		{`{"type":"integer"}`, "3.5", `"3.5"`, odd + "integer;"},
		{`{"type":"number"}`, "7", `7`, ""},
		{`{"type":"number"}`, "1e400", `"1e400"`, odd + "number;"},
		{`{"type":"number"}`, "NaN", `"NaN"`, odd + "number;"},
		{`{"type":"array"}`, "[NaN]", `"[NaN]"`, odd + "array;"},
		{`{"type":["string","integer"]}`, "7", `7`, ""},
		{`{"type":["string","object"]}`, `{"k":1}`, `{"k": 1}`, ""},
		{`{"type":["string","null"]}`, `"abc"`, `"\"abc\""`, ""}, // never unquoted
		{`{"type":"array"}`, "\u00a0[]", `"\u00a0[]"`, odd + "array;"},
		// 3. A literal of Python.
		{`{"type":"boolean"}`, "True", `true`, ""},
		{`{"type":["string","null"]}`, "None", `null`, ""},
		{`{"type":"object"}`, `{'a': True}`, `{"a": true}`, ""},
		{`{"type":"array"}`, `['x', None]`, `["x", null]`, ""},
		{`{"type":"array"}`, `('x', (1,), ())`, `["x", [1], []]`, ""},
		{`{"type":"array"}`, `{1, 2}`, `"{1, 2}"`, odd + "array;"},
		{`{"type":"object"}`, `{1: 2}`, `"{1: 2}"`, odd + "object;"},
		{`{"type":"integer"}`, "0x1f", `31`, ""},
		{`{"type":["null","integer"]}`, "'7'", `"'7'"`, odd + "integer or null;"}, // a literal, but a text
		// 4. Constants in any case.
		{`{"type":"boolean"}`, "TRUE", `true`, ""},
		{`{"type":"boolean"}`, " fAlse ", `false`, ""},
		{`{"type":"boolean"}`, "falſe", `"fal\u017fe"`, odd + "boolean;"},
		{`{"type":"null"}`, "NULL", `null`, ""},
		{`{"type":"null"}`, "nOne", `null`, ""},
		{`{"type":"null"}`, "true", `"true"`, odd + "null;"},
		{`{"type":"boolean"}`, "1", `"1"`, odd + "boolean;"},
		// 5. The text.
		{`{"type":["string","integer"]}`, " soon ", `" soon "`, ""},
		{`{"type":"integer"}`, "soon", `"soon"`, odd + "integer;"},
		// The types are those of every keyword.
		{`{"enum":["x",1]}`, "1", `1`, ""},
		{`{"enum":["x",1]}`, "1.0", `1.0`, ""},
		{`{"enum":["x",1]}`, "2", `2`, `the argument "a" is none of the values it may have;`},
		{`{"const":null}`, "None", `null`, ""},
		{`{"anyOf":[{"type":"integer"},{"type":"null"}]}`, "None", `null`, ""},
		{`{"oneOf":[{"type":"integer"},{}]}`, "x", `"x"`, ""}, // one choice takes all
		{`{"oneOf":[{"type":"integer"},{}]}`, "5", `5`, ""},
		{`{"type":"integer","anyOf":[{"minimum":1},{"maximum":0}]}`, "x", `"x"`, odd + "integer;"},
		{`{"allOf":[{"type":"integer"},{"minimum":1}]}`, "x", `"x"`, odd + "integer;"},
		{`{"$ref":"#/$defs/i"}`, "5", `5`, ""},
		{`{"$ref":"#/$defs/a~1b"}`, "x", `"x"`, odd + "integer;"},
		{`{"$ref":"#/$defs/e"}`, "2", `2`, `the argument "a" is none of the values it may have;`},
		{`{"$ref":"#/$defs/loop"}`, "None", `null`, ""},
		{`{"$ref":"#/properties/a"}`, "5", `"5"`, ""},
		{`{"$ref":"https://example.org/x"}`, "5", `"5"`, ""},
		{`{"$ref":"#/$defs/none"}`, "5", `"5"`, ""},
		{`{"type":"integer","nullable":true}`, "None", `null`, ""},
		{`5`, "5", `"5"`, ""},
	} {
		got, faults := typeText(t, tool(t, c.schema), Literals{}, c.text)
		if got != c.want || faults != c.fault {
			t.Errorf("%s, %q: %s %q, want %s %q", c.schema, c.text, got, faults, c.want, c.fault)
		}
	}
}

// Where the two policies part: each follows its own document.
func TestPoliciesDiffer(t *testing.T) {
	for _, c := range []struct{ schema, text, reference, literals string }{
		{`{"type":"object"}`, `{'a': 1}`, `"{'a': 1}"`, `{"a": 1}`},
		{`{"type":"integer"}`, "3.0", `3`, `3.0`},
		{`{"type":"integer"}`, "٣", `3`, `"\u0663"`},
		{`{"type":"boolean"}`, "1", `true`, `"1"`},
		{`{"type":"null"}`, "NULL", `"NULL"`, `null`},
		{`{"type":"number"}`, "12345678901234567890", `12345678901234567168`, `12345678901234567890`},
		{`{"type":["integer","boolean"]}`, "1", `1`, `1`},
		{`{"type":["boolean","integer"]}`, "1", `true`, `1`},
		{`{"enum":[1]}`, "1", `"1"`, `1`},
		{`{"allOf":[{"type":"integer"}]}`, "1", `"1"`, `1`},
		{`{"$ref":"#/$defs/i"}`, "1", `"1"`, `1`},
		{`{"type":"array"}`, `[NaN]`, `[NaN]`, `"[NaN]"`},
		{`{"anyOf":5}`, "1", "'int' object is not iterable", `"1"`},
		{`{"anyOf":"x","type":"integer"}`, "1", `1`, `1`},
	} {
		for name, want := range map[string]string{"reference": c.reference, "literals": c.literals} {
			p := map[string]Policy{"reference": Reference{}, "literals": Literals{}}[name]
			if got, _ := typeText(t, tool(t, c.schema), p, c.text); got != want {
				t.Errorf("%s: %s, %q: %s, want %s", name, c.schema, c.text, got, want)
			}
		}
	}
}

// Texts in a list are typed where the schema has no lists.
func TestListsOfTexts(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"integer"}`:           `[7, "x", null, [1]]`,
		`{"type":["array","integer"]}`: `["7", "x", null, [1]]`,
	} {
		for _, p := range []Policy{Reference{}, Literals{}} {
			args, _ := loads(t, `{"a":["7","x",null,[1]],"b":"7"}`).AsObject()
			if err := tool(t, schema).Type(args, p, Options{}, nil); err != nil {
				t.Fatal(err)
			}
			if got := value.Dumps(args.Value()); got != `{"a": `+want+`, "b": "7"}` {
				t.Errorf("%T %s: %s", p, schema, got)
			}
		}
	}
}

func TestErrorsOfTheReference(t *testing.T) {
	deep := strings.Repeat("[", 1001) + strings.Repeat("]", 1001)
	args, _ := loads(t, `{"a":"`+deep+`"}`).AsObject()
	var tooDeep *value.DepthError
	if err := tool(t, `{"type":"array"}`).Type(args, Reference{}, Options{}, nil); !errors.As(err, &tooDeep) {
		t.Errorf("nesting: %v", err)
	}
	if err := tool(t, `{"type":"array"}`).Type(args, Literals{}, Options{}, nil); err != nil {
		t.Errorf("nesting, literals: %v", err)
	}
	var schema *SchemaError
	if err := tool(t, `{"oneOf":true}`).Type(args, Reference{}, Options{}, nil); !errors.As(err, &schema) || schema.Class() != "TypeError" {
		t.Errorf("schema: %v", err)
	}
}

// Changes are told, and what of a value they lose; a key that comes again, too.
func TestChanges(t *testing.T) {
	for _, c := range []struct {
		schema, args string
		want         string
	}{
		{`{"type":"integer"}`, `{"a":"7"}`, `a "7" 7 ;`},
		{`{"type":"integer"}`, `{"a":["7","x",8,"007"]}`, `a "7" 7 ;a "007" 7 is not written as a number;`},
		{`{"type":["string","integer"]}`, `{"a":"7"}`, `a "7" 7 may be text;`},
		{`{"type":"number"}`, `{"a":"9007199254740993"}`, `a "9007199254740993" 9007199254740992 lost digits;`},
		{`{"type":"string"}`, `{"a":"7"}`, ``},
		{`{"type":"integer"}`, `{"a":7}`, ``},
		{`{"type":"integer"}`, `{"b":"7"}`, ``},
	} {
		args, _ := loads(t, c.args).AsObject()
		got := ""
		err := tool(t, c.schema).Type(args, Reference{}, Options{}, func(c Change) {
			got += fmt.Sprintf("%s %q %s %s;", c.Name, c.Text, value.Dumps(c.Value), c.Loss())
		})
		if err != nil || got != c.want {
			t.Errorf("%s %s: %q, want %q, %v", c.schema, c.args, got, c.want, err)
		}
	}
	for _, c := range []struct {
		policy     Policy
		text, want string
	}{
		{Reference{}, ` {"k":1,"l":{"m":2,"m":3},"k":4}`, `"m":2;"k":1;`},
		{Literals{}, ` {"k":1,"l":{"m":2,"m":3},"k":4}`, `"m":2;"k":1;`},
		{Literals{}, ` {'k':1,"l":{'m': 2 ,'m':3},'k':4,}`, `'m': 2;'k':1;`},
		{Literals{}, ` {"k":1,"k":2} }`, ``}, // no value, no member of one
	} {
		got := ""
		o := Options{Repeated: func(from, to int) { got += c.text[from:to] + ";" }}
		if _, err := c.policy.Type(value.String(c.text), tool(t, `{"type":"object"}`).Property("a"), o); err != nil || got != c.want {
			t.Errorf("%T %q: %q, want %q, %v", c.policy, c.text, got, c.want, err)
		}
	}
}

func TestCheck(t *testing.T) {
	tools := Prepare([]value.Value{loads(t, `{"function":{"name":"f","parameters":{"properties":{"n":{"type":"number"}},"required":["n",5],"additionalProperties":false}}}`), loads(t, `5`), loads(t, `{"function":5}`)})
	if tools.Len() != 1 || tools.Get("g") != nil || (*Tools)(nil).Len() != 0 {
		t.Fatal("the tools are not those given")
	}
	for args, want := range map[string]string{
		`{"n":1}`:              ``,
		`{"n":1.5}`:            ``,
		`{"n":true}`:           `the argument "n" is not of type number;`,
		`{"m":1}`:              `the argument "n" is missing;the tool has no argument "m";`,
		`{"n":"x","m\"o":"y"}`: `the argument "n" is not of type number;the tool has no argument "m\"o";`,
	} {
		o, _ := loads(t, args).AsObject()
		got := ""
		tools.Get("f").Check(o, func(what string) { got += what + ";" })
		if got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	var none *Tool
	o, _ := loads(t, `{"n":"1"}`).AsObject()
	none.Check(o, func(what string) { t.Error(what) })
	if none.Property("n") != nil || none.Type(o, Reference{}, Options{}, nil) != nil || value.Dumps(o.Value()) != `{"n": "1"}` {
		t.Error("no tool, and something typed")
	}
}

// Numbers that lose digits inside a list or an object are told.
func TestInexact(t *testing.T) {
	for _, c := range []struct {
		policy     Policy
		text, want string
	}{
		{Reference{}, `[0.5, 0.10000000000000000001]`, `0.10000000000000000001;`},
		{Literals{}, ` [0.5, 0.10000000000000000001]`, `0.10000000000000000001;`},
		{Literals{}, ` [0.5, 0.10000000000000000001,]`, `0.10000000000000000001;`},
		{Literals{}, `(-.5, 5., 0_0.50, 1_0e0_1, -.10000000000000000001,)`, `.10000000000000000001;`},
	} {
		got := ""
		o := Options{Inexact: func(from, to int) { got += c.text[from:to] + ";" }}
		if _, err := c.policy.Type(value.String(c.text), tool(t, `{"type":"array"}`).Property("a"), o); err != nil || got != c.want {
			t.Errorf("%T %q: %q, want %q, %v", c.policy, c.text, got, c.want, err)
		}
	}
}

// Text that stays costs nothing.
func TestTypingAllocates(t *testing.T) {
	args, _ := loads(t, `{"a":"some text"}`).AsObject()
	for _, p := range []Policy{Reference{}, Literals{}} {
		text := tool(t, `{"type":"string"}`)
		if n := testing.AllocsPerRun(20, func() { _ = text.Type(args, p, Options{}, nil) }); n != 0 {
			t.Errorf("%T: %v allocations", p, n)
		}
	}
}
