// Package tokens compares ids, their places and training masks with those of the
// reference.
//
//  1. [Text] makes a text that is hard to tokenize: characters of every plane,
//     runs of one, marks without a letter, NULs, spaces of every kind, added tokens
//     whole and cut off. [Case] makes a mask case of it, cut into turns anywhere.
//  2. A [Differ] asks the reference for the text, the ids, the places and the mask
//     of a case, encodes the same text natively, and tells the first [Difference].
//  3. A [Report] counts what was compared, so that a run that compares too little
//     is a failure too.
//
// The encoder needs the tag tokenizers; this package does not.
package tokens
