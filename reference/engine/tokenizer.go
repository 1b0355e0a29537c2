package engine

import (
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// tokenizer is what the native engine has of a checkpoint's tokenizer. Each part
// is made when it is first asked for, and freed with the engine.
type tokenizer struct {
	vocabulary func() (*token.Vocabulary, error)
	encoder    func() (token.Encoder, error)
	safe       func() (*token.SafeEncoder, error)
}

// errNoTokenizer is a checkpoint without a tokenizer.json.
var errNoTokenizer = errors.New("the checkpoint has no tokenizer.json")

func newTokenizer(c *checkpoint.Checkpoint) *tokenizer {
	t := &tokenizer{}
	file := sync.OnceValues(func() (configured, error) { return configure(c) })
	t.vocabulary = func() (*token.Vocabulary, error) {
		f, err := file()
		return f.vocabulary, err
	}
	t.encoder = sync.OnceValues(func() (token.Encoder, error) {
		f, err := file()
		if err != nil {
			return nil, err
		}
		e, err := token.NewEncoder(f.json)
		if err == nil {
			runtime.AddCleanup(t, func(e token.Encoder) { e.Close() }, e)
		}
		return e, err
	})
	t.safe = sync.OnceValues(func() (*token.SafeEncoder, error) {
		e, err := t.encoder()
		if err != nil {
			return nil, err
		}
		f, _ := file()
		s, err := token.NewSafeEncoder(f.json, e)
		if err == nil {
			runtime.AddCleanup(t, func(s *token.SafeEncoder) { s.Close() }, s)
		}
		return s, err
	})
	return t
}

// configured is a tokenizer as Transformers has it once it is loaded: with the
// tokens that tokenizer_config.json adds.
type configured struct {
	vocabulary *token.Vocabulary
	json       []byte // as tokenizer.json
}

// configure reads a checkpoint's tokenizer. Errors are *token.LoadError, and
// errNoTokenizer.
func configure(c *checkpoint.Checkpoint) (configured, error) {
	if c.Tokenizer == nil {
		return configured{}, errNoTokenizer
	}
	bare, err := token.Load(c.Tokenizer)
	if err != nil {
		return configured{}, err
	}
	v, err := bare.Configure(c.Configuration)
	if err != nil {
		return configured{}, err
	}
	if slices.Equal(bare.Added(), v.Added()) {
		return configured{v, c.Tokenizer}, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(c.Tokenizer, &members); err != nil {
		return configured{}, &token.LoadError{What: "is not a JSON object", Err: err}
	}
	added := list(v.Added(), func(a token.Added) value.Value {
		return value.Members(
			value.Member{Name: "id", Value: value.Int(int64(a.ID))}, value.Member{Name: "content", Value: value.String(a.Text)},
			value.Member{Name: "single_word", Value: value.Bool(a.SingleWord)}, value.Member{Name: "lstrip", Value: value.Bool(a.LStrip)},
			value.Member{Name: "rstrip", Value: value.Bool(a.RStrip)}, value.Member{Name: "normalized", Value: value.Bool(a.Normalized)},
			value.Member{Name: "special", Value: value.Bool(a.Special)})
	})
	members["added_tokens"] = json.RawMessage(value.Dumps(added))
	file, err := json.Marshal(members)
	return configured{v, file}, err
}

// Vocabulary is that of the checkpoint's tokenizer, as Transformers has it once it
// is loaded. The error says why there is none: a *token.LoadError, or that the
// checkpoint has no tokenizer.json.
func (n *Native) Vocabulary() (*token.Vocabulary, error) { return n.tokenizer.vocabulary() }

// tell adds to what an engine says of itself the abilities that take a tokenizer.
func (t *tokenizer) tell(info *Info) {
	if _, err := t.vocabulary(); err == nil {
		info.Abilities = append(info.Abilities, AbleIDs)
	}
	if _, err := t.encoder(); err != nil {
		info.NoTokens = err.Error()
	} else {
		info.Abilities = append(info.Abilities, AbleTokens)
	}
}

// encode gives the ids of a text. It ends before the engine does.
func (t *tokenizer) encode(text string) (token.Encoding, error) {
	defer runtime.KeepAlive(t)
	e, err := t.encoder()
	if err != nil {
		return token.Encoding{}, err
	}
	return e.Encode(text)
}

// encodeSafe gives the ids of a text that was rendered from marked texts; there
// are no offsets.
func (t *tokenizer) encodeSafe(text string) (token.Encoding, error) {
	defer runtime.KeepAlive(t)
	s, err := t.safe()
	if err != nil {
		return token.Encoding{}, err
	}
	ids, err := s.Encode(text)
	return token.Encoding{IDs: ids}, err
}
