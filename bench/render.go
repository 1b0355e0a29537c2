package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Conversation is a kind of conversation that prompts are rendered of.
type Conversation struct {
	Name, Why string
	// Fixed is one that has one size only.
	Fixed bool
	// Least is the size in bytes below which it cannot be made.
	Least int
	// Make makes a request as JSON, the keys of a render case, whose prompt has
	// about n bytes.
	Make func(n int) string
}

const (
	weatherTool = `{"type":"function","function":{"name":"get_weather","description":"Get the current weather for a city.","parameters":{"type":"object","properties":{"city":{"type":"string","description":"The name of the city"},"days":{"type":"integer","description":"Forecast length in days"}},"required":["city"]}}}`
	flightsTool = `{"type":"function","function":{"name":"search_flights","description":"Search for flights\nbetween two airports.","parameters":{"type":"object","properties":{"origin":{"type":"string","description":"IATA airport code","examples":["JFK","LHR"]},"return_date":{"type":["string","null"]},"passengers":{"type":"integer","default":1},"cabin":{"type":"string","enum":["economy","business","first"],"default":"economy"},"airlines":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"}]}},"budget":{"type":"object","properties":{"max_price":{"type":"number"},"currency":{"type":"string"}},"required":["max_price"]}},"required":["origin"]}}}`
	fileTool    = `{"type":"function","function":{"name":"write_file","description":"Write a text to a file, in place of what is there.","parameters":{"type":"object","properties":{"path":{"type":"string"},"text":{"type":"string"},"mode":{"type":"string","enum":["create","replace","append"],"default":"replace"}},"required":["path","text"]}}}`

	words  = "The train takes two hours and a quarter, and it leaves on every full hour; the bus is cheaper and much slower. "
	thread = `{"role":"user","content":"Compare the ways from London to Paris, please."},{"role":"assistant","thinking":"I know both of them.","content":"` + words + words + `"},`
	agent  = `{"role":"user","content":"What is the weather in London and Paris?"},` +
		`{"role":"assistant","thinking":"I need both cities before I can compare them.","tool_calls":[` +
		`{"id":"a","type":"function","function":{"name":"get_weather","arguments":{"city":"London","days":3,"share":0.25}}},` +
		`{"id":"b","type":"function","function":{"name":"get_weather","arguments":{"city":"Paris","days":3,"units":["c","f"],"exact":true}}}]},` +
		`{"role":"tool","tool_call_id":"a","content":"14 C, cloudy"},{"role":"tool","tool_call_id":"b","content":"18 C, sunny"},` +
		`{"role":"assistant","thinking":"Paris is warmer.","content":"Paris is warmer: 18 C and sunny."},`
)

// Conversations are all kinds.
var Conversations = []Conversation{
	{Name: "chat", Why: "words alone: what copying text costs", Make: func(n int) string {
		return conversation("", many(thread, n-400, 415))
	}},
	{Name: "agent", Why: "calls with results by id, the structure of an agent's turns", Least: 2 << 10, Make: func(n int) string {
		return conversation(weatherTool, many(agent, n-600, 690))
	}},
	{Name: "tools", Why: "schemas: the part of a prompt with the most structure for its bytes", Least: 2 << 10, Make: func(n int) string {
		var b strings.Builder
		for i := range max(1, (n-600)/505) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strings.Replace(flightsTool, "search_flights", fmt.Sprintf("search_flights_%d", i), 1))
		}
		return conversation(b.String(), `{"role":"user","content":"A flight to Paris, please."},`)
	}},
	{Name: "ten-messages", Why: "ten messages with three tools, about 4.7 kB: the conversation that others were measured with", Fixed: true, Make: func(int) string {
		file := `{"role":"assistant","thinking":"They want it in a file.","tool_calls":[{"id":"c","type":"function","function":{"name":"write_file","arguments":{"path":"paris.md","text":"` +
			strings.Repeat(`# Paris\n\n`+words, 18) + `"}}}]},{"role":"tool","tool_call_id":"c","content":"written"},` +
			`{"role":"assistant","thinking":"Done.","content":"It is in paris.md."},{"role":"user","content":"Thank you. And a flight?"},`
		return conversation(weatherTool+","+flightsTool+","+fileTool, `{"role":"system","content":"You plan trips."},`+agent+file)
	}},
}

// many repeats a text of messages so often that the prompt has about n bytes, with
// so many bytes for each.
func many(messages string, n, each int) string { return strings.Repeat(messages, max(1, n/each)) }

func conversation(tools, messages string) string {
	return `{"messages":[` + strings.TrimSuffix(messages, ",") + `],"tools":[` + tools + `],"add_generation_prompt":true}`
}

// RequestInput is a conversation: the input of a Render case.
type RequestInput struct {
	Kind Conversation
	Size int

	request *value.Object
	want    string
}

// Request is the keys of a render case.
func (in *RequestInput) Request() (*value.Object, error) {
	if in.request == nil {
		v, err := value.Loads(in.Kind.Make(in.Size))
		if err != nil {
			return nil, err
		}
		in.request, _ = v.AsObject()
	}
	return in.request, nil
}

// Want is the prompt, as the native renderer writes it; TestReference holds it
// against the reference's.
func (in *RequestInput) Want() (string, error) {
	if in.want == "" {
		req, err := in.decoded()
		if err != nil {
			return "", err
		}
		if in.want, err = beam.Render(req); err != nil {
			return "", err
		}
	}
	return in.want, nil
}

func (in *RequestInput) decoded() (*beam.Request, error) {
	o, err := in.Request()
	if err != nil {
		return nil, err
	}
	return beam.DecodeRequest(o.Value())
}

// case_ is the case of the input for an implementation.
func (in *RequestInput) case_(impl string, prepare func(*Env, *RequestInput) (*Body, error)) Case {
	kind, size := in.Kind, in.Size
	c := Case{
		Family: "Render", Impl: impl, Why: kind.Why, Labels: []Label{{"kind", kind.Name}},
		Gated: (impl == Native || impl == nativeJSON) && (kind.Fixed || slices.Contains(BudgetSizes, size)),
		Prepare: func(env *Env) (*Body, error) {
			return prepare(env, &RequestInput{Kind: kind, Size: size})
		},
	}
	if !kind.Fixed {
		c.Size = size
		c.Labels = append(c.Labels, Label{"size", SizeName(size)})
	}
	return c
}

// requestInputs are all inputs of the family Render.
func requestInputs() (list []RequestInput) {
	for _, kind := range Conversations {
		if kind.Fixed {
			list = append(list, RequestInput{Kind: kind})
			continue
		}
		for _, size := range Sizes {
			if size >= kind.Least {
				list = append(list, RequestInput{Kind: kind, Size: size})
			}
		}
	}
	return list
}

func renderCases() (list []Case) {
	for _, in := range requestInputs() {
		list = append(list, in.case_(Native, nativeRenderer), in.case_(nativeJSON, jsonRenderer), in.case_("copy", copyRenderer))
	}
	return list
}

// promptBody checks by the length; whether the bytes are right is found out once.
func promptBody(want string, run func() ([]byte, error)) (*Body, error) {
	got, err := run()
	if err != nil {
		return nil, err
	}
	if string(got) != want {
		return nil, fmt.Errorf("another prompt, %d bytes, not %d", len(got), len(want))
	}
	return &Body{Bytes: len(want), Run: func() error {
		got, err := run()
		if err == nil && len(got) != len(want) {
			err = fmt.Errorf("%d bytes, not %d", len(got), len(want))
		}
		return err
	}}, nil
}

// nativeRenderer appends the prompt of a request in Go to a buffer.
func nativeRenderer(_ *Env, in *RequestInput) (*Body, error) {
	req, err := in.decoded()
	if err != nil {
		return nil, err
	}
	want, err := in.Want()
	if err != nil {
		return nil, err
	}
	var buf []byte
	return promptBody(want, func() ([]byte, error) {
		var err error
		buf, err = beam.AppendRender(buf[:0], req)
		return buf, err
	})
}

// jsonRenderer reads the request from JSON first, as a server does.
func jsonRenderer(_ *Env, in *RequestInput) (*Body, error) {
	want, err := in.Want()
	if err != nil {
		return nil, err
	}
	text := in.Kind.Make(in.Size)
	var buf []byte
	return promptBody(want, func() ([]byte, error) {
		req, err := beam.ParseRequest(text)
		if err != nil {
			return nil, err
		}
		buf, err = beam.AppendRender(buf[:0], req)
		return buf, err
	})
}

// copyRenderer is the limit: it copies the prompt.
func copyRenderer(_ *Env, in *RequestInput) (*Body, error) {
	want, err := in.Want()
	if err != nil {
		return nil, err
	}
	return copied(want), nil
}

func copied(want string) *Body {
	var buf []byte
	return &Body{Bytes: len(want), Run: func() error {
		if buf = append(buf[:0], want...); len(buf) != len(want) {
			return fmt.Errorf("%d bytes, not %d", len(buf), len(want))
		}
		return nil
	}}
}
