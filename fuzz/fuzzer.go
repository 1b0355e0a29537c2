package fuzz

import (
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Structured makes an input of a fuzzer's bytes: the template, then all choices
// of the generators.
func Structured(data []byte) *Input {
	s := FromBytes(data)
	t := Templates()[s.N(len(Templates()))]
	made := Generate
	if s.OneIn(3) {
		made = GenerateOne
	}
	in := made(s, t)
	if s.OneIn(2) {
		Mutate(s, in)
	}
	in.Cut = CutOf(s, in)
	return in
}

// Raw makes an input of a reply as it is, which need not be UTF-8. template is
// any number; cuts are the lengths of the chunks but the last, over and over.
func Raw(template uint, reply, prefix string, cuts []byte) *Input {
	all := Templates()
	in := &Input{Template: all[template%uint(len(all))], Reply: reply, Prefix: strings.ToValidUTF8(prefix, "")}
	in.Cut.Name = "as the fuzzer cuts"
	at := 0
	for i := 0; len(cuts) > 0; i++ {
		if at += 1 + int(cuts[i%len(cuts)]); at >= len(reply) {
			break
		}
		in.Cut.At = append(in.Cut.At, at)
	}
	return in
}

// Seeds are the replies of the corpus with their prefixes, each pair once.
func Seeds() (pairs [][2]string) {
	for _, c := range corpus.Embedded() {
		reply, ok := get(c.Input, "reply").AsString()
		if !ok {
			continue
		}
		prefix, _ := get(c.Input, "prefix").AsString()
		if pair := [2]string{reply, prefix}; !slices.Contains(pairs, pair) {
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

func get(o *value.Object, key string) value.Value {
	v, _ := o.Get(key)
	return v
}
