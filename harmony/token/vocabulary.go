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
	// modelType is BPE, Unigram, WordPiece or WordLevel.
	modelType string
	chain     *chain
	normal    normalizer
	// forms are the added tokens that the normalizer changes, as it writes them:
	// the library decodes them so.
	forms map[ID]string
	// special are the texts of special tokens. As in the library, a token is left
	// out if what the decoder gets is among them.
	special map[string]bool

	plain, normalized trie // the added tokens, for Scan
}

// entry is one token.
type entry struct {
	text    string // as tokenizer.json writes it
	piece   string // what it becomes inside a text, before bytes are characters
	kind    entryKind
	special bool
	model   bool // the model has it, whether it was added or not
}

type entryKind uint8

const (
	unknownEntry entryKind = iota // no token has the id
	textEntry                     // the piece is text
	brokenEntry                   // the piece is bytes that are not whole characters
	byteEntry                     // the piece is one byte of a run
)

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
	return e.text, e.kind != unknownEntry
}

// Size is one more than the greatest id.
func (v *Vocabulary) Size() int { return len(v.tokens) }
