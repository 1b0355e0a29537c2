package ci

import (
	"bytes"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// tokened is an engine that gives token ids, or says that it does not.
func tokened(name string, tokens bool, do func(engine.Request) corpus.Outcome) *fake {
	info := engine.Info{Formats: []string{"*"}, Abilities: []string{"render", "encode", "mask", "parse", "stream"}}
	if tokens {
		info.Abilities = append(info.Abilities, engine.AbleTokens, engine.AbleIDs)
	}
	return &fake{name, info, do}
}

const (
	maskAnswer   = `{"text": "ab", "spans": [[0, 1]], "input_ids": [5, 6], "offsets": [[0, 1], [1, 2]], "assistant_masks": [1, 0], "attention_mask": [1, 1]}`
	encodeAnswer = `{"text": "ab", "input_ids": [5, 6], "offsets": [[0, 1], [1, 2]]}`
)

// A wrong id, offset or bit of a mask is found, and so are ids that an engine
// promised and does not give.
func TestTokensDiffer(t *testing.T) {
	const messages = `", "messages": [{"role": "user", "content": "x"}]}`
	for _, tt := range []struct {
		kind, left, right, want string
		declared                bool
	}{
		{"mask", maskAnswer, maskAnswer, "", true},
		{"mask", strings.Replace(maskAnswer, "[5, 6]", "[5, 7]", 1), maskAnswer, "left/right: value differs at $.input_ids[1] 0", true},
		{"mask", strings.Replace(maskAnswer, "[5, 6]", "[5]", 1), maskAnswer, "left/right: value differs at $.input_ids[1] -1", true},
		{"mask", strings.Replace(maskAnswer, "[1, 2]]", "[0, 2]]", 1), maskAnswer, "left/right: value differs at $.offsets[1][0] 0", true},
		{"mask", strings.Replace(maskAnswer, "[1, 0]", "[1, 1]", 1), maskAnswer, "left/right: value differs at $.assistant_masks[1] 0", true},
		{"mask", strings.Replace(maskAnswer, "[1, 1]", "[1, 0]", 1), maskAnswer, "left/right: value differs at $.attention_mask[1] 0", true},
		{"mask", `{"text": "ab", "spans": [[0, 1]]}`, maskAnswer, "left/right: value differs at $.input_ids -1", true},
		{"mask", `{"text": "ab", "spans": [[0, 1]]}`, maskAnswer, "", false},
		{"mask", `{"text": "ab", "spans": [[0, 2]]}`, maskAnswer, "left/right: value differs at $.spans[0][1] 0", false},
		{"encode", encodeAnswer, encodeAnswer, "", true},
		{"encode", strings.Replace(encodeAnswer, "[5, 6]", "[6, 6]", 1), encodeAnswer, "left/right: value differs at $.input_ids[0] 0", true},
		{"encode", `{"text": "ab"}`, encodeAnswer, "left/right: value differs at $.input_ids -1", true},
		{"encode", `{"text": "ab"}`, encodeAnswer, "", false},
		{"encode", `{"text": "ac"}`, encodeAnswer, "left/right: value differs at $.text 1", false},
		{"encode", `{"text": "ab"}`, `{"text": "ab"}`, "", true}, // a lone surrogate, say
	} {
		engines := []engine.Engine{
			tokened("left", tt.declared, func(engine.Request) corpus.Outcome { return okValue(jsonOf(t, tt.left)) }),
			tokened("right", true, func(engine.Request) corpus.Outcome { return okValue(jsonOf(t, tt.right)) })}
		res, err := (&Runner{Engines: engines, Cases: casesOf(t, `{"id": "x", "kind": "`+tt.kind+messages)}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c := res.Cases[0]
		// The mask that the spans give is compared besides, and says the same.
		got, _, _ := strings.Cut(verdictsOf(c), "\n")
		if got != tt.want {
			t.Errorf("%s %s, %s: got %q, want %q", tt.kind, tt.left, tt.right, got, tt.want)
		}
		lacks := !tt.declared && strings.Contains(tt.right, "input_ids")
		if (c.IDsNotCompared == "left") != lacks || c.IDsCompared && (lacks || tt.want != "") {
			t.Errorf("%s %s: not compared %q, compared %t", tt.kind, tt.left, c.IDsNotCompared, c.IDsCompared)
		}
	}
}

// The ids of a prompt are compared where both engines give them, and the report
// says once where one does not.
func TestPromptIDs(t *testing.T) {
	answers := func(ids string) func(engine.Request) corpus.Outcome {
		return func(r engine.Request) corpus.Outcome {
			if r.Op == engine.OpEncode {
				return okValue(jsonOf(t, `{"text": "p", "input_ids": `+ids+`}`))
			}
			return okText("p")
		}
	}
	for _, tt := range []struct {
		ids      string
		declared bool
		verdicts string
		says     string
	}{
		{"[1]", true, "", "\nids: the same in 2 cases\n"},
		{"[2]", true, "left/right: value differs at $.input_ids[0] 0", ""},
		{"[2]", false, "", "\nids: not compared in 2 cases, as left gives none: its info does not have the ability tokens\n"},
	} {
		engines := []engine.Engine{tokened("left", tt.declared, answers(tt.ids)), tokened("right", true, answers("[1]"))}
		cases := casesOf(t, `[{"id": "x", "messages": [{"role": "user", "content": "x"}]}, {"id": "y", "messages": []}]`)
		res, err := (&Runner{Engines: engines, Cases: cases}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range res.Cases {
			if got := verdictsOf(c); got != tt.verdicts {
				t.Errorf("%s: got %q, want %q", tt.ids, got, tt.verdicts)
			}
		}
		var out bytes.Buffer
		if err := (&Report{Result: res}).WriteText(&out); err != nil {
			t.Fatal(err)
		}
		if strings.Count(out.String(), "\nids: ") != min(1, len(tt.says)) || !strings.Contains(out.String(), tt.says) {
			t.Errorf("%s: the report says\n%s", tt.ids, out.String())
		}
	}
}

// An engine that reads no ids is not asked for a reply in ids, and fails nothing.
func TestReplyInIDs(t *testing.T) {
	asked := 0
	read := func(r engine.Request) corpus.Outcome {
		asked++
		if r.Op == engine.OpStream {
			return okValue(jsonOf(t, `{"initial": [], "feeds": [], "final": [], "message": {}}`))
		}
		return okValue(object())
	}
	refuse := func(engine.Request) corpus.Outcome { t.Error("asked"); return raising("KeyError", "reply") }
	res, err := (&Runner{Engines: []engine.Engine{tokened("left", false, refuse), tokened("right", true, read)},
		Cases: casesOf(t, `{"id": "x", "reply_ids": [1, 2, 3], "prefix": ""}`)}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := res.Cases[0]
	if got := verdictsOf(c); got != "left/right: cannot (passes)" || c.Fails() || c.Feeds != 4 || asked != 6 {
		t.Errorf("%q, fails %t, %d feeds, asked %d times", got, c.Fails(), c.Feeds, asked)
	}
	names := ""
	for _, cut := range Cuts(c.Case, 1) {
		names += cut.Name + ": " + value.Dumps(cut.Chunks) + "; "
	}
	if !strings.HasPrefix(names, "one id at a time: 1; cut at id ") || strings.Contains(names, "byte") {
		t.Error(names)
	}
}
