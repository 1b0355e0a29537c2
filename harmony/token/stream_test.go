package token

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/response"
)

// push gives what each id makes final, and what the end does.
func push(t *testing.T, v *Vocabulary, o DecodeOptions, tokens ...string) []string {
	t.Helper()
	d := v.NewDecoder(o)
	var out []string
	for _, token := range tokens {
		id, ok := v.ID(token)
		if !ok {
			t.Fatalf("no token %q", token)
		}
		text, err := d.Push(id)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	return append(out, d.Flush())
}

// Text comes with the first id after which nothing can change it.
func TestDelivery(t *testing.T) {
	for _, c := range []struct {
		decoder string
		tokens  []string
		want    []string
	}{
		// Half a character waits; a broken one is U+FFFD with the id that breaks it.
		{"byte level", []string{"a", "é", "a"}, []string{"a", "", "\uFFFDa", ""}},
		{"byte level", []string{"<|end|>", "é"}, []string{"<|end|>", "", "\uFFFD"}},
		// A run of bytes waits for its end: one bad byte would change all of it.
		{"gemma", []string{"a", "<0x41>", "<0xC3>", "<0xA9>", "b"}, []string{"a", "", "", "", "Aéb", ""}},
		{"gemma", []string{"<0x41>", "<0xFF>", "<0x41>", "a"}, []string{"", "\uFFFD\uFFFD", "\uFFFD", "a", ""}},
		{"gemma", []string{"<0xC3>", "<0x41>"}, []string{"", "\uFFFD\uFFFD", ""}},
		{"gemma", []string{"<0x41>", "<0xC3>"}, []string{"", "", "\uFFFD\uFFFD"}},
		// The first space goes, and no other.
		{"llama", []string{"▁", "▁a", "▁"}, []string{"", " a", " ", ""}},
		{"metaspace", []string{"▁a", "▁a"}, []string{"a", " a", ""}},
		{"never", []string{"▁a", "▁a"}, []string{" a", " a", ""}},
		{"word piece", []string{"a", "##a", "a", "."}, []string{"a", "a", " a", ".", ""}},
		// What the last token would be otherwise waits for the next one.
		{"suffix", []string{"a</w>", "a"}, []string{"a", " a", ""}},
		{"suffix", []string{"a", "a</w>"}, []string{"a", "a", ""}},
		{"ctc", []string{"a", "a", "<pad>", "a", "|"}, []string{"a", "", "", "a", " ", ""}},
		// The start of what is replaced waits.
		{"text steps", []string{"a", "a", "a", "b"}, []string{"", "", "a", "", "é"}},
	} {
		v, _ := testVocabulary(t, c.decoder)
		if got := push(t, v, DecodeOptions{}, c.tokens...); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
			t.Errorf("%s %q:\n got %q\nwant %q", c.decoder, c.tokens, got, c.want)
		}
	}
}

// An eager stream gives each character of a run of bytes when it is whole, and
// U+FFFD for each byte since the last one where they can be none.
func TestEager(t *testing.T) {
	v, _ := testVocabulary(t, "gemma")
	for _, c := range []struct{ tokens, want []string }{
		{[]string{"<0x41>", "<0xC3>", "<0xA9>", "<0x42>", "a"}, []string{"A", "", "é", "B", "a", ""}},
		{[]string{"<0x41>", "<0xFF>", "<0x42>", "a"}, []string{"A", "\uFFFD", "B", "a", ""}},
		{[]string{"<0xE2>", "<0x82>", "<0x41>", "<0xC3>", "<0xA9>"}, []string{"", "", "\uFFFD\uFFFD\uFFFD", "", "é", ""}},
		{[]string{"<0xC3>", "a", "<0xC3>"}, []string{"", "\uFFFDa", "", "\uFFFD"}},
	} {
		if got := push(t, v, DecodeOptions{Eager: true}, c.tokens...); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
			t.Errorf("%q:\n got %q\nwant %q", c.tokens, got, c.want)
		}
	}
	id, _ := v.ID("<0xFF>")
	letter, _ := v.ID("<0x41>")
	if text, _ := v.Decode([]ID{letter, id}, DecodeOptions{Eager: true}); text != "\uFFFD\uFFFD" {
		t.Errorf("the whole is %q", text)
	}
}

// Texts that were given stay as they are, whatever the decoder does next.
func TestTextsStay(t *testing.T) {
	v, _ := testVocabulary(t, "llama")
	d := v.NewDecoder(DecodeOptions{SkipUnknown: true})
	var parts, copies []string
	for i := range 20000 {
		text, _ := d.Push(ID(i*7919%v.Size()), ID(i%v.Size()))
		parts = append(parts, text)
		copies = append(copies, strings.Clone(text))
		if i%500 == 0 {
			d.Flush()
		}
	}
	for i := range parts {
		if parts[i] != copies[i] {
			t.Fatalf("text %d was %q and is %q", i, copies[i], parts[i])
		}
	}
}

// A stream of ids takes a block of memory now and then, and nothing an id.
func TestDecoderAllocs(t *testing.T) {
	for _, name := range []string{"byte level", "llama", "gemma", "metaspace", "word piece", "none", "text steps", "ctc"} {
		v, _ := testVocabulary(t, name)
		d := v.NewDecoder(DecodeOptions{})
		n := 0
		allocs := testing.AllocsPerRun(100, func() {
			for range 100 {
				d.Push(ID(n % v.Size()))
				n++
			}
		})
		if allocs > 2 { // for 100 ids
			t.Errorf("%s: %v allocations for 100 ids", name, allocs)
		}
	}
}

// fuzzIDs reads ids out of bytes: two for each.
func fuzzIDs(data []byte) []ID {
	ids := make([]ID, len(data)/2)
	for i := range ids {
		ids[i] = ID(binary.LittleEndian.Uint16(data[2*i:]))
	}
	return ids
}

// FuzzDecode decodes any ids by any decoder, cut anywhere, as the plain oracle
// does.
func FuzzDecode(f *testing.F) {
	all, _ := testDecoders().Get("decoders")
	list, _ := all.AsObject()
	type loaded struct {
		v    *Vocabulary
		name string
	}
	var vocabularies []loaded
	for name := range list.All() {
		v, _ := testVocabulary(f, name)
		vocabularies = append(vocabularies, loaded{v, name})
	}
	for i := range vocabularies {
		f.Add(uint8(i), uint64(0x1234), []byte{1, 0, 5, 0, 60, 0, 130, 0, 200, 0, 44, 1, 45, 1, 0xFF, 0xFF})
	}
	f.Fuzz(func(t *testing.T, which uint8, cuts uint64, data []byte) {
		l := vocabularies[int(which)%len(vocabularies)]
		ids := fuzzIDs(data)
		for i := range ids {
			ids[i] %= ID(l.v.Size() + 2)
		}
		checkDecode(t, l.v, all.Get(l.name), ids, cuts)
	})
}

// FuzzScan looks for added tokens in any text: what is found is there, in order,
// and nothing else of a token that is found wherever it stands.
func FuzzScan(f *testing.F) {
	v := shippedVocabulary(f, "beam")
	f.Add("a<|end|><|end|><|en<|call|>")
	f.Add("<|start|")
	f.Fuzz(func(t *testing.T, text string) {
		found, err := v.Scan(text)
		if err != nil {
			t.Fatal(err)
		}
		at, n := int64(0), 0
		for _, m := range found {
			if token, _ := v.Text(m.ID); m.Text.Start < at || text[m.Text.Start:m.Text.End] != token {
				t.Fatalf("%q: %+v", text, m)
			}
			at = m.Text.End
		}
		for _, a := range v.Added() { // none of them holds another
			n += strings.Count(text, a.Text)
		}
		if n != len(found) {
			t.Fatalf("%q has %d added tokens, and %d were found", text, n, len(found))
		}
	})
}

// FuzzLoad reads any tokenizer.json, and decodes with what can be read.
func FuzzLoad(f *testing.F) {
	all, _ := testDecoders().Get("decoders")
	list, _ := all.AsObject()
	for _, d := range list.All() {
		f.Add(withDecoder(d))
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Load([]byte(text))
		if err != nil {
			return
		}
		ids := []ID{0, 1, 2, 3, 1, 1, 5, 1 << 20}
		whole, _ := v.Decode(ids, DecodeOptions{SkipUnknown: true})
		d := v.NewDecoder(DecodeOptions{SkipUnknown: true})
		var b strings.Builder
		for _, id := range ids {
			part, _ := d.Push(id)
			b.WriteString(part)
		}
		if b.WriteString(d.Flush()); b.String() != whole {
			t.Fatalf("one by one %q, whole %q", b.String(), whole)
		}
		if _, err := v.Scan(whole); err == nil && !utf8.ValidString(whole) && utf8.ValidString(text) {
			t.Fatalf("%q is not UTF-8", whole)
		}
	})
}

// BenchmarkReader reads a reply from ids: the whole way to events, and the
// decoding in it.
func BenchmarkReader(b *testing.B) {
	v := shippedVocabulary(b, "beam")
	template := beamTemplate(b)
	reply := "<|channel|>analysis<|message|>" + strings.Repeat("We should think about it, dé jà. ", 200) + "<|end|><|start|>assistant<|channel|>final<|message|>" + strings.Repeat("The answer. ", 100) + "<|return|>"
	e, err := newSpeller(b, v).Encode(reply)
	if err != nil {
		b.Fatal(err)
	}
	ids := e.IDs
	perID := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(ids)), "ns/id")
		b.SetBytes(int64(len(reply)))
	}
	b.Run("events", func(b *testing.B) {
		prefix := testPrefix
		p := newParser(b, template)
		r := NewReader(v, p, ReaderOptions{})
		b.ReportAllocs()
		for b.Loop() {
			if err := p.Reset(response.Options{Prefix: &prefix}); err != nil {
				b.Fatal(err)
			}
			r.Reset(p, ReaderOptions{})
			for _, id := range ids {
				if _, err := r.Feed(id); err != nil {
					b.Fatal(err)
				}
			}
		}
		perID(b)
	})
	b.Run("decode", func(b *testing.B) {
		d := v.NewDecoder(DecodeOptions{})
		b.ReportAllocs()
		for b.Loop() {
			for _, id := range ids {
				if _, err := d.Push(id); err != nil {
					b.Fatal(err)
				}
			}
			d.Flush()
		}
		perID(b)
	})
	b.Run("whole", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := v.Decode(ids, DecodeOptions{}); err != nil {
				b.Fatal(err)
			}
		}
		perID(b)
	})
}
