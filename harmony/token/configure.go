package token

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// specialNames are the keys of tokenizer_config.json that name a special token,
// in the order in which Transformers takes them.
var specialNames = []string{"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}

// Configure gives the vocabulary as Transformers' general class
// (PreTrainedTokenizerFast, 5.24) makes it with a tokenizer_config.json: the
// tokens of added_tokens_decoder are added again as they stand there, then the
// named special tokens and the extra ones that are not added yet; named ones are
// special, whatever tokenizer.json says. Classes of a model's own may do
// otherwise. v stays as it is. The error is a *LoadError.
//
// It is also told whether decoded text is cleaned up
// (clean_up_tokenization_spaces): Transformers does so unless the model is BPE.
func (v *Vocabulary) Configure(config value.Value) (*Vocabulary, error) {
	out := *v
	out.tokens, out.added = slices.Clone(v.tokens), slices.Clone(v.added)
	out.ids, out.forms, out.special = maps.Clone(v.ids), maps.Clone(v.forms), maps.Clone(v.special)

	tokens := slices.Clone(v.added)
	if list := config.Get("added_tokens_decoder"); !list.IsNull() {
		var err error
		if tokens, err = readDecoder(list); err != nil {
			return nil, err
		}
	}
	named, extra, err := configured(config)
	if err != nil {
		return nil, err
	}
	has := func(list []Added, text string) bool {
		return slices.ContainsFunc(list, func(a Added) bool { return a.Text == text })
	}
	for _, a := range append(slices.Clone(named), extra...) {
		if !has(v.added, a.Text) && !has(tokens, a.Text) {
			tokens = append(tokens, a)
		}
	}
	for i := range tokens { // a named token is special, whatever its list says
		tokens[i].Special = tokens[i].Special || has(named, tokens[i].Text)
	}
	if err := out.add(tokens, "tokens"); err != nil {
		return nil, err
	}
	if yes, _ := config.Get("clean_up_tokenization_spaces").AsBool(); yes {
		force, _ := config.Get("clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output").AsBool()
		if out.modelType != "BPE" || force {
			out.chain = v.chain.cleaned()
		}
	}
	out.pieces()
	out.tries()
	return &out, nil
}

// configured are the special tokens that a configuration names, and further ones
// without names.
func configured(config value.Value) (named, extra []Added, err error) {
	take := func(list *[]Added, v value.Value, path string) {
		a, some, bad := namedToken(v, path)
		if bad != nil && err == nil {
			err = bad
		}
		if some && bad == nil {
			*list = append(*list, a)
		}
	}
	for _, name := range specialNames {
		take(&named, config.Get(name), name)
	}
	members, _ := config.AsObject()
	if members == nil {
		members = &value.Object{}
	}
	for name, v := range members.All() { // names of the model's own, such as image_token
		typed, _ := v.Get("__type").AsString()
		if strings.HasSuffix(name, "_token") && !slices.Contains(specialNames, name) && (v.Kind() == value.KindString || typed == "AddedToken") {
			take(&named, v, name)
		}
	}
	key := "extra_special_tokens"
	if config.Get(key).IsNull() {
		key = "additional_special_tokens"
	}
	if list, ok := config.Get(key).AsArray(); ok {
		for i, item := range list.All() {
			take(&extra, item, fmt.Sprintf("%s[%d]", key, i))
		}
	}
	if list, ok := config.Get(key).AsObject(); ok {
		for name, item := range list.All() {
			take(&named, item, key+"."+name)
		}
	}
	return named, extra, err
}

// readDecoder reads an added_tokens_decoder: tokens by id, in the order of ids.
func readDecoder(v value.Value) ([]Added, error) {
	o, ok := v.AsObject()
	if !ok {
		return nil, &LoadError{File: "tokenizer_config.json", Path: "added_tokens_decoder", What: "must be an object"}
	}
	type numbered struct {
		id int
		a  Added
	}
	var list []numbered
	for key, item := range o.All() {
		path := "added_tokens_decoder." + key
		id, err := strconv.Atoi(key)
		if err != nil {
			return nil, &LoadError{File: "tokenizer_config.json", Path: path, What: "is no id"}
		}
		a, err := readAdded(item, path, false)
		if err != nil {
			return nil, err
		}
		list = append(list, numbered{id, a})
	}
	slices.SortStableFunc(list, func(a, b numbered) int { return a.id - b.id })
	out := make([]Added, len(list))
	for i, n := range list {
		out[i] = n.a
	}
	return out, nil
}

// namedToken reads a special token that a configuration names: a text, or an
// added token.
func namedToken(v value.Value, path string) (a Added, some bool, err error) {
	switch v.Kind() {
	case value.KindNull:
		return a, false, nil
	case value.KindString:
		text, _ := v.AsString()
		return Added{Text: text, Special: true}, text != "", nil
	}
	if a, err = readAdded(v, path, false); err != nil {
		return a, false, err
	}
	return a, a.Text != "", nil
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
