package response

import (
	"runtime"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
)

// retained feeds a reply of one region, size bytes long and four KiB at a time,
// and gives what the parser holds then, beside the text that the caller has.
func retained(t *testing.T, tpl *Template, size int, discard bool) int64 {
	piece := []byte(strings.Repeat("a <|en <| <|message|> word\n", 152)[:4096])
	live := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := live()
	p, err := tpl.NewParser(Options{Prefix: &noPrefix, Discard: discard, Limits: Limits{Bytes: size + 100}})
	if err != nil {
		t.Fatal(err)
	}
	chunks := 0
	feed := func(text string) {
		events, err := p.Feed(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			chunks += len(e.Text)
		}
	}
	feed(openFinal)
	for range size / len(piece) {
		feed(string(piece)) // each chunk is memory of its own, as a server's are
	}
	held := live() - before
	feed("<|return|>")
	if _, _, err := p.Finalize(harmony.Stop{}); err != nil || chunks != size {
		t.Fatalf("%d bytes of %d told, %v", chunks, size, err)
	}
	return held
}

// Without values what is held is the tail, however long the region is; with
// them it is the text.
func TestDiscardIsBounded(t *testing.T) {
	tpl := beamTemplate(t)
	size := 64 << 20
	if held := retained(t, tpl, size, true); held > int64(size/1000) {
		t.Errorf("discarding holds %d bytes of a reply of %d", held, size)
	}
	size = 4 << 20
	if held := retained(t, tpl, size, false); held < int64(size) {
		t.Errorf("keeping holds %d bytes of a reply of %d: this test would not notice what is kept", held, size)
	}
}

// Discarding changes nothing but the values: the same regions and text, the same
// required fields, for every cut.
func TestDiscard(t *testing.T) {
	reply := openThinking + "a<|end|><|start|>assistant" + openCall + parameter + "<|call|>" + openFinal + "b"
	facts := func(discard bool, size int) (out string) {
		p, err := beamTemplate(t).NewParser(Options{Prefix: &noPrefix, Discard: discard})
		if err != nil {
			t.Fatal(err)
		}
		tell := func(events []harmony.Event) {
			for _, e := range events {
				out += e.Type.String()[len("region_"):] + " " + e.Field + " " + e.Text
				if e.Closed {
					out += "closed"
				}
				if discard && !e.Value.IsNull() {
					t.Errorf("a value: %#v", e.Value)
				}
				out += "\n"
			}
		}
		for at := 0; at < len(reply); at += size {
			events, err := p.Feed(reply[at:min(at+size, len(reply))])
			if err != nil {
				t.Fatal(err)
			}
			tell(events)
		}
		events, r, err := p.Finalize(harmony.Stop{})
		if tell(events); err != nil {
			t.Fatal(err)
		}
		if discard != r.Message.IsNull() || discard != (r.Calls == nil) {
			t.Errorf("discard %v: message %#v, calls %v", discard, r.Message, r.Calls)
		}
		return out
	}
	for _, size := range []int{1, 3, len(reply)} {
		if kept, discarded := facts(false, size), facts(true, size); kept != discarded {
			t.Errorf("%d at a time: discarding tells\n%s\nkeeping\n%s", size, discarded, kept)
		}
	}

	required := compileJSON(t, `{"start_anchor":"@","fields":{"x":{"open":"<x>","close":"</x>","content":"int","optional":false}}}`)
	for reply, ok := range map[string]bool{"<x>no number</x>": true, "none": false} {
		if r, err := required.Parse(reply, Options{Prefix: &noPrefix, Discard: true}); (err == nil) != ok || !r.Message.IsNull() {
			t.Errorf("%s: %#v, %v", reply, r.Message, err)
		}
	}
	if _, err := required.NewParser(Options{Prefix: &noPrefix, Discard: true, Problems: true}); err == nil {
		t.Error("Discard and Problems go together")
	}
}

// What views are told of fields.
func TestMessageFields(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor":"@","defaults":{"b":"x"},"fields":{
		"a":{"open":"<a>","close":"</a>","content_args":{"strip":false}},
		"b":{"open":"<b>","close":"</b>","repeats":true,"join":"-"},
		"c":{"open":"<c>","close":"</c>","transform":"{content}"},
		"d":{"open":"<d>","close":"</d>","transform":{"v":"{content}"}},
		"e":{"open":"<e>","close":"</e>","content":"int","repeats":true}}}`)
	got := ""
	for _, f := range tpl.MessageFields() {
		got += f.Name
		if f.Text {
			got += "T"
		}
		if f.Strip {
			got += "S"
		}
		if f.Repeats {
			got += "R"
		}
		if f.Join != nil {
			got += *f.Join
		}
		if s, ok := f.Default.AsString(); ok {
			got += s
		}
		got += " "
	}
	if want := "aT bTSR-x cTS d eR "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
