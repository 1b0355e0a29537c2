// Package gate says what a change of a checkpoint does: of its chat template, its
// response template, or the release of Transformers that runs them.
//
//  1. A name stands for each side: a directory, REVISION:PATH of a git repository, a
//     template's file alone. [Materialise] puts it into a directory, as a [Source].
//  2. The same cases go to both sides: conversations and replies of the corpus,
//     those that clients send (package law), and generated ones under a fixed seed.
//  3. Answers that differ are changes. Each is of a [report.Rule], the gravest that
//     holds: what was rendered is refused, a caller's text is gone, a turn is no
//     longer read back are errors; a mere change is a warning.
//  4. Changes are grouped by cause: which edits of the chat template bring a change
//     about is found by trying them (the base with one edit at a time), and which
//     line wrote the first byte that differs is traced. Edits that are in no cause
//     then are tried apart from the others, which may hide what they do. Of a response
//     template the cause is the field in which the messages part.
//  5. Each cause is one finding of a [report.Report], with its smallest case.
//  6. The laws of package law are asked of both sides: what the base broke already
//     is old.
//  7. Native Go is asked the same, where it has the format: does it still agree?
package gate
