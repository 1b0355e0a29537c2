package beam

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// typical is a conversation with instructions, three tools, parallel calls with
// results by id and text parts.
func typical(t testing.TB) *Request {
	return parse(t, `{"messages":[
		{"role":"system","content":"You plan trips."},
		{"role":"user","content":[{"type":"text","text":"Compare the weather in London and Paris, "},{"type":"text","text":"then find me a flight."}]},
		{"role":"assistant","reasoning_content":"I need both cities before I can look for a flight.","tool_calls":[
			{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":{"city":"London","days":3,"share":0.25}}},
			{"id":"call_2","type":"function","function":{"name":"get_weather","arguments":{"city":"Paris","days":3,"units":["c","f"],"exact":true}}}]},
		{"role":"tool","tool_call_id":"call_1","content":"14 C, cloudy"},
		{"role":"tool","tool_call_id":"call_2","content":"18 C, sunny"},
		{"role":"assistant","thinking":"Paris is warmer.","content":"Paris is warmer. Shall I look for a flight?"},
		{"role":"user","content":"Yes, please."}],
		"builtin_tools":["search"],"reasoning_effort":"high","allow_missing_thinking":false,
		"tools":[`+trainedSearch+`,
		{"type":"function","function":{"name":"get_weather","description":"Get the current weather for a city.","parameters":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","description":"Forecast length in days"}},"required":["city"]}}},
		{"type":"function","function":{"name":"search_flights","description":"Search for flights\nbetween two airports.","parameters":{"type":"object","properties":{
			"origin":{"type":"string","description":"IATA airport code","examples":["JFK","LHR"]},"return_date":{"type":["string","null"]},"passengers":{"type":"integer","default":1},
			"cabin":{"type":"string","enum":["economy","business","first"],"default":"economy"},"airlines":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"}]}},
			"budget":{"type":"object","properties":{"max_price":{"type":"number"},"currency":{"type":"string"}},"required":["max_price"]}},"required":["origin"]}}}]}`)
}

// TestAppendRenderAllocates: nothing, where there is room.
func TestAppendRenderAllocates(t *testing.T) {
	requests := map[string]*Request{"typical": typical(t)}
	for _, tt := range renderTests {
		if !strings.Contains(tt.request, "123456789012345678901234567890") {
			requests[tt.name] = parse(t, tt.request)
		}
	}
	raw := typical(t)
	raw.Messages[5].Raw = "<|channel|>final<|message|>a"
	requests["raw"] = raw
	for name, req := range requests {
		buf := make([]byte, 0, 1<<14)
		var err error
		allocs := testing.AllocsPerRun(100, func() { buf, err = AppendRender(buf[:0], req) })
		if err != nil || allocs != 0 {
			t.Errorf("%s: %v allocations, %v", name, allocs, err)
		}
	}
}

// longRuns are what reads a request of any length.
var longRuns = map[string]func(*Request) error{
	"Render": func(r *Request) error { _, err := Render(r); return err },
	"refuse": func(r *Request) error {
		_, err := Renderer{Decisions: decide.Decisions{BuiltinAbsent: decide.BuiltinAbsentRefuse}}.Render(r)
		return err
	},
	"Check": func(r *Request) error { Check(r); return nil },
}

// allocated gives the bytes that a run allocates.
func allocated(t testing.TB, req *Request, run func(*Request) error) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := run(req)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// TestCostIsLinear counts the bytes that are allocated for a request and for one
// 64 times as long: whatever is copied once for each of its members would make
// it 4096 times as many. Room that doubles makes it up to 128 times.
func TestCostIsLinear(t *testing.T) {
	const small, times = 500, 64
	for name, run := range longRuns {
		a, b := allocated(t, long(t, small), run), allocated(t, long(t, small*times), run)
		if b > 3*times*a {
			t.Errorf("%s: %d times as much allocates %.0f times as many bytes", name, times, b/a)
		}
	}
	copies := func(r *Request) error { // the fault that is looked for
		text := []byte(nil)
		for _, m := range r.Messages {
			text = append(append(make([]byte, 0, len(text)+1), text...), m.ToolCallID...)
		}
		return nil
	}
	if a, b := allocated(t, long(t, small), copies), allocated(t, long(t, small*8), copies); b <= 3*8*a {
		t.Errorf("8 times as much that is copied each time allocates %.0f times as many bytes", b/a)
	}
}

// TestLongListsAreLookedUp: a name, a type or a call is looked for one by one
// only among the first 64; else in a table, so that looking for each is linear.
func TestLongListsAreLookedUp(t *testing.T) {
	for _, n := range []int{longList, longList + 1} {
		var names, members []string
		for i := range n {
			names = append(names, fmt.Sprintf(`"p%d"`, i))
			members = append(members, fmt.Sprintf("{\"const\":%d}", i))
		}
		list, err := value.Loads("[" + strings.Join(names, ",") + "]")
		if err != nil {
			t.Fatal(err)
		}
		if set := newNameSet(list); (set.all != nil) != (n > longList) {
			t.Errorf("%d names: a table %v", n, set.all != nil)
		}
		u := union{w: &writer{}}
		for _, m := range members {
			u.begin()
			u.w.text(m)
			u.end()
		}
		if (u.seen != nil) != (n > longList) || u.count != n {
			t.Errorf("%d types: %d, a table %v", n, u.count, u.seen != nil)
		}
	}
	for _, n := range []int{nearby / 4, nearby} {
		w := writer{req: long(t, n)}
		for i := range w.req.Messages[1:] {
			id := w.req.Messages[1+i].ToolCallID
			if got := w.calls.find(&w, id, 1+i); got.name != "f" {
				t.Fatalf("%d calls: %q finds %+v", n, id, got)
			}
		}
		if (w.calls.table != nil) != (n == nearby) {
			t.Errorf("%d calls: a table %v", n, w.calls.table != nil)
		}
	}
}

// BenchmarkLong gives the time for each member of a request, at two lengths.
func BenchmarkLong(b *testing.B) {
	for name, run := range longRuns {
		for _, n := range []int{500, 32_000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				req := long(b, n)
				for b.Loop() {
					if err := run(req); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/member")
			})
		}
	}
}

// long is a request with results that come in the wrong order far behind their
// calls, and with long lists of required names, of enum members and of built-in
// tools.
func long(t testing.TB, n int) *Request {
	req := &Request{Messages: []harmony.Message{{Role: harmony.Assistant}}}
	m := &req.Messages[0]
	var names, properties, required, enum []string
	for i := range n {
		m.ToolCalls = append(m.ToolCalls, harmony.ToolCall{ID: fmt.Sprint(i), Name: "f"})
		names = append(names, fmt.Sprintf("tool%d", i))
		required = append(required, fmt.Sprintf(`"p%d"`, n-i))
		enum = append(enum, fmt.Sprintf("%q", fmt.Sprint(i%(n/2))))
		properties = append(properties, fmt.Sprintf(`"p%d":{}`, i))
	}
	for i := range n {
		req.Messages = append(req.Messages, harmony.Message{Role: harmony.Tool, ToolCallID: fmt.Sprint(n - 1 - i)})
	}
	schema, err := value.Loads(`{"name":"f","parameters":{"required":[` + strings.Join(required, ",") + `],"properties":{` + strings.Join(properties, ",") + `,"e":{"enum":[` + strings.Join(enum, ",") + `]}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	req.Tools = []harmony.ToolDef{{Def: schema}}
	for i := range n {
		req.Tools = append(req.Tools, harmony.ToolDef{Def: value.Members(value.Member{Name: "name", Value: value.String(names[n-1-i])})})
	}
	req.BuiltinTools = names
	return req
}

// TestTypesDoNotMultiply: the types of a list are written once, so that a list
// of the same type at each of 32 levels costs 32 steps.
func TestTypesDoNotMultiply(t *testing.T) {
	schema := `{}`
	for range 30 {
		schema = `{"type":["array","array","array"],"items":` + schema + `}`
	}
	text, err := Render(parse(t, property(`"a":`+schema)))
	if err != nil || !strings.Contains(text, "a?: any"+strings.Repeat("[]", 30)+",") {
		t.Errorf("%q, %v", text, err)
	}
}

func BenchmarkRender(b *testing.B) {
	req := typical(b)
	b.Run("AppendRender", func(b *testing.B) {
		buf, err := AppendRender(nil, req)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(buf)))
		b.ReportAllocs()
		for b.Loop() {
			buf, _ = AppendRender(buf[:0], req)
		}
	})
	b.Run("Render", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Render(req); err != nil {
				b.Fatal(err)
			}
		}
	})
}
