// Package tokens compares ids, their places and training masks with those of the
// reference.
//
//  1. [Text] makes a text that is hard to tokenize: characters of every plane,
//     runs of one, marks without a letter, NULs, spaces of every kind, added tokens
//     whole and cut off. [Case] makes a mask case of it, cut into turns anywhere;
//     [Lengths] makes a case that truncates, pads or sanitises.
//  2. A [Differ] asks two engines and tells the first [Difference] of their
//     answers. [Plain] answers what Case makes, for any encoder.
//  3. A [Report] counts what was compared, so that a run that compares too little
//     is a failure too.
//
// Encoders need the tag tokenizers; this package does not.
package tokens
