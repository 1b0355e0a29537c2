// Package token reads and checks the token ids of a conversation, in pure Go:
// servers work on ids and trainers on masks, and equal text may have other ids.
//
//  1. [Load] reads a checkpoint's tokenizer.json: the vocabulary, the added
//     tokens and the decoder. What is not supported is refused here, by name.
//  2. [Vocabulary.Decode] gives the text of ids; a [Decoder] gives it as the ids
//     arrive, in whole characters, the same for every way of cutting the ids.
//  3. [NewEncoder] makes the [Encoder] of a tokenizer, where the program is built
//     with the tag tokenizers; without it the error says how to get it.
//
// The reference is the library "tokenizers" as Transformers calls it: text, ids
// and masks are the ones that it gives.
package token
