package token

// ID is the number of a token.
type ID = uint32

// Added is a token that was added to the model's vocabulary. It is found in a
// text before anything else is, so that a text which spells it becomes it.
type Added struct {
	ID   ID
	Text string
	// Special tokens are left out of a text that is decoded without them.
	Special bool
	// SingleWord tokens are found only where no letter or digit touches them.
	SingleWord bool
	// LStrip and RStrip tokens take the white space before and behind them along.
	LStrip, RStrip bool
	// Normalized tokens are looked for in the text as the normalizer leaves it.
	Normalized bool
}

// Vocabulary is a tokenizer without its encoder: the tokens, and how they become
// text. It does not change and may be used by several goroutines at once.
type Vocabulary struct {
	tokens []entry // by id
	ids    map[string]ID
	added  []Added // by id
	size   int     // of the model's vocabulary
}

// entry is one token.
type entry struct {
	text    string
	known   bool
	special bool
}

// Added gives the added tokens by id. The slice is shared.
func (v *Vocabulary) Added() []Added { return v.added }

// ID gives the id of a token, written as in tokenizer.json.
func (v *Vocabulary) ID(token string) (ID, bool) {
	id, ok := v.ids[token]
	return id, ok
}

// Text gives a token as it is written in tokenizer.json, which for a model's
// token is not the text that it stands for: [Vocabulary.Decode] gives that.
func (v *Vocabulary) Text(id ID) (string, bool) {
	if int64(id) >= int64(len(v.tokens)) {
		return "", false
	}
	e := &v.tokens[id]
	return e.text, e.known
}

// Size is one more than the greatest id.
func (v *Vocabulary) Size() int { return len(v.tokens) }
