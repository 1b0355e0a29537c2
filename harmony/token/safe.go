package token

import (
	"encoding/json"
	"slices"
	"strings"
)

// The private-use characters that stand around a control token of the caller's
// own text while a conversation is rendered. (Transformers 5.24.0,
// utils/chat_template_utils.py.)
const (
	markStart = "\U000f0000"
	markEnd   = "\U000f0001"
)

// Marker marks control tokens in the texts of a request before it is rendered,
// so that a [SafeEncoder] can tell them from those that the template writes.
// What a text has of the two marks already is taken out. It may be used by
// several goroutines at once.
type Marker struct{ control trie }

// NewMarker makes the Marker of some control tokens.
func NewMarker(control []string) *Marker {
	m := &Marker{}
	for _, text := range control {
		m.control.add(text, 0)
	}
	return m
}

// Mark marks the control tokens of one text: the first, of several at one place
// the longest, and so on.
func (m *Marker) Mark(text string) string {
	text = Unmark(text)
	start, end, _, ok := m.control.find(text, 0)
	if !ok {
		return text
	}
	var b strings.Builder
	from := 0
	for ; ok; start, end, _, ok = m.control.find(text, end) {
		b.WriteString(text[from:start])
		b.WriteString(markStart)
		b.WriteString(text[start:end])
		b.WriteString(markEnd)
		from = end
	}
	b.WriteString(text[from:])
	return b.String()
}

// Unmark gives a text that was rendered from marked texts as it is without.
func Unmark(text string) string {
	if !strings.Contains(text, markStart[:3]) {
		return text
	}
	return strings.NewReplacer(markStart, "", markEnd, "").Replace(text)
}

// SafeEncoder encodes conversations that were rendered from marked texts
// ([Marker]): as sanitize_control_tokens of apply_chat_template does, so that a
// user who writes a marker writes only its letters. It may be used by several
// goroutines at once.
type SafeEncoder struct {
	encoder Encoder // of the whole tokenizer
	plain   Encoder // of the same without added tokens
	added   map[string]ID
	longest int // of the added tokens, in bytes
	newline []ID
}

// NewSafeEncoder makes the safe encoder of a tokenizer.json around an encoder of
// it, which stays the caller's. Errors are those of [NewEncoder], and a
// *[LoadError] where the file is not what [Load] reads.
func NewSafeEncoder(tokenizerJSON []byte, encoder Encoder) (*SafeEncoder, error) {
	v, err := Load(tokenizerJSON)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(tokenizerJSON, &members); err != nil {
		return nil, &LoadError{What: "is not a JSON object", Err: err}
	}
	members["added_tokens"] = json.RawMessage("[]")
	bare, err := json.Marshal(members)
	if err != nil {
		return nil, &LoadError{What: "is not JSON", Err: err}
	}
	s := &SafeEncoder{encoder: encoder, added: map[string]ID{}}
	for _, a := range v.Added() {
		s.added[a.Text] = a.ID
		s.longest = max(s.longest, len(a.Text))
	}
	if s.plain, err = NewEncoder(bare); err != nil {
		return nil, err
	}
	newline, err := encoder.Encode("\n")
	if err != nil {
		s.plain.Close()
		return nil, err
	}
	s.newline = newline.IDs
	return s, nil
}

// UnsafeError is a control token of a caller's text that the tokenizer makes of
// its letters too, so that it cannot be told from the marker.
type UnsafeError struct{ Token string }

// Error is the reference's text.
func (e *UnsafeError) Error() string {
	quote := "'"
	if strings.Contains(e.Token, quote) && !strings.Contains(e.Token, `"`) {
		quote = `"`
	}
	token := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(e.Token)
	if quote == "'" {
		token = strings.ReplaceAll(token, quote, `\'`)
	}
	return "Can't sanitize " + quote + token + quote + ": the tokenizer produces it from plain text"
}

// Encode gives the ids of a text that was rendered from marked texts. The marked
// tokens become the ids of their letters; a mark that lost its partner only
// divides the text. Errors are those of [Encoder], and *[UnsafeError].
func (s *SafeEncoder) Encode(text string) ([]ID, error) {
	var ids []ID
	from := 0
	for {
		at, token, end := s.next(text, from)
		if at < 0 {
			break
		}
		piece, err := s.template(text[from:at], from == 0)
		if err != nil {
			return nil, err
		}
		ids = append(ids, piece...)
		from = end
		if token == "" {
			continue
		}
		if piece, err = s.piece(s.plain, token); err != nil {
			return nil, err
		}
		if slices.Contains(piece, s.added[token]) {
			return nil, &UnsafeError{token}
		}
		ids = append(ids, piece...)
	}
	piece, err := s.template(text[from:], from == 0)
	return append(ids, piece...), err
}

// next finds the next mark from a place on, -1 where there is none: with the added
// token that it marks, up to the end behind that, or alone.
func (s *SafeEncoder) next(text string, from int) (at int, token string, end int) {
	at = strings.Index(text[from:], markStart[:3]) // both of them begin alike
	for ; at >= 0; at = strings.Index(text[from:], markStart[:3]) {
		at += from
		rest, ok := strings.CutPrefix(text[at:], markStart)
		if ok {
			if token, _, ok = strings.Cut(rest[:min(len(rest), s.longest+len(markEnd))], markEnd); ok {
				if _, ok = s.added[token]; ok {
					return at, token, at + len(markStart) + len(token) + len(markEnd)
				}
			}
			return at, "", at + len(markStart)
		}
		if strings.HasPrefix(text[at:], markEnd) {
			return at, "", at + len(markEnd)
		}
		from = at + 3
	}
	return -1, "", 0
}

// template encodes what the template wrote between two marks.
func (s *SafeEncoder) template(text string, first bool) ([]ID, error) {
	if first {
		e, err := s.encoder.Encode(text)
		return e.IDs, err
	}
	return s.piece(s.encoder, text)
}

// piece encodes a text that does not begin the conversation: behind a line
// break, whose ids are taken away again, since a tokenizer may put a space before
// the first word of a text.
func (s *SafeEncoder) piece(encoder Encoder, text string) ([]ID, error) {
	if text == "" {
		return nil, nil
	}
	e, err := encoder.Encode("\n" + text)
	if err != nil {
		return nil, err
	}
	if n := len(s.newline); len(e.IDs) >= n && slices.Equal(e.IDs[:n], s.newline) {
		return e.IDs[n:], nil
	}
	e, err = encoder.Encode(text)
	return e.IDs, err
}

// Close frees what the safe encoder made for itself.
func (s *SafeEncoder) Close() error { return s.plain.Close() }
