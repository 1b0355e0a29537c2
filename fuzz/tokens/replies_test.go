package tokens

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/suite"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// source makes the choices of a name and a number.
func source(name string, i int) *fuzz.Source {
	return fuzz.FromSeed(suite.Seed("tokens/"+name, i))
}

// spelling is a checkpoint with its vocabulary and a speller of it.
type spelling struct {
	checkpoint *checkpoint.Checkpoint
	vocabulary *token.Vocabulary
	speller    *Speller
}

func spellingOf(t testing.TB, c *checkpoint.Checkpoint) spelling {
	t.Helper()
	v, err := token.Load(c.Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewSpeller(v)
	if err != nil {
		t.Fatal(err)
	}
	return spelling{c, v, p}
}

// shipped are the default checkpoint and its variants, by name, "" for the default.
func shipped(t testing.TB) map[string]spelling {
	all := map[string]spelling{"": spellingOf(t, checkpoint.Default())}
	for _, v := range checkpoint.Variants() {
		all[v.Name] = spellingOf(t, checkpoint.Named(v.Name))
	}
	return all
}

// reply is the parse case of reply i: of the default template, or of another.
func (p spelling) reply(t testing.TB, i int) *value.Object {
	s := source("reply", i)
	template := fuzz.Templates()[0]
	if i%3 == 0 {
		template = fuzz.Pick(s, fuzz.Templates()...)
	}
	in := fuzz.Generate(s, template)
	if s.OneIn(3) {
		fuzz.Mutate(s, in)
	}
	c, err := p.speller.Reply(s, in)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Replies in ids, cut anywhere, are read as the reference reads them.
func TestReplies(t *testing.T) {
	n := suite.Pairs(t)
	for name, p := range shipped(t) {
		t.Run("checkpoint="+name, func(t *testing.T) {
			d := &Differ{engine.NewNative(p.checkpoint, engine.NativeOptions{}), suite.ReferenceOf(t, name)}
			r := d.Replies(t.Context(), n, func(i int) *value.Object { return p.reply(t, i) })
			t.Log(r)
			for _, d := range r.Differences[:min(3, len(r.Differences))] {
				t.Error(d)
			}
			for _, f := range r.Failed[:min(3, len(r.Failed))] {
				t.Errorf("the reference did not answer: %s", f)
			}
			if r.Same < n/3 || r.Broken == 0 || r.Raised == 0 {
				t.Errorf("too few of a kind: %v", r)
			}
		})
	}
}

// FuzzReplies reads replies of the fuzzer's choices, from ids that may be damaged:
// cut as they are whole.
func FuzzReplies(f *testing.F) {
	p := spellingOf(f, checkpoint.Named("beam-byte-fallback"))
	native := engine.NewNative(p.checkpoint, engine.NativeOptions{})
	for i := range 32 {
		f.Add([]byte{byte(i), 1, byte(3 * i), 0, byte(7 * i), 2, 30, 1, byte(i), 200, 5, byte(31 * i), 2, 2, 2, 9})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := fuzz.FromBytes(data)
		c, err := p.speller.Reply(s, fuzz.Generate(s, fuzz.Pick(s, fuzz.Templates()...)))
		if err != nil {
			t.Fatal(err)
		}
		if r := (&Differ{native, native}).Replies(t.Context(), 1, func(int) *value.Object { return c }); len(r.Failed)+len(r.Differences)+r.Unstable > 0 {
			t.Fatal(r, r.Failed, r.Differences)
		}
	})
}

// answer is an Answerer that changes requests.
type answer struct {
	Answerer
	change func(c *value.Object) *value.Object
}

func (a answer) Do(ctx context.Context, r engine.Request) corpus.Outcome {
	r.Case = a.change(r.Case)
	return a.Answerer.Do(ctx, r)
}

// Readers with the faults that readers of ids have must differ.
func TestRepliesPlanted(t *testing.T) {
	p := spellingOf(t, checkpoint.Named("beam-special"))
	native := engine.NewNative(p.checkpoint, engine.NativeOptions{})
	ids := func(v value.Value) (out []token.ID) {
		for _, item := range list(v) {
			n, _ := item.AsInt()
			out = append(out, token.ID(n))
		}
		return out
	}
	asText := func(c *value.Object, decode func(ids []token.ID, at []int) string) *value.Object {
		out := value.NewObject(c.Len())
		for name, v := range c.All() {
			out.Set(name, v)
		}
		reply, _ := c.Get("reply_ids")
		chunks, _ := c.Get("chunks")
		var at []int
		for _, v := range list(chunks) {
			n, _ := v.AsInt()
			at = append(at, int(n))
		}
		out.Set("reply", value.String(decode(ids(reply), at)))
		out.Delete("reply_ids")
		out.Delete("chunks")
		return out
	}
	decode := func(ids []token.ID, o token.DecodeOptions) string {
		text, _ := p.vocabulary.Decode(ids, o)
		return text
	}
	for what, fault := range map[string]func(ids []token.ID, at []int) string{
		"none":              func(ids []token.ID, _ []int) string { return decode(ids, token.DecodeOptions{}) },
		"no special tokens": func(ids []token.ID, _ []int) string { return decode(ids, token.DecodeOptions{SkipSpecial: true}) },
		"every step decoded apart": func(ids []token.ID, at []int) string {
			text, from := "", 0
			for _, to := range append(slices.Clone(at), len(ids)) {
				text += decode(ids[from:to], token.DecodeOptions{})
				from = to
			}
			return text
		},
		"what is not whole is dropped": func(ids []token.ID, _ []int) string {
			return strings.ReplaceAll(decode(ids, token.DecodeOptions{}), "\uFFFD", "")
		},
		"the last id is lost": func(ids []token.ID, _ []int) string {
			return decode(ids[:max(0, len(ids)-1)], token.DecodeOptions{})
		},
	} {
		faulty := answer{native, func(c *value.Object) *value.Object { return asText(c, fault) }}
		r := (&Differ{faulty, native}).Replies(t.Context(), 300, func(i int) *value.Object { return p.reply(t, i) })
		if (what == "none") != (len(r.Differences) == 0) || len(r.Failed) > 0 || r.Unstable > 0 {
			t.Errorf("%s: %v", what, r)
		}
	}
}

// A speller's ids are the text, whatever tokens are chosen.
func TestSpeller(t *testing.T) {
	for name, p := range shipped(t) {
		var added []string
		for _, a := range p.vocabulary.Added() {
			added = append(added, a.Text)
		}
		many := 0
		for i := range 500 {
			s := source("speller", i)
			text := "." + Text(s, added)
			ids, err := p.speller.Spell(s, text)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.vocabulary.Decode(ids, token.DecodeOptions{}); got != text || err != nil {
				t.Fatalf("%s: %q is spelled %d, which is %q, %v", name, text, ids, got, err)
			}
			if e, _ := p.speller.Encode(text); !slices.Equal(e.IDs, ids) {
				many++
			}
		}
		if many < 150 {
			t.Errorf("%s: only %d of 500 texts are spelled in another way than with the longest tokens", name, many)
		}
	}
}
