// Package ci compares implementations of a chat format, case by case, and says
// where they part. The command beamdiff is a thin skin over it: everything it
// does can be called from someone's own go test.
//
//  1. A [Runner] is given engines (the last one is the one the others are
//     judged by), cases and the list of known differences.
//  2. For each case every engine is asked, whole; replies also in several cuts
//     ([Cuts]), whose answers must be the same; a mask is also computed as the
//     reference computes it ([TokenMask]). The token ids of prompts and masks are
//     compared where both engines give them, and held against the laws of tokens.
//  3. Each pair of answers is judged: a [Verdict] names the pair, is one of a
//     closed set, and says where the two part ([Where]).
//  4. What differs is asked once more, alone: an engine that answers otherwise
//     then is unstable. What a known difference explains is counted apart.
//  5. The [Result] is written as text ([Report.WriteText]) or as JSON
//     ([Report.WriteJSON], schema/report.schema.json), and its [Result.ExitCode] is the command's.
//
// The same result as findings ([Report.Findings]) is written as JUnit, SARIF or
// Markdown by package ci/report, like those of the verbs check, which holds one
// checkpoint against the laws of package ci/law, and gate, which compares two
// (package ci/gate).
//
// Campaigns of generated cases (package fuzz/campaign) are judged in the same way,
// by [Runner.Judge].
//
// Offsets are bytes, except in the outcomes of cases, which count code points
// as the protocol does.
package ci
