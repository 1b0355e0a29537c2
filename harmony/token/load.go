package token

import (
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Load reads a tokenizer.json. The error is a *LoadError.
func Load(tokenizerJSON []byte) (*Vocabulary, error) {
	root, err := value.Loads(string(tokenizerJSON))
	if err != nil {
		return nil, &LoadError{What: "is not JSON", Err: err}
	}
	if root.Kind() != value.KindObject {
		return nil, &LoadError{What: fmt.Sprintf("must be an object, but is %s", root.Kind())}
	}
	v := &Vocabulary{forms: map[ID]string{}, special: map[string]bool{}}
	if err := v.loadModel(root.Get("model")); err != nil {
		return nil, err
	}
	if v.normal, err = loadNormalizer(root.Get("normalizer"), "normalizer"); err != nil {
		return nil, err
	}
	if err := v.loadAdded(root.Get("added_tokens")); err != nil {
		return nil, err
	}
	if v.chain, err = loadChain(root.Get("decoder")); err != nil {
		return nil, err
	}
	v.pieces()
	v.tries()
	return v, nil
}

// loadModel reads the vocabulary of the model.
func (v *Vocabulary) loadModel(model value.Value) error {
	if model.Kind() != value.KindObject {
		return &LoadError{Path: "model", What: fmt.Sprintf("must be an object, but is %s", model.Kind())}
	}
	v.modelType, _ = model.Get("type").AsString()
	if v.modelType == "" && !model.Get("merges").IsNull() {
		v.modelType = "BPE" // files of old
	}
	vocab := model.Get("vocab")
	if pieces, ok := vocab.AsArray(); ok { // Unigram: pairs of a token and its score
		v.ids = make(map[string]ID, pieces.Len())
		for i, pair := range pieces.All() {
			list, _ := pair.AsArray()
			if list.Len() != 2 {
				return &LoadError{Path: fmt.Sprintf("model.vocab[%d]", i), What: "must be a token and its score"}
			}
			text, ok := list.At(0).AsString()
			if !ok {
				return &LoadError{Path: fmt.Sprintf("model.vocab[%d][0]", i), What: "must be a token"}
			}
			if what := v.set(text, int64(i)); what != "" {
				return &LoadError{Path: fmt.Sprintf("model.vocab[%d][0]", i), What: what}
			}
		}
		v.size = pieces.Len()
		v.ofModel()
		return nil
	}
	tokens, ok := vocab.AsObject()
	if !ok {
		return &LoadError{Path: "model.vocab", What: fmt.Sprintf("must hold the tokens and their ids, but is %s", vocab.Kind())}
	}
	v.ids = make(map[string]ID, tokens.Len())
	v.tokens = make([]entry, 0, tokens.Len()+64) // and the added tokens
	// A damaged file cannot ask for all memory.
	limit := 16*int64(tokens.Len()) + 1<<16
	for text, n := range tokens.All() {
		what := "must be an id"
		id, ok := n.AsInt()
		switch {
		case !ok:
		case id < 0 || id > limit:
			what = fmt.Sprintf("the id %d is not between 0 and %d, as far as a vocabulary of %d tokens may go", id, limit, tokens.Len())
		case id < int64(len(v.tokens)) && v.tokens[id].kind != unknownEntry:
			what = fmt.Sprintf("has the id %d, which %q has: the library would take one of them by chance", id, v.tokens[id].text)
		default:
			what = v.set(text, id)
		}
		if what != "" {
			return &LoadError{Path: memberPath("model.vocab", text), What: what}
		}
	}
	v.size = tokens.Len()
	v.ofModel()
	return nil
}

// ofModel notes that the tokens so far are the model's.
func (v *Vocabulary) ofModel() {
	for i := range v.tokens {
		v.tokens[i].model = v.tokens[i].kind != unknownEntry
	}
}

// set gives a token its id. It tells what is wrong, "" where nothing is.
func (v *Vocabulary) set(text string, id int64) (what string) {
	if value.InvalidUTF8(text) >= 0 {
		return "has half of a surrogate pair, which is no text"
	}
	if n := int(id) + 1; n > len(v.tokens) {
		v.tokens = slices.Grow(v.tokens, n-len(v.tokens))[:n]
	}
	v.tokens[id] = entry{text: text, kind: textEntry}
	v.ids[text] = ID(id)
	return ""
}
