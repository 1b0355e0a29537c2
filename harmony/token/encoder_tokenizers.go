//go:build tokenizers && cgo

package token

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/daulet/tokenizers"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// NewEncoder makes the encoder of a tokenizer.json. Truncation and padding that
// the file asks for are off, as they are when Transformers encodes a rendered
// conversation. The encoder keeps a copy of the file, for texts with a NUL. The
// error is a *LoadError.
func NewEncoder(tokenizerJSON []byte) (Encoder, error) {
	parts, err := readParts(tokenizerJSON)
	if err != nil {
		return nil, &LoadError{What: "is not a JSON object", Err: err}
	}
	if err := parts.refuse(); err != nil {
		return nil, err
	}
	parts.set("truncation", "null")
	parts.set("padding", "null")
	e := &encoder{parts: parts, added: parts.added()}
	if e.library, err = parts.open(); err != nil {
		return nil, &LoadError{What: "the tokenizers library refuses it", Err: err}
	}
	return e, nil
}

// encoder is the library's tokenizer. Its methods hold mu for reading while the
// library works, so that Close waits for them.
type encoder struct {
	mu      sync.RWMutex
	library *tokenizers.Tokenizer // nil once closed
	parts   parts
	added   []string // the texts of the added tokens
	nul     nul
}

func (e *encoder) Encode(text string) (Encoding, error) {
	if at := value.InvalidUTF8(text); at >= 0 {
		return Encoding{}, &harmony.UTF8Error{What: "the text", Offset: int64(at)}
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	switch {
	case e.library == nil:
		return Encoding{}, ErrClosed
	case strings.IndexByte(text, 0) >= 0:
		return e.encodeNUL(text)
	}
	return e.encode(e.library, text)
}

// encode encodes a text without NUL.
func (e *encoder) encode(library *tokenizers.Tokenizer, text string) (Encoding, error) {
	got := library.EncodeWithOptions(text, false, tokenizers.WithReturnOffsets())
	if len(got.IDs) == 0 && text != "" && !e.empty(library, text) {
		return Encoding{}, &EncodeError{"the tokenizers library gives no ids and no reason"}
	}
	spans := make([]harmony.Span, len(got.Offsets))
	for i, o := range got.Offsets {
		spans[i] = harmony.Span{Start: int64(o[0]), End: int64(o[1])}
	}
	return Encoding{IDs: got.IDs, Offsets: spans}, nil
}

// empty tells whether a text really has no ids, as one that the normalizer
// removes. The library answers the same way when it fails; it then fails with
// more text behind, too.
func (e *encoder) empty(library *tokenizers.Tokenizer, text string) bool {
	return len(e.added) > 0 && len(library.EncodeWithOptions(text+e.added[0], false).IDs) > 0
}

func (e *encoder) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.library == nil {
		return ErrClosed
	}
	e.nul.close()
	err := e.library.Close()
	e.library = nil
	return err
}

// parts are the members of a tokenizer.json, as they stand in it.
type parts map[string]json.RawMessage

func readParts(tokenizerJSON []byte) (parts, error) {
	var p parts
	err := json.Unmarshal(tokenizerJSON, &p)
	if err == nil && p == nil {
		err = errors.New("it is null")
	}
	return p, err
}

func (p parts) set(name, text string) { p[name] = json.RawMessage(text) }

// added gives the texts of the added tokens.
func (p parts) added() []string {
	var added []struct{ Content string }
	if json.Unmarshal(p["added_tokens"], &added) != nil {
		return nil // the library says what is wrong
	}
	var texts []string
	for _, a := range added {
		if a.Content != "" {
			texts = append(texts, a.Content)
		}
	}
	return texts
}

// join writes the file. The library takes the members in any order.
func (p parts) join() []byte {
	var b bytes.Buffer
	for name, text := range p {
		sep := byte(',')
		if b.Len() == 0 {
			sep = '{'
		}
		b.WriteByte(sep)
		b.Write(value.Append(nil, value.String(name), value.PyDumps))
		b.WriteByte(':')
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes()
}
