package token

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
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
type Marker struct{ control *regexp.Regexp }

// NewMarker makes the Marker of some control tokens.
func NewMarker(control []string) *Marker { return &Marker{anyOf(control)} }

// Mark marks the control tokens of one text.
func (m *Marker) Mark(text string) string {
	text = Unmark(text)
	if m.control == nil {
		return text
	}
	return m.control.ReplaceAllStringFunc(text, func(s string) string { return markStart + s + markEnd })
}

// Unmark gives a text that was rendered from marked texts as it is without.
func Unmark(text string) string {
	if !strings.Contains(text, markStart[:3]) {
		return text
	}
	return strings.NewReplacer(markStart, "", markEnd, "").Replace(text)
}

// anyOf finds the first of some texts, of several at one place the longest; nil
// finds none.
func anyOf(texts []string) *regexp.Regexp {
	if len(texts) == 0 {
		return nil
	}
	return regexp.MustCompile(alternatives(texts))
}

func alternatives(texts []string) string {
	texts = slices.Clone(texts)
	slices.SortStableFunc(texts, func(a, b string) int { return utf8.RuneCountInString(b) - utf8.RuneCountInString(a) })
	for i, text := range texts {
		texts[i] = regexp.QuoteMeta(text)
	}
	return strings.Join(texts, "|")
}

// SafeEncoder encodes conversations that were rendered from marked texts
// ([Marker]): as sanitize_control_tokens of apply_chat_template does, so that a
// user who writes a marker writes only its letters. It may be used by several
// goroutines at once.
type SafeEncoder struct {
	encoder Encoder // of the whole tokenizer
	plain   Encoder // of the same without added tokens
	added   map[string]ID
	marked  *regexp.Regexp
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
	texts := make([]string, 0, len(v.Added()))
	for _, a := range v.Added() {
		s.added[a.Text] = a.ID
		texts = append(texts, a.Text)
	}
	tokens := "[^\\x00-\\x{10ffff}]" // nothing
	if len(texts) > 0 {
		tokens = alternatives(texts)
	}
	s.marked = regexp.MustCompile(markStart + "(" + tokens + ")" + markEnd + "|[" + markStart + markEnd + "]")
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
	for _, m := range s.marked.FindAllStringSubmatchIndex(text, -1) {
		piece, err := s.template(text[from:m[0]], from == 0)
		if err != nil {
			return nil, err
		}
		ids = append(ids, piece...)
		from = m[1]
		if m[2] < 0 {
			continue
		}
		token := text[m[2]:m[3]]
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
