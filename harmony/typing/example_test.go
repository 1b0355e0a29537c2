package typing_test

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony/typing"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// The arguments of one call, by two policies.
func ExampleTool_Type() {
	def, _ := value.Loads(`{"name":"move","parameters":{"properties":{"to":{"type":"object"},"steps":{"type":"integer"},"fast":{"type":"boolean"}}}}`)
	move := typing.Prepare([]value.Value{def}).Get("move")
	for _, policy := range []typing.Policy{typing.Reference{}, typing.Literals{}} {
		call, _ := value.Loads(`{"to":"{'x': 1, 'y': None}","steps":"1_000","fast":"True"}`)
		args, _ := call.AsObject()
		if err := move.Type(args, policy, typing.Options{}, nil); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(value.Dumps(args.Value()))
		move.Check(args, func(what string) { fmt.Println(" ", what) })
	}
	// Output:
	// {"to": "{'x': 1, 'y': None}", "steps": 1000, "fast": true}
	//   the argument "to" is not of type object
	// {"to": {"x": 1, "y": null}, "steps": 1000, "fast": true}
}

// What Python prints, read back.
func ExampleLiteral() {
	text := `{'city': 'Zürich', 'at': (47.37, 8.54), 'note': None} and more`
	v, n, err := typing.Literal(text, typing.Options{})
	fmt.Println(value.Dumps(v), text[n:], err)
	_, _, err = typing.Literal(`{'city': unknown}`, typing.Options{})
	fmt.Println(err)
	// Output:
	// {"city": "Z\u00fcrich", "at": [47.37, 8.54], "note": null}  and more <nil>
	// here is no literal at byte 9
}
