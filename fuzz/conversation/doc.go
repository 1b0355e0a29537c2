// Package conversation makes conversations that are hard to render.
//
// The pipeline:
//
//  1. A [fuzz.Source] gives choices: from a seed, or from the bytes of a fuzzer.
//  2. [Generate] makes a whole request: instructions, turns of every role with
//     every shape of content, calls and their results, tools with schemas, the
//     template's arguments. [GenerateOne] makes a short one around a single
//     construct ([Constructs]): what is wrong with it shows there, and cannot hide
//     behind another. [Mutate] damages either in its structure.
//  3. A [Conversation] is the keys of a render case, with the traits that went
//     into it. [Conversation.Case] makes a case of it, to render or to mask.
//
// Three of four conversations are careful: the default checkpoint accepts them.
// The fourth may have any fault that a client can make. Markers, and texts that
// are nearly one, stand in every text; so do characters of every plane, numbers
// in every spelling and what one reader or another takes for space.
//
// Generators know nothing of the laws that package render holds against them.
package conversation
