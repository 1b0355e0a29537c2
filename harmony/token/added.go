package token

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// loadAdded reads the list of added tokens of a tokenizer.json.
func (v *Vocabulary) loadAdded(list value.Value) error {
	items, ok := list.AsArray()
	if !ok {
		if list.IsNull() {
			return nil
		}
		return &LoadError{Path: "added_tokens", What: fmt.Sprintf("must be a list, but is %s", list.Kind())}
	}
	tokens := make([]Added, 0, items.Len())
	for i, item := range items.All() {
		a, err := readAdded(item, fmt.Sprintf("added_tokens[%d]", i), true)
		if err != nil {
			return err
		}
		tokens = append(tokens, a)
	}
	return v.add(tokens, "added_tokens")
}

// readAdded reads an added token. Its id is not read: see [Vocabulary.add].
// strict asks for all flags; else those that are not there have their defaults.
func readAdded(item value.Value, path string, strict bool) (Added, error) {
	text, err := stringAt(item, path, "content")
	if err != nil {
		return Added{}, err
	}
	a := Added{Text: text}
	for _, f := range []struct {
		name string
		flag *bool
	}{{"special", &a.Special}, {"single_word", &a.SingleWord}, {"lstrip", &a.LStrip}, {"rstrip", &a.RStrip}, {"normalized", &a.Normalized}} {
		if item.Get(f.name).IsNull() && !strict {
			*f.flag = f.name == "normalized" && !a.Special
			continue
		}
		if *f.flag, err = boolAt(item, path, f.name); err != nil {
			return Added{}, err
		}
	}
	return a, nil
}

// add adds tokens as the library does. A token that the vocabulary has keeps its
// id, others take the next ones: the ids that stand in files are not read. A
// token that was special once stays left out where special tokens are.
func (v *Vocabulary) add(tokens []Added, path string) error {
	next := int64(v.size)
	if n := len(v.added); n > 0 {
		next = max(next, int64(v.added[n-1].ID)+1)
	}
	for i, a := range tokens {
		if a.Text == "" {
			continue
		}
		id, ok := v.ids[a.Text]
		if !ok {
			if what := v.set(a.Text, next); what != "" {
				return &LoadError{Path: fmt.Sprintf("%s[%d].content", path, i), What: what}
			}
			id = ID(next)
			next++
		}
		a.ID = id
		v.tokens[id].text = a.Text
		if a.Special {
			v.special[a.Text] = true
		}
		if a.Normalized {
			form, where, kind, ok := v.normal.apply(a.Text)
			if !ok {
				return &LoadError{Path: where, What: fmt.Sprintf("the normalizer %s is not supported on the added token %q, which is normalized", kind, a.Text)}
			}
			if form != a.Text {
				v.forms[id] = form
			}
		}
		at, found := slices.BinarySearchFunc(v.added, id, func(b Added, id ID) int { return cmp.Compare(b.ID, id) })
		if found {
			v.added[at] = a
		} else {
			v.added = slices.Insert(v.added, at, a)
		}
	}
	return nil
}
