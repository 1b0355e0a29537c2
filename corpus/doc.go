// Package corpus is the cases: what goes into the engines and, where it is
// known, what must come out.
//
//  1. [Decode] reads a case, or a list of cases, from JSON and refuses what is
//     not one with the path of the fault ([CaseError]); [DecodeOne] reads the
//     bare keys of one kind too. [Encode] writes cases back, in one form.
//  2. [Embedded] gives the suites that this project ships (the folders beside
//     this file); [Load] reads files and folders of someone's own; [Select]
//     picks cases by patterns of their ids.
//  3. An [Outcome] is what an engine answered to a case, and what a case wants.
//  4. [LoadKnown] reads a list of known differences, [MatchKnown] holds it
//     against the results of a run.
//  5. [Blocks] are the code blocks of the documentation, and [Mutants] small
//     damage to the default checkpoint's templates: what shows that the shipped
//     cases prove something.
//
// Offsets in cases, outcomes and on the wire are code points, as Python counts;
// [Index] converts between them and bytes.
package corpus
