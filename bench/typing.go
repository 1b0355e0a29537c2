package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/typing"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// argument is one of a call's: its schema, its text, and its value by both
// policies.
type argument struct{ schema, text, value string }

// callKinds are the calls whose arguments are given types.
var callKinds = []struct {
	name, why string
	arguments []argument
}{
	{"text", "arguments that stay text, most of an agent's", []argument{{`{"type":"string"}`, "Paris is warmer than London", `"Paris is warmer than London"`}}},
	{"scalars", "numbers, truth values and null in turn", []argument{
		{`{"type":"integer"}`, "42", "42"}, {`{"type":"number"}`, "0.25", "0.25"},
		{`{"type":"boolean"}`, "true", "true"}, {`{"type":["integer","null"]}`, "null", "null"}}},
	{"json", "lists and objects, which are read as JSON", []argument{
		{`{"type":"array","items":{"type":"integer"}}`, "[1, 2, 3, 4, 5, 6, 7, 8]", "[1, 2, 3, 4, 5, 6, 7, 8]"},
		{`{"type":"object"}`, `{"max": 500, "currency": "EUR"}`, `{"max": 500, "currency": "EUR"}`}}},
}

// typingCases give the arguments of a call their types, by each policy. Sizes are
// the bytes of their texts, about.
func typingCases() (list []Case) {
	for _, policy := range []struct {
		name   string
		policy typing.Policy
	}{{"reference", typing.Reference{}}, {"literals", typing.Literals{}}} {
		for _, kind := range callKinds {
			for _, size := range Sizes {
				list = append(list, Case{
					Family: "Type", Impl: Native, Size: size, Why: kind.why, Gated: slices.Contains(BudgetSizes, size),
					Labels:  []Label{{"kind", kind.name}, {"policy", policy.name}, {"size", SizeName(size)}},
					Prepare: func(*Env) (*Body, error) { return typingBody(kind.arguments, size, policy.policy) },
				})
			}
		}
	}
	return list
}

func typingBody(arguments []argument, size int, policy typing.Policy) (*Body, error) {
	var schema strings.Builder
	given, want := value.NewObject(0), value.NewObject(0)
	for n := 0; given.Len() == 0 || n < size; {
		a := arguments[given.Len()%len(arguments)]
		name := fmt.Sprintf("p%d", given.Len())
		v, err := value.Loads(a.value)
		if err != nil {
			return nil, err
		}
		if given.Len() > 0 {
			schema.WriteByte(',')
		}
		fmt.Fprintf(&schema, "%q:%s", name, a.schema)
		given.Set(name, value.String(a.text))
		want.Set(name, v)
		n += len(a.text)
	}
	def, err := value.Loads(`{"name":"f","parameters":{"type":"object","properties":{` + schema.String() + `}}}`)
	if err != nil {
		return nil, err
	}
	tool := typing.Prepare([]value.Value{def}).Get("f")
	bytes, last := 0, ""
	for name, v := range given.All() {
		text, _ := v.AsString()
		bytes += len(text)
		last = name
	}
	args := value.NewObject(given.Len())
	run := func() error {
		for name, v := range given.All() { // typing is in place; no text is copied
			args.Set(name, v)
		}
		if err := tool.Type(args, policy, typing.Options{}, nil); err != nil {
			return err
		}
		got, _ := args.Get(last)
		right, _ := want.Get(last)
		if !value.Equal(got, right) {
			return fmt.Errorf("%s is %s, not %s", last, value.Dumps(got), value.Dumps(right))
		}
		return nil
	}
	if err := run(); err != nil {
		return nil, err
	}
	if got := args.Value(); !value.Equal(got, want.Value()) {
		return nil, fmt.Errorf("%.200s", value.Dumps(got))
	}
	return &Body{Bytes: bytes, Run: run}, nil
}
