package token

import (
	"errors"
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// StrippedError is a text that was decoded without its special tokens
// (skip_special_tokens), so that what it says can be told no more: headers run
// into bodies, and a reader of the format would take one for the other.
type StrippedError struct {
	// Token is the first token that is missing, "" where only the text is known.
	Token string
	// Index is that token's, in the ids; -1 where only the text is known.
	Index int
	// Offset is where it is missing, in bytes of the text.
	Offset int
}

func (e *StrippedError) Error() string {
	if e.Index < 0 {
		return "no token of the format stands in the reply, and none of its text is in a field: it was decoded without special tokens, or the model wrote none; decode it with them (skip_special_tokens=False)"
	}
	return fmt.Sprintf("the token %s, at index %d, is missing at byte %d of the text: it was decoded without special tokens; decode it with them (skip_special_tokens=False)", e.Token, e.Index, e.Offset)
}

// TextError is a text that is not that of its ids.
type TextError struct {
	Offset int // of the first byte that differs
}

func (e *TextError) Error() string {
	return fmt.Sprintf("the text is not that of the ids: it differs at byte %d", e.Offset)
}

// CheckText tells whether a text that came with its ids, as servers give both,
// is theirs. The error is a *StrippedError, a *TextError or an *UnknownIDError.
func (v *Vocabulary) CheckText(ids []ID, text string) error {
	whole, err := v.Decode(ids, DecodeOptions{})
	if whole == text {
		return err
	}
	if short, _ := v.Decode(ids, DecodeOptions{SkipSpecial: true}); short == text {
		return v.missing(ids)
	}
	at := 0
	for at < len(text) && at < len(whole) && text[at] == whole[at] {
		at++
	}
	return &TextError{Offset: at}
}

// missing is the error of a text without the special tokens of its ids.
func (v *Vocabulary) missing(ids []ID) error {
	d := v.NewDecoder(DecodeOptions{SkipSpecial: true, SkipUnknown: true})
	offset := 0
	for i, id := range ids {
		if int64(id) < int64(len(v.tokens)) && v.tokens[id].special {
			return &StrippedError{Token: v.tokens[id].text, Index: i, Offset: offset + len(d.Flush())}
		}
		text, _ := d.Push(id) // an unknown id is left out
		offset += len(text)
	}
	return &TextError{} // not reached: only special tokens can be missing
}

// CheckReply tells whether a reply, read from text alone, was decoded without
// the markers that it needs: there is text, no added token stands in it, and
// none of it came into a field although the prompt opened none. The error is a
// *StrippedError. The reply must have been read with its regions. Where the prompt
// opened a field, as one that ends in <|message|> does, all text belongs there and
// nothing can be told: check such a reply by its ids ([Vocabulary.CheckText]).
func (v *Vocabulary) CheckReply(text string, r *harmony.Reply) error {
	if strings.TrimSpace(text) == "" || len(r.Regions) > 0 {
		return nil
	}
	for _, a := range v.added {
		if strings.Contains(text, a.Text) {
			return nil
		}
	}
	return &StrippedError{Index: -1}
}

// CheckStripped looks whether a reply that was decoded without special tokens is
// told from the reply itself ([LawStripped]). read reads a reply's text, with its
// problems: of the short text it has to give an error, or a problem, or what it
// gives of the whole.
func CheckStripped(v *Vocabulary, ids []ID, read func(text string) (harmony.Reply, error)) []Finding {
	whole, err := v.Decode(ids, DecodeOptions{})
	short, _ := v.Decode(ids, DecodeOptions{SkipSpecial: true})
	if err != nil || whole == short {
		return nil
	}
	var missing *StrippedError
	if !errors.As(v.CheckText(ids, short), &missing) {
		return []Finding{{Law: LawStripped, Offset: -1, Detail: "the text without special tokens is taken for that of the ids"}}
	}
	want, err := read(whole)
	if err != nil {
		return nil // there is nothing to lose
	}
	got, err := read(short)
	if err != nil || len(got.Problems) > 0 || value.Equal(got.Message, want.Message) {
		return nil
	}
	return []Finding{{Law: LawStripped, Offset: int64(missing.Offset), Token: missing.Token,
		Detail: fmt.Sprintf("without %s the reply is read as another, and no problem says so: %s", missing.Token, value.Dumps(got.Message))}}
}
