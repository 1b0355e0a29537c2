package engine

import (
	"errors"
	"runtime"
	"sync"

	"github.com/beamdiff/beamdiff/harmony/token"
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
	t.vocabulary = sync.OnceValues(func() (*token.Vocabulary, error) {
		if c.Tokenizer == nil {
			return nil, errNoTokenizer
		}
		return token.Load(c.Tokenizer)
	})
	t.encoder = sync.OnceValues(func() (token.Encoder, error) {
		if c.Tokenizer == nil {
			return nil, errNoTokenizer
		}
		e, err := token.NewEncoder(c.Tokenizer)
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
		s, err := token.NewSafeEncoder(c.Tokenizer, e)
		if err == nil {
			runtime.AddCleanup(t, func(s *token.SafeEncoder) { s.Close() }, s)
		}
		return s, err
	})
	return t
}

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
