package chat

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// templateOf compiles a template of these fields.
func templateOf(t testing.TB, fields string) *response.Template {
	t.Helper()
	v, err := value.Loads(`{"start_anchor":"@",` + fields + `}`)
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, v)
}

// fieldsOf are templates that use what fields can have.
var fieldsOf = map[string]string{
	"stripped":   `"fields":{"content":{"open":"<c>","close":"</c>"}}`,
	"kept":       `"fields":{"content":{"open":"<c>","close":"</c>","content_args":{"strip":false}}}`,
	"joined":     `"fields":{"content":{"open":"<c>","close":"</c>","repeats":true,"join":"--"}}`,
	"listed":     `"fields":{"content":{"open":"<c>","close":"</c>","repeats":true}}`,
	"default":    `"defaults":{"content":"none"},"fields":{"content":{"open":"<c>","close":"</c>"}}`,
	"onto text":  `"defaults":{"content":"pre"},"fields":{"content":{"open":"<c>","close":"</c>","repeats":true,"join":"+"}}`,
	"onto list":  `"defaults":{"content":["pre"]},"fields":{"content":{"open":"<c>","close":"</c>","repeats":true}}`,
	"number":     `"fields":{"content":{"open":"<c>","close":"</c>","content":"int"}}`,
	"json":       `"fields":{"content":{"open":"<c>","close":"</c>","content":"json"}}`,
	"json list":  `"fields":{"content":{"open":"<c>","close":"</c>","content":"json","repeats":true}}`,
	"part":       `"fields":{"content":{"open":"<c>","close":"</c>","transform":{"type":"text","text":"{content}"}}}`,
	"implicit":   `"fields":{"thinking":{"open":"<t>","close":"</t>"},"content":{"repeats":true,"join":"|"}}`,
	"two reason": `"fields":{"thinking":{"open":"<t>","close":"</t>","repeats":true,"join":""},"reasoning":{"open":"<r>","close":"</r>","repeats":true,"join":""}}`,
	"calls": `"fields":{"content":{"open":"<c>","close":"</c>"},"tool_calls":{"open_pattern":"<f (?P<n>\\w+)>","close":"</f>","content":"json","repeats":true,
		"transform":{"type":"function","function":{"name":"{n}","arguments":"{content}"}}}}`,
	"one call":   `"fields":{"tool_calls":{"open":"<f>","close":"</f>","content":"json"}}`,
	"open calls": `"fields":{"content":{"open":"<c>","close":"</c>"},"tool_calls":{"content":"json","repeats":true,"transform":{"function":"{content}"}}}`,
}

// show writes deltas in one line; text in pieces of one kind is put together.
func show(v *View, deltas []Delta) string {
	var b strings.Builder
	last := ""
	for _, d := range deltas {
		kind := "c:"
		if d.Reasoning != "" {
			kind = "r:"
		}
		switch {
		case d.Call != nil:
			kind = "call"
			fmt.Fprintf(&b, " %d %s(%s)", d.Call.Index, d.Call.Name, d.Call.Arguments)
		case d.FinishReason != "":
			kind = "end"
			b.WriteString(" " + d.FinishReason)
		default:
			if kind != last {
				b.WriteString(" " + kind)
			}
			b.WriteString(d.Content + d.Reasoning)
		}
		last = kind
	}
	return strings.TrimPrefix(b.String(), " ")
}

func TestDeltas(t *testing.T) {
	length, token, unknown := harmony.StopLength(), harmony.StopToken("."), harmony.StopUnknown()
	for _, c := range []struct {
		template, reply string
		stop            harmony.Stop
		want            string
		differences     string
	}{
		{"stripped", "<c> \n a  b \n</c>", unknown, "c:a  b stop", ""},
		{"stripped", "<c>a \u00a0\u3000b\u2003</c>", unknown, "c:a \u00a0\u3000b stop", ""},
		{"stripped", "<c>  </c>", unknown, "stop", ""},
		{"stripped", "<c>a</c><c>b</c>", unknown, "c:ab stop", `content: 2 sent, "b"`},
		{"stripped", "<c>a</c><c> </c>", unknown, "c:a stop", `content: 1 sent, ""`},
		{"stripped", "<c>a</c><c>", unknown, "c:a stop", `content: 1 sent, ""`},
		{"stripped", "<c>a ", length, "c:a length", ""},
		{"kept", "<c> a </c>", token, "c: a  stop", ""},
		{"kept", "no region", unknown, "stop", ""},
		{"joined", "<c> a </c><c>b</c><c></c><c> </c><c>d</c>", unknown, "c:a--b------d stop", ""},
		{"listed", "<c> a </c><c> b</c>", unknown, "c:ab stop", ""},
		{"default", "", unknown, "c:none stop", ""},
		{"default", "<c>a</c>", unknown, "c:a stop", ""},
		{"onto text", "<c>a</c><c>b</c>", unknown, "c:pre+a+b stop", ""},
		{"onto text", "", unknown, "c:pre stop", ""},
		{"onto list", "<c>a</c><c>b</c>", unknown, "c:preab stop", ""},
		{"number", "<c> 0012 </c>", unknown, "c:12 stop", ""},
		{"json", `<c>{"a":1.0,"é":[]}</c>`, unknown, `c:{"a": 1.0, "é": []} stop`, ""},
		{"json", `<c>["a","b"]</c>`, unknown, `c:["a", "b"] stop`, ""},
		{"json list", `<c>"a"</c><c>["b"]</c><c>[]</c>`, unknown, `c:a["b"] stop`, ""},
		{"part", "<c>a</c>", unknown, `c:{"type": "text", "text": "a"} stop`, ""},
		{"implicit", "a<t> b </t>c", unknown, "c:a r:b c:|c stop", ""},
		{"implicit", "a<t>b</t> <t>c</t>d", unknown, "c:a r:b c:| r:c c:|d stop", `reasoning: 2 sent, "c"`},
		{"two reason", "<t>a</t><r>b</r>", unknown, "r:ab stop", ""},
		{"two reason", "<t>a</t><r>b</r><t>c</t>", unknown, "r:abc stop", `reasoning: 3 sent, "acb"`},
		{"calls", `<c>a</c><f x>{"k":"é"}</f><f y>{}</f>`, unknown, `c:a 0 x({"k": "é"}) 1 y({}) tool_calls`, ""},
		{"calls", `<f x>{"k":1}</f>`, length, `0 x({"k": 1}) length`, ""},
		{"calls", `<f x>"{\"k\":1}"</f>`, token, `0 x({"k":1}) tool_calls`, ""},
		{"calls", `<f x>null</f>`, token, `0 x({}) tool_calls`, ""},
		{"calls", `<f x>{"k":1}`, token, `0 x({"k": 1}) tool_calls`, ""},
		{"calls", `<f x>{"k":1}`, unknown, `0 x({"k": 1}) tool_calls`, ""},
		{"calls", `<f x>{"k":1}`, length, "length", ""},
		{"calls", `<f x>{}</f><f y>{"k":1}`, length, "0 x({}) length", ""},
		{"one call", `<f>[{"function":{"name":"x","arguments":{"k":1}}},{"function":{"name":"y"}},{"name":"z"}]</f>`, token, `0 x({"k": 1}) 1 y({}) tool_calls`, ""},
		{"one call", `<f>{"name":"x"}</f>`, token, "stop", ""},
		{"open calls", `{"name":"x"}<c>a</c>{"name":"y"}`, unknown, "c:a 0 x({}) 1 y({}) tool_calls", ""},
		{"open calls", `{"name":"x"}<c>a</c>{"name":"y"}`, length, "c:a length", ""},
	} {
		tpl := templateOf(t, fieldsOf[c.template])
		for name, chunks := range cuts(c.reply) {
			p, err := tpl.NewParser(response.Options{Prefix: new(string)})
			if err != nil {
				t.Fatal(err)
			}
			v := viewOf(tpl)
			s := v.Stream()
			var all []Delta
			for chunk := range chunks {
				events, err := p.Feed(chunk)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, s.Add(events)...)
			}
			events, reply, err := p.Finalize(c.stop)
			if err != nil {
				t.Fatalf("%s, %q: %v", c.template, c.reply, err)
			}
			all = append(all, s.Finish(events, reply, c.stop)...)
			differences := ""
			for _, d := range s.Differences {
				differences += fmt.Sprintf("%v: %d sent, %q", d.Use, d.Sent, d.Text)
			}
			if got := show(v, all); got != c.want || differences != c.differences {
				t.Errorf("%s, %q, cut by %s\ngot  %s %s\nwant %s %s", c.template, c.reply, name, got, differences, c.want, c.differences)
				break
			}
		}
	}
}

// Text goes out with the feed that brings it, but for white space that the
// format may strip, and a call with the feed that ends it.
func TestDelivery(t *testing.T) {
	text := "One  two\n\nthree\u3000 four.  Five"
	for template, waits := range map[string]func(rune) bool{"stripped": value.IsSpace, "kept": func(rune) bool { return false }} {
		tpl := templateOf(t, fieldsOf[template])
		for size := 1; size < 9; size++ {
			p, err := tpl.NewParser(response.Options{Prefix: new(string)})
			if err != nil {
				t.Fatal(err)
			}
			s := viewOf(tpl).Stream()
			told, sent := "", ""
			for chunk := range pieces("<c>"+text, func() int { return size }) {
				events, err := p.Feed(chunk)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range events {
					told += e.Text
				}
				for _, d := range s.Add(events) {
					sent += d.Content
				}
				if want := strings.TrimRightFunc(told, waits); sent != want {
					t.Fatalf("%s, %d at a time: the reader told %q, sent is %q", template, size, told, sent)
				}
			}
			if sent != text {
				t.Errorf("%s: sent %q", template, sent)
			}
		}
	}
	tpl := templateOf(t, fieldsOf["calls"])
	p, err := tpl.NewParser(response.Options{Prefix: new(string)})
	if err != nil {
		t.Fatal(err)
	}
	s := viewOf(tpl).Stream()
	for i, chunk := range []string{"<f x>{}", "</f", ">", "<f y>1</f>"} {
		events, err := p.Feed(chunk)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(s.Add(events)); got != []int{0, 0, 1, 1}[i] {
			t.Errorf("feed %d: %d deltas", i, got)
		}
	}
}

// A reader of a format that tells nothing of its fields.
func TestUnknownFields(t *testing.T) {
	v := NewView(nil, Options{NewID: ids(), Uses: map[string]Use{"final": Content, "thinking": Nothing}})
	s := v.Stream()
	call, _ := value.Loads(`{"function":{"name":"f","arguments":{}}}`)
	text := value.String(" a")
	deltas := s.Add([]harmony.Event{
		{Type: harmony.RegionOpen, Field: "thinking"},
		{Type: harmony.RegionChunk, Field: "thinking", Text: "hidden"},
		{Type: harmony.RegionClose, Field: "thinking", Value: value.String("hidden"), Closed: true},
		{Type: harmony.RegionChunk, Field: "final", Text: " a"}, // without an open
		{Type: harmony.RegionClose, Field: "final", Value: text, Closed: true},
		{Type: harmony.RegionOpen, Field: "tool_calls"},
		{Type: harmony.RegionChunk, Field: "tool_calls", Text: "markup", Dirty: true},
		{Type: harmony.RegionClose, Field: "tool_calls", Value: call, Closed: true},
		{Type: harmony.RegionClose, Field: "other", Value: text, Closed: true},
	})
	got := show(v, deltas)
	r := harmony.Reply{
		Message: value.Members(value.Member{Name: "thinking", Value: value.String("hidden")}, value.Member{Name: "final", Value: text}),
		Calls:   []harmony.Call{{Field: "tool_calls", Value: call, Closed: true, Runnable: true}, {Field: "other", Value: call, Runnable: true}},
	}
	got += "; " + show(v, s.Finish(nil, r, harmony.Stop{}))
	if want := "c: a 0 f({}); tool_calls"; got != want || s.Differences != nil {
		t.Errorf("got %q %v, want %q", got, s.Differences, want)
	}
	if c := v.Completion(r, harmony.Stop{}); c.Message.Content != " a" || c.Message.Reasoning != "" || len(c.Message.Calls) != 1 {
		t.Errorf("%+v", c)
	}
	if v := NewView(templateOf(t, fieldsOf["implicit"]).MessageFields(), Options{Uses: map[string]Use{"thinking": Nothing}}); fmt.Sprint(v.Unused()) != "[thinking]" {
		t.Errorf("unused: %v", v.Unused())
	}
}

// With values discarded, text streams and nothing is compared.
func TestDiscarded(t *testing.T) {
	tpl := templateOf(t, fieldsOf["joined"])
	got := read(tpl, response.Options{Prefix: new(string), Discard: true}, pieces("<c> a b </c><c>c</c>", func() int { return 2 }), nil)
	if got.Message.Content != "a b--c" || got.FinishReason != Stop || got.differences != nil {
		t.Errorf("%+v", got)
	}
}

// The iterator gives what a loop over a stream gives; an error ends it without a
// finish reason, and leaving it early is no error.
func TestIterator(t *testing.T) {
	v := viewOf(beam(t))
	for _, c := range []struct{ reply, want, err string }{
		{greeting, "r:plan c:Hi! stop", ""},
		{plan + head + paramA, `r:plan 0 f({"a": "1"}) tool_calls`, ""},
		{plan + "\xff", "r:plan", "the reply is not valid UTF-8 at byte 41"},
	} {
		p, err := beam(t).NewParser(response.Options{Prefix: new(string)})
		if err != nil {
			t.Fatal(err)
		}
		var all []Delta
		last := ""
		for d, err := range v.Deltas(p, pieces(c.reply, func() int { return 7 }), nil) {
			if err != nil {
				last = err.Error()
				continue
			}
			all = append(all, d)
		}
		if got := show(v, all); got != c.want || last != c.err {
			t.Errorf("%q: got %s, %s, want %s, %s", c.reply, got, last, c.want, c.err)
		}
		for leave := range len(all) {
			if p, err = beam(t).NewParser(response.Options{Prefix: new(string)}); err != nil {
				t.Fatal(err)
			}
			n := 0
			for range v.Deltas(p, pieces(c.reply, func() int { return 7 }), nil) {
				if n++; n > leave {
					break
				}
			}
		}
	}
}
