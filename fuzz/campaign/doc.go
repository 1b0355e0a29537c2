// Package campaign lets two implementations of a chat format answer generated
// cases for as long as somebody likes, and keeps where they part.
//
//  1. A [Generator] makes a case of choices; [Default] are those for a
//     checkpoint. The schedule (schedule.go) gives each number its choices: from
//     the campaign's seed, so that a number always means the same case, as long
//     as the corpus before it is the same. Some numbers change an entry of the
//     corpus instead (mutate.go).
//  2. Cases are taken in rounds. Within a round all processors generate and
//     judge, ahead of the engines' answers; what came of it is looked at in the
//     order of the numbers, so that it does not depend on who was first.
//  3. A case that fails is a finding: asked again alone, made small, written at
//     once. One signature is one finding.
//  4. After a round, each [Coverage] says which cases reached something new;
//     they join the corpus, from which later rounds take what they change.
//  5. All this stands in a folder ([Store]): cases and findings are files that
//     are there whole or not at all, the journal says how far the campaign is. A
//     campaign that was killed goes on at the last number that the journal has,
//     and finds again what it had found since.
//  6. [Merge] brings the folders of several shards together, [Prune] leaves out
//     entries of a corpus that reach nothing that others do not.
package campaign
