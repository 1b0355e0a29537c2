package token

// DecodeOptions are what ids are decoded with.
type DecodeOptions struct {
	// SkipSpecial leaves special tokens out (skip_special_tokens). A text without
	// its markers cannot be parsed any more: see [Reader].
	SkipSpecial bool
	// SkipUnknown leaves ids out that the vocabulary does not have, as the
	// reference does. Else they are an error, and left out all the same.
	SkipUnknown bool
	// Eager, of a Decoder, gives the characters of a run of byte tokens as soon as
	// they are whole, as streams of the library do, and does not wait for the run to
	// end. Where a later byte of the run is not UTF-8, the text is then another than
	// that of [Vocabulary.Decode], which has U+FFFD for every byte of the run.
	Eager bool
}

// Decode gives the text of ids, as the reference's decode does, byte for byte.
// The error is an *UnknownIDError, for the first such id; the text is there all
// the same.
func (v *Vocabulary) Decode(ids []ID, o DecodeOptions) (string, error) {
	o.Eager = false
	d := v.NewDecoder(o)
	d.out.Grow(4 * len(ids))
	d.whole = true
	var failed error
	for _, id := range ids {
		if err := d.push(id); err != nil && failed == nil {
			failed = err
		}
	}
	d.end()
	return d.take(), failed
}
