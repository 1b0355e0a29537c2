package corpus_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
)

func ExampleDecode() {
	_, err := corpus.Decode([]byte(`[{"id": "hello", "mesages": [{"role": "user", "content": "Hello!"}]}]`), "mine.json")
	fmt.Println(err)
	// Output: mine.json: byte 28: [0].mesages: is not a key of a case (did you mean "messages"?)
}

func ExampleEncode() {
	cases, err := corpus.Decode([]byte(`[{"id":"hello","messages":[{"role":"user","content":"Hello!"}],"reasoning_effort":"low"}]`), "mine.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	data, _ := corpus.Encode(cases)
	os.Stdout.Write(data)
	// Output:
	// [
	//   {
	//     "id": "hello",
	//     "kind": "render",
	//     "messages": [
	//       {"role": "user", "content": "Hello!"}
	//     ],
	//     "reasoning_effort": "low"
	//   }
	// ]
}

func ExampleLoad() {
	cases, err := corpus.Load(strings.NewReader(`{"reply": "<|channel|>final<|message|>Hi!", "prefix": ""}`), "-")
	fmt.Println(len(cases), cases[0].ID, cases[0].Kind, err)
	// Output: 1 stdin parse <nil>
}

func ExampleSelect() {
	chosen, err := corpus.Select(corpus.Embedded(), []string{"documentation/effort/*"}, []string{"**/none*", "**/*string"})
	for _, c := range chosen {
		fmt.Println(c.ID)
	}
	fmt.Println(err)
	_, err = corpus.Select(corpus.Embedded(), []string{"documentation/efort/*"}, nil)
	fmt.Println(err)
	// Output:
	// documentation/effort/minimal
	// documentation/effort/low
	// documentation/effort/medium
	// documentation/effort/high
	// documentation/effort/xhigh
	// documentation/effort/max
	// documentation/effort/integer
	// documentation/effort/integer-of-a-label
	// documentation/effort/unset
	// documentation/effort/below-eight
	// documentation/effort/zero
	// documentation/effort/above-max
	// documentation/effort/integer-line
	// <nil>
	// no case has an id that fits "documentation/efort/*" (list shows the ids)
}

func ExampleIndex() {
	x := corpus.NewIndex("né😀!")
	fmt.Println(x.Byte(2))
	fmt.Println(x.Byte(3))
	fmt.Println(x.Char(7))
	fmt.Println(x.Char(4)) // inside the smiley
	// Output:
	// 3 true
	// 7 true
	// 3 true
	// 3 false
}

func ExampleDecodeKnown() {
	list, err := corpus.DecodeKnown([]byte(`
[[known]]
id = "integral-floats"
cases = ["mine/price"]
engines = ["native", "mine"]
verdict = "value differs"
outcomes = [['{"value": {"price": 2.0}}', '{"value": {"price": 2}}']]
reason = "The engine has one kind of number."
link = "https://example.org/42"
owner = "mine"
expires = 2027-01-31
`), "known.toml")
	if err != nil {
		fmt.Println(err)
		return
	}
	today, _ := corpus.ParseDate("2027-02-01")
	report := corpus.MatchKnown(list, []corpus.Result{{Case: "mine/price", Engines: [2]string{"native", "mine"}, Verdict: corpus.Same}}, true, today)
	for _, c := range report.Changed {
		fmt.Println(c.Entry.ID, "no longer differs in that way in", c.Case)
	}
	for _, k := range report.Expired {
		fmt.Println(k.ID, "expired on", k.Expires)
	}
	// Output:
	// integral-floats no longer differs in that way in mine/price
	// integral-floats expired on 2027-01-31
}
