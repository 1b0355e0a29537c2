// Package reference opens the other side of a comparison: the checkpoint's own
// Python, or any program that speaks the protocol.
//
//  1. [Open] sets up the embedded Python (package python), puts the default
//     checkpoint on disk where none is named, and runs the worker (package
//     worker) over it in a pool of processes (package engine). With a release of
//     Transformers in [Options].Python it is reference@VERSION, the same under
//     that release (RELEASES.md).
//  2. [Recipes] are the public checkpoints that have a name; [Assemble] makes one
//     of them in the cache (package recipe). [Prune] removes what is old there.
//  3. [Ask] asks an engine a case, [Differs] holds the answer against what the
//     case wants, and [Reach] reports what of the checkpoint's Python cases reach
//     (package coverage).
//  4. [External] makes a pool of a command line, name=command args….
//
// PROTOCOL.md is what both speak; schema/ holds it as JSON schemas, example/ an
// engine to start from, enginetest/ a test suite for any engine.
package reference
