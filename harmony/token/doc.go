// Package token reads and checks the token ids of a conversation: servers work on
// ids and trainers on masks, and equal text may have other ids. All but encoding
// is pure Go.
//
//  1. [Load] reads a checkpoint's tokenizer.json: the vocabulary, the added
//     tokens and the decoder; [Vocabulary.Configure] the special tokens of the files beside
//     it ([Configuration]). What is not supported is refused here, by
//     name and path.
//  2. [Vocabulary.Decode] gives the text of ids; a [Decoder] gives it as the ids
//     arrive, in whole characters, the same for every way of cutting the ids.
//  3. A [Reader] reads a model's reply from ids, by any harmony.Reader.
//     [Vocabulary.CheckText] and [Vocabulary.CheckReply] tell texts that were
//     decoded without their markers.
//  4. [NewEncoder] makes the [Encoder] of a tokenizer, where the program is built
//     with the tag tokenizers; without it the error says how to get it. A
//     [SafeEncoder] makes plain letters of the markers in a caller's texts.
//  5. [Mask] tells which ids the model wrote; [NewBatch] cuts, pads and masks
//     rows for training.
//  6. [Vocabulary.Scan] finds the added tokens that a text spells, without an
//     encoder. The laws are built on it: [CheckMarkers], [Forged],
//     [Tracer] with [CheckControl], [CheckEncoding], [CheckPieces], [CheckMask]
//     and [CheckStripped] give a [Finding] for each breach.
//
// The reference is the library tokenizers as Transformers calls it: text, ids,
// offsets and masks are the ones that it gives, also where that is odd:
//
//   - an id that no token has is passed over in silence; here that is asked for
//     (SkipUnknown), else it is an error beside the same text;
//   - the ids of added tokens that stand in a file are not read: a token has the
//     model's id, or the next one;
//   - one bad byte makes U+FFFD of every byte of a run of byte tokens, and the
//     decoders that take a space off the start of a text take it off the start of
//     a reply, too, which is decoded without its prompt;
//   - a normalized token is decoded as the normalizer wrote it, and if that is
//     another text it is never left out as special.
package token
