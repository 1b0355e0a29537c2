package openai

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/chat"
	"github.com/beamdiff/beamdiff/harmony/value"
)

var _ harmony.Reader = (*Parser)(nil)

// heard is all that a reader tells of a reply fed in chunks, chunks of one region
// merged.
func heard(t testing.TB, chunks []string, o ReadOptions) string {
	var b strings.Builder
	p := NewParser(o)
	text := ""
	take := func(events []harmony.Event) {
		for _, e := range events {
			if e.Type == harmony.RegionChunk {
				if e.Text == "" || !utf8.ValidString(e.Text) {
					t.Errorf("chunk %q of %q", e.Text, chunks)
				}
				text += e.Text
				continue
			}
			fmt.Fprintf(&b, "%q %s %s %s %v\n", text, e.Type, e.Field, value.Dumps(e.Value), e.Closed)
			text = ""
		}
	}
	for _, chunk := range chunks {
		events, err := p.Feed(chunk)
		take(events)
		if err != nil {
			break
		}
	}
	events, r, err := p.Finalize(o.Stop)
	take(events)
	fmt.Fprintf(&b, "%s\n%s\n%v %v\n", list(p.Messages()), value.Dumps(r.Message), r.Problems, err)
	for _, c := range r.Calls {
		fmt.Fprintf(&b, "%v %v %v\n", c.Span, c.Closed, c.Runnable)
	}
	fmt.Fprintln(&b, r.Regions)
	return b.String()
}

func bytesOf(s string) (out []string) {
	for i := range len(s) {
		out = append(out, s[i:i+1])
	}
	return out
}

// TestCuts: for every cut at a byte, and for all of them, the same is told.
func TestCuts(t *testing.T) {
	for _, row := range readings {
		for _, strict := range [...]bool{false, true} {
			for _, stop := range [...]harmony.Stop{{}, harmony.StopLength(), harmony.StopToken(MarkReturn)} {
				o := options(row)
				o.Strict, o.Stop = strict, stop
				reply := long(row.reply)
				want := heard(t, []string{reply}, o)
				if got := heard(t, bytesOf(reply), o); got != want {
					t.Fatalf("%s, strict %v, byte by byte:\n%s\nwhole:\n%s", row.name, strict, got, want)
				}
				for i := range len(reply) {
					if got := heard(t, []string{reply[:i], reply[i:]}, o); got != want {
						t.Fatalf("%s, strict %v, cut at %d:\n%s\nwhole:\n%s", row.name, strict, i, got, want)
					}
				}
			}
		}
	}
}

// TestDelivery: text that can be no part of a marker is delivered with the chunk that
// holds it.
func TestDelivery(t *testing.T) {
	p := NewParser(ReadOptions{})
	for _, step := range [...]struct{ chunk, texts string }{
		{"<|channel|>final<|message|", ""}, {">", "open"}, {"Hi", "Hi"}, {" <", " "}, {"b", "<b"}, {"<|", ""}, {"e", ""}, {"x", "<|ex"},
		{"\xe6\x9d", ""}, {"\xb1", "東"}, {"a<|reserved_2000", "a"}, {"x", "<|reserved_2000x"}, {"<|en", ""}, {"d|>", "close"},
	} {
		events, err := p.Feed(step.chunk)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, e := range events {
			switch e.Type {
			case harmony.RegionOpen:
				got += "open"
			case harmony.RegionChunk:
				got += e.Text
			default:
				got += "close"
			}
		}
		if got != step.texts {
			t.Errorf("%q gave %q, want %q", step.chunk, got, step.texts)
		}
	}
}

// TestView: what a chat client is sent is what the whole reply shows.
func TestView(t *testing.T) {
	ids := 0
	view := chat.NewView(MessageFields(), chat.Options{NewID: func() string { ids++; return "call_1" }})
	for _, row := range readings {
		reply := long(row.reply)
		var content, thinking, calls string
		end := harmony.Ending{}
		for d, err := range view.Deltas(NewParser(options(row)), slices.Values(bytesOf(reply)), &end) {
			if err != nil {
				t.Fatal(err)
			}
			content += d.Content
			thinking += d.Reasoning
			if d.Call != nil {
				calls += d.Call.Name + d.Call.Arguments + " "
			}
		}
		r, err := Parse(reply, options(row))
		if err != nil {
			t.Fatal(err)
		}
		whole := view.Completion(r.Reply, harmony.Stop{}).Message
		want := ""
		for _, c := range whole.Calls {
			want += c.Name + c.Arguments + " "
		}
		if content != whole.Content || thinking != whole.Reasoning || calls != want {
			t.Errorf("%s: sent %q, %q, %q, whole %q, %q, %q", row.name, content, thinking, calls, whole.Content, whole.Reasoning, want)
		}
	}
}

func TestStops(t *testing.T) {
	call := long("{C}commentary to=functions.ping{M}{}")
	for _, c := range [...]struct {
		reply    string
		stop     harmony.Stop
		problems string
		runnable bool
	}{
		{call, harmony.StopLength(), "cut_off[52,52)", false},
		{call, harmony.StopToken(MarkCall), "", true},
		{call, harmony.Stop{}, "unclosed[52,52)", true},
		{call + MarkCall, harmony.StopLength(), "cut_off[60,60)", true},
		{long("{C}final{M}a"), harmony.StopToken(MarkReturn), "", false},
		{long("{C}analysis{M}a"), harmony.StopLength(), "unclosed_think[30,31) cut_off[31,31)", false},
		{long("{C}fin"), harmony.StopLength(), "cut_off[0,14)", false},
		{"I cannot.", harmony.StopToken(MarkReturn), "bad_syntax[0,9)", false},
	} {
		r, err := Parse(c.reply, ReadOptions{Stop: c.stop})
		if err != nil {
			t.Fatal(err)
		}
		if got := problems(r.Reply); got != c.problems || len(r.Calls) == 1 && r.Calls[0].Runnable != c.runnable {
			t.Errorf("%q: got %s, calls %+v", c.reply, got, r.Calls)
		}
	}
}

func TestOpen(t *testing.T) {
	p := NewParser(ReadOptions{})
	for _, step := range [...]struct {
		chunk, open string
		read        int
	}{
		{"{C}commentary to=functions.f {K}json", "", 0},
		{"{M}{\"a\"", `assistant to=functions.f #commentary (<|constrain|>json) ""`, 0},
		{":1}{L}", "", 1},
	} {
		p.Feed(long(step.chunk))
		m, open := p.Open()
		if open != (step.open != "") || open && shown(m) != step.open || len(p.Messages()) != step.read {
			t.Errorf("behind %s: %s, %d messages", step.chunk, shown(m), len(p.Messages()))
		}
	}
}

func TestPrefix(t *testing.T) {
	for _, c := range [...]struct{ prompt, reply, messages, initial string }{
		{"{S}user{M}Hi{E}{S}assistant", "{C}final{M}x{R}", `assistant #final "x" return`, ""},
		{"{S}user{M}Hi{E}{S}assistant{C}final{M}", "x{R}", `assistant #final "x" return`, "region_open"},
		{"{S}user{M}Hi{E}{S}assistant{C}final{M}a <", "|end|>", `assistant #final "a " end`, "region_open region_chunk"},
		{"{S}user{M}Hi{E}{S}assistant to=functions.f{C}commentary json{M}", "{}{L}", `assistant to=functions.f #commentary (json) "{}" call`, "region_open"},
		{"{S}assistant{C}analysis{M}a{E}", "{S}assistant{C}final{M}x{R}", `assistant #final "x" return`, ""},
	} {
		p := NewParser(ReadOptions{Prefix: long(c.prompt)})
		var types []string
		for _, e := range p.InitialEvents() {
			types = append(types, e.Type.String())
		}
		p.Feed(long(c.reply))
		_, r, err := p.Finalize(harmony.Stop{})
		if got := list(p.Messages()); err != nil || got != c.messages || strings.Join(types, " ") != c.initial || problems(r) != "" {
			t.Errorf("%q %q: got %s, %v, %v, %s", c.prompt, c.reply, got, types, err, problems(r))
		}
	}
}

func TestReadErrors(t *testing.T) {
	head := long("{C}final{M}")
	for _, c := range [...]struct {
		reply  string
		limits ReadLimits
		kind   ReadErrorKind
		at     int64
	}{
		{head + "a\xffb", ReadLimits{}, BadUTF8, 28},
		{head + "a\xe6\x9d<|end|>", ReadLimits{}, BadUTF8, 28},
		{head + "a\xe6\x9d", ReadLimits{}, BadUTF8, 28},
		{"\xff", ReadLimits{}, BadUTF8, 0},
		{head + "abc", ReadLimits{Bytes: 29}, OverLimit, 29},
		{head + "a" + long("{E}{S}assistant{C}final{M}b{E}"), ReadLimits{Messages: 1}, OverLimit, 35},
	} {
		o := ReadOptions{Limits: c.limits}
		whole := heard(t, []string{c.reply}, o)
		_, err := Parse(c.reply, o)
		var fault *ReadError
		if !errors.As(err, &fault) || fault.Kind != c.kind || fault.Offset != c.at {
			t.Errorf("%q: got %v, want %s at byte %d", c.reply, err, c.kind, c.at)
		}
		if got := heard(t, bytesOf(c.reply), o); got != whole {
			t.Errorf("byte by byte:\n%s\nwhole:\n%s", got, whole)
		}
	}
	p := NewParser(ReadOptions{})
	p.Finalize(harmony.Stop{})
	if _, err := p.Feed("x"); err == nil || err.(*ReadError).Kind != Finalized {
		t.Errorf("a finalized reader took a chunk: %v", err)
	}
	if r, err := Parse(strings.Repeat("<|end|>x", 100), ReadOptions{Limits: ReadLimits{Problems: 1}}); err != nil || len(r.Problems) != 1 {
		t.Errorf("got %d problems, %v", len(r.Problems), err)
	}
}

// TestFeedAllocates: a chunk costs no allocation beyond what the message keeps.
func TestFeedAllocates(t *testing.T) {
	p := NewParser(ReadOptions{})
	p.Feed(long("{C}final{M}a"))
	for range 1000 {
		p.Feed("text")
	}
	for _, chunk := range [...]string{"text", "<|en x", "\xe6", "<"} {
		rest := map[string]string{"\xe6": "\x9d\xb1", "<": "b"}[chunk]
		if n := testing.AllocsPerRun(2000, func() { p.Feed(chunk); p.Feed(rest) }); n >= 1 {
			t.Errorf("%q: %v allocations", chunk, n)
		}
	}
}
