package finding

import (
	"regexp"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// token is a piece of a text that is left out whole before its characters are: a
// marker, a tag, a word, a run of space.
var token = regexp.MustCompile(`<\|[^|<>]*\|>|</?[^<>\s]+[^<>]*>|[\pL\pN_]+|\s+|.`)

// shorten leaves out parts of texts: markers, tags and words first, then single
// characters.
func (s *shrinker) shorten() (progress bool) {
	for i := 1; i < len(nodes(s.input())) && s.more(); i++ {
		at := nodes(s.input())[i]
		for _, split := range []func(string) []string{
			func(text string) []string { return token.FindAllString(text, -1) },
			characters,
		} {
			text, ok := at.of(s.input()).AsString()
			if !ok {
				break
			}
			parts := split(text)
			if halves(len(parts), func(from, to int) bool {
				if !s.propose(s.cut(at, parts, from, to)) {
					return false
				}
				parts = slices.Delete(slices.Clone(parts), from, to)
				return true
			}) {
				progress = true
			}
		}
	}
	return progress
}

func characters(text string) (parts []string) {
	for i := 0; i < len(text); {
		_, n := value.DecodeWTF8(text[i:])
		parts = append(parts, text[i:i+n])
		i += n
	}
	return parts
}

// cut is the input without some parts of a text. Where the text is the reply,
// the cuts behind move with what follows them.
func (s *shrinker) cut(at place, parts []string, from, to int) value.Value {
	head, gone, tail := strings.Join(parts[:from], ""), strings.Join(parts[from:to], ""), strings.Join(parts[to:], "")
	in := at.edit(s.input(), func(value.Value) value.Value { return value.String(head + tail) })
	o, _ := in.AsObject()
	if len(at) != 1 || o.At(at[0]).Name != "reply" {
		return in
	}
	if chunks, ok := o.Get("chunks"); ok {
		o.Set("chunks", moved(chunks, head, gone, tail))
	}
	return in
}

// moved are the cuts of a reply that has lost what stood between head and tail.
// What is left of them is never empty: without any cut there is none to show.
func moved(chunks value.Value, head, gone, tail string) value.Value {
	if bytes := chunks.Get("bytes"); !bytes.IsNull() {
		return object("bytes", shifted(bytes, len(head), len(gone), len(head)+len(tail)))
	}
	return shifted(chunks, value.Len(head), value.Len(gone), value.Len(head)+value.Len(tail))
}

func shifted(chunks value.Value, head, gone, size int) value.Value {
	a, ok := chunks.AsArray()
	if !ok {
		return chunks // so many characters at a time
	}
	var items []value.Value
	last := 0
	for _, item := range a.All() {
		n, _ := item.AsInt()
		at := int(n)
		if at > head {
			at = max(head, at-gone)
		}
		if at > last && at < size {
			items = append(items, value.Int(int64(at)))
			last = at
		}
	}
	return value.List(items...)
}

// plain puts "a" in the place of characters, one by one: of short texts, and not of
// what markers and tags are made of.
func (s *shrinker) plain() (progress bool) {
	for i := 1; i < len(nodes(s.input())) && s.more(); i++ {
		at := nodes(s.input())[i]
		text, ok := at.of(s.input()).AsString()
		if !ok || len(text) > 200 { // bytes
			continue
		}
		parts := characters(text)
		for j, c := range parts {
			if c == "a" || c == "<" || c == ">" || c == "|" {
				continue
			}
			next := slices.Clone(parts)
			next[j] = "a"
			if s.propose(at.edit(s.input(), func(value.Value) value.Value { return value.String(strings.Join(next, "")) })) {
				parts, progress = next, true
			}
		}
	}
	return progress
}
