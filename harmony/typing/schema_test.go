package typing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// hostileSchemas are parameters of a tool, of about n parts, at which a careless
// reader takes the square of their size, all memory, or for ever.
var hostileSchemas = map[string]func(n int) string{
	"many properties": func(n int) string { return properties(n, `{"type":"integer"}`) },
	"all refer to one that refers to many": func(n int) string {
		return properties(n, `{"$ref":"#/$defs/all"}`) + `,"$defs":{"all":{"anyOf":[` + list(n, `{"$ref":"#/$defs/%d"}`) + `]},` + members(n, `{"type":"integer"}`) + `}`
	},
	"all refer to one another": func(n int) string { return properties(n, `{"$ref":"#/properties/0"}`) },
	"all refer in a circle": func(n int) string {
		return `"properties":{` + list(n, `"%d":{"anyOf":[{"$ref":"#/properties/%[1]d"},{"$ref":"#/$defs/a"}]}`) + `},"$defs":{"a":{"oneOf":[{"$ref":"#/$defs/b"},{"type":"null"}]},"b":{"$ref":"#/$defs/a"}}`
	},
	"a chain": func(n int) string {
		return `"properties":{` + list(n, `"%d":{"$ref":"#/properties/%[1]d/next","next":{"$ref":"#/properties/1"}}`) + `}`
	},
	"all refer to one list of values": func(n int) string {
		return properties(n, `{"$ref":"#/$defs/e"}`) + `,"$defs":{"e":{"enum":[` + list(n, `"%d"`) + `]}}`
	},
	"all refer to one list of types": func(n int) string {
		return properties(n, `{"$ref":"#/$defs/e"}`) + `,"$defs":{"e":{"type":[` + list(n, `"t%d"`) + `]}}`
	},
	"all refer to one long reference": func(n int) string {
		return properties(n, `{"$ref":"#/$defs/r"}`) + `,"$defs":{"r":{"$ref":"#` + strings.Repeat("/a", n) + `"}}`
	},
	"anyOf as deep as may be": func(n int) string {
		const deep = 450
		return properties(max(n/deep, 1), strings.Repeat(`{"nullable":true,"anyOf":[`, deep)+`{"type":"integer"}`+strings.Repeat(`]}`, deep))
	},
	"anyOf of many of one type": func(n int) string { return properties(1, `{"anyOf":[`+list(n, `{"type":"object"}`)+`]}`) },
}

// list writes n items, in which %d is their number.
func list(n int, item string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		if strings.Contains(item, "%") {
			fmt.Fprintf(&b, item, i)
		} else {
			b.WriteString(item)
		}
	}
	return b.String()
}

func members(n int, schema string) string { return list(n, `"%d":`+schema) }

func properties(n int, schema string) string { return `"properties":{` + members(n, schema) + `}` }

// What is looked at grows with a schema's size and no faster, and of the types
// that the reference tries each is tried once.
func TestHostileSchemas(t *testing.T) {
	for name, schema := range hostileSchemas {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			looked := func(n int) float64 {
				params := loads(t, "{"+schema(n)+"}")
				w := newWalk(params)
				most := w.left
				props, _ := params.Get("properties").AsObject()
				for key, schema := range props.All() {
					p := w.property(schema)
					if len(p.declared) > len(typeNames) {
						t.Errorf("%d types are tried for %s", len(p.declared), key)
					}
				}
				return float64(most-w.left) / float64(size(params))
			}
			small, large := looked(2_500), looked(10_000)
			if large > small*1.2+1 && large > walkFactor*1.5 {
				t.Errorf("%.1f parts are looked at for each of a schema of 2,500, %.1f of 10,000", small, large)
			}
		})
	}
}

// Behind the limit nothing is said of an argument, and the reference's typing goes
// on.
func TestSchemaBehindTheLimit(t *testing.T) {
	const n = 10_000
	schema := strings.Replace(hostileSchemas["all refer to one that refers to many"](n), `"0":`, `"first":{"$ref":"#/$defs/all"},"last":{"type":"integer"},"0":`, 1)
	schema = strings.Replace(schema, `"$defs"`, `"required":["first"],"$defs"`, 1)
	tool := Prepare([]value.Value{loads(t, `{"name":"f","parameters":{`+schema+`}}`)}).Get("f")
	args, _ := loads(t, `{"first":"x","last":"7","9999":"x"}`).AsObject()
	if err := tool.Type(args, Reference{}, Options{}, nil); err != nil {
		t.Fatal(err)
	}
	var faults []string
	tool.Check(args, func(what string) { faults = append(faults, what) })
	if got := value.Dumps(args.Value()); got != `{"first": "x", "last": 7, "9999": "x"}` {
		t.Error(got)
	}
	if want := []string{`the argument "first" is not of type integer`}; len(faults) != 1 || faults[0] != want[0] {
		t.Errorf("%q, want %q", faults, want)
	}
}

// However many times a schema names a type, a text is read once for it.
func TestTypesAreTriedOnce(t *testing.T) {
	tool := Prepare([]value.Value{loads(t, `{"name":"f","parameters":{`+hostileSchemas["anyOf of many of one type"](10_000)+`}}`)}).Get("f")
	text := `{"a":` + strings.Repeat("[", 100)
	for name, policy := range map[string]Policy{"reference": Reference{}, "literals": Literals{}} {
		args, _ := value.Members(value.Member{Name: "0", Value: value.String(text)}).AsObject()
		var steps int64
		if err := tool.Type(args, policy, Options{Steps: &steps}, nil); err != nil {
			t.Fatal(err)
		}
		if steps == 0 || steps > int64(2*len(text)) {
			t.Errorf("%s: %d steps for %d bytes", name, steps, len(text))
		}
	}
}

// Values are the same by what they say.
func TestEnum(t *testing.T) {
	a, _ := loads(t, `["1",1,2.0,1e30,null,true,[1,"a"],{"a":1}]`).AsArray()
	e := newEnum(a)
	for text, want := range map[string]bool{
		`"1"`: true, `1`: true, `1.0`: true, `2`: true, `2.5`: false, `1000000000000000019884624838656`: true, `null`: true, `"null"`: false,
		`true`: true, `"true"`: false, `false`: false, `[1,"a"]`: true, `[1]`: false, `{"a":1}`: true, `{}`: false, `-0.0`: false,
	} {
		if got := e.has(loads(t, text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
