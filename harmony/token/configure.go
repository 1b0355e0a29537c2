package token

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Configuration are the files that may stand beside a tokenizer.json, null where
// one does not.
type Configuration struct {
	Config value.Value // tokenizer_config.json
	// Special and Added are files of old, special_tokens_map.json and
	// added_tokens.json. They are read only where Config has no
	// added_tokens_decoder.
	Special, Added value.Value
}

// Configure gives the vocabulary as Transformers' general class
// (PreTrainedTokenizerFast, 5.24) makes it with the files beside tokenizer.json:
// the tokens of added_tokens_decoder, or those of added_tokens.json, are added
// again as they stand there, then the named special tokens and the extra ones that
// are not added yet; named ones are special, whatever tokenizer.json says. Classes
// of a model's own may do otherwise. v stays as it is. The error is a *LoadError.
//
// It is also told whether decoded text is cleaned up
// (clean_up_tokenization_spaces): Transformers does so unless the model is BPE.
func (v *Vocabulary) Configure(c Configuration) (*Vocabulary, error) {
	out := *v
	out.tokens, out.added = slices.Clone(v.tokens), slices.Clone(v.added)
	out.ids, out.forms, out.special = maps.Clone(v.ids), maps.Clone(v.forms), maps.Clone(v.special)

	config, _ := c.Config.AsObject()
	decoder, current := config.Get("added_tokens_decoder")
	if current {
		c.Special, c.Added = value.Null(), value.Null()
	}
	s := c.specials()
	if s.err != nil {
		return nil, s.err
	}
	all := slices.Concat(s.named, s.extra)
	var err error
	tokens := slices.Clone(v.added)
	if current {
		tokens, err = readDecoder(decoder)
	} else {
		tokens, err = c.readAdded(tokens, slices.Concat(s.named[:s.standard], s.extra))
	}
	if err != nil {
		return nil, err
	}
	has := func(list []Added, text string) bool {
		return slices.ContainsFunc(list, func(a Added) bool { return a.Text == text })
	}
	for _, a := range all {
		if !has(v.added, a.Text) && !has(tokens, a.Text) {
			tokens = append(tokens, a)
		}
	}
	for i := range tokens { // a named token is special, whatever its list says
		tokens[i].Special = tokens[i].Special || has(s.named, tokens[i].Text)
	}
	if err := out.add(tokens, "tokens"); err != nil {
		return nil, err
	}
	if yes, _ := c.Config.Get("clean_up_tokenization_spaces").AsBool(); yes {
		force, _ := c.Config.Get("clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output").AsBool()
		if out.modelType != "BPE" || force {
			out.chain = v.chain.cleaned()
		}
	}
	out.pieces()
	out.tries()
	return &out, nil
}

// readDecoder reads an added_tokens_decoder: tokens by id, in the order of ids.
func readDecoder(v value.Value) ([]Added, error) {
	fail := func(path, what string) error {
		return &LoadError{File: configFile, Path: path, What: what}
	}
	o, ok := v.AsObject()
	if !ok {
		return nil, fail("added_tokens_decoder", "must be an object")
	}
	var list []Added
	var ids []int
	for key, item := range o.All() {
		path := memberPath("added_tokens_decoder", key)
		id, err := strconv.Atoi(key)
		if err != nil {
			return nil, fail(path, "is no id")
		}
		a, err := readAdded(item, path, false)
		if err != nil {
			return nil, inFile(configFile, err)
		}
		list, ids = append(list, a), append(ids, id)
	}
	return byNumber(list, ids), nil
}

// readAdded reads added_tokens.json, texts and their ids, into the tokens that
// tokenizer.json adds, which come first where an id is the same. special are the
// tokens that are special.
func (c Configuration) readAdded(tokens, special []Added) ([]Added, error) {
	if c.Added.IsNull() {
		return tokens, nil
	}
	o, ok := c.Added.AsObject()
	if !ok {
		return nil, &LoadError{File: addedFile, What: fmt.Sprintf("must be an object, but is %s", c.Added.Kind())}
	}
	list, ids := slices.Clone(tokens), make([]int, len(tokens))
	for i, a := range tokens {
		ids[i] = int(a.ID)
	}
	for text, v := range o.All() {
		id, ok := v.AsInt()
		if !ok {
			return nil, &LoadError{File: addedFile, Path: memberPath("", text), What: "must be an id"}
		}
		if value.InvalidUTF8(text) >= 0 {
			return nil, &LoadError{File: addedFile, Path: memberPath("", text), What: "has half of a surrogate pair, which is no text"}
		}
		a := Added{Text: text, Special: slices.ContainsFunc(special, func(s Added) bool { return s.Text == text })}
		a.Normalized = !a.Special
		switch at := slices.Index(ids, int(id)); {
		case at < 0:
			list, ids = append(list, a), append(ids, int(id))
		case at >= len(tokens): // the last one of an id counts
			list[at] = a
		}
	}
	return byNumber(list, ids), nil
}

// byNumber gives tokens in the order of their numbers.
func byNumber(tokens []Added, numbers []int) []Added {
	at := make([]int, len(tokens))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(numbers[a], numbers[b]) })
	out := make([]Added, len(tokens))
	for i, k := range at {
		out[i] = tokens[k]
	}
	return out
}

// cleaned is the chain with Transformers' clean_up_tokenization behind it.
func (c *chain) cleaned() *chain {
	out := *c
	out.texts = slices.Clone(c.texts)
	for _, u := range cleanUps {
		if !u.library {
			out.texts = append(out.texts, newTextStep(u.from, u.to, 0, false))
		}
	}
	return &out
}
