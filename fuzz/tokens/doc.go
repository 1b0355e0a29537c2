// Package tokens compares ids, their places and training masks with those of the
// reference.
//
//  1. [Text] makes a text that is hard to tokenize: characters of every plane,
//     runs of one, marks without a letter, NULs, spaces of every kind, added tokens
//     whole and cut off. [Case] makes a mask case of it, cut into turns anywhere;
//     [Lengths] makes a case that truncates, pads or sanitises.
//  2. A [Differ] asks two engines and tells the first [Difference] of their
//     answers. [Plain] answers what Case makes, for any encoder.
//  3. A [Speller] writes texts as ids without an encoder, in ways of its own; of a
//     generated reply it makes ids, some of them damaged, cut anywhere
//     ([Speller.Reply]), and [Differ.Replies] compares how both sides read them.
//  4. [Laws] holds generated conversations to the laws of package token, with any
//     encoder: who forges a marker is told, and nothing else is broken.
//  5. A [Report] counts what was compared, so that a run that compares too little
//     is a failure too.
//
// The encoders of tokenizers need the tag tokenizers; this package does not.
package tokens
