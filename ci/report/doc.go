// Package report is what a look at one checkpoint, or at two, found, and the
// forms in which it is told.
//
//  1. Whoever looks (package ci/law, package ci/gate, the comparison of package
//     ci) fills a [Report]: the rules that were asked, how often each held, and a
//     [Finding] for each cause of trouble, with its smallest witness.
//  2. A [Baseline] of earlier findings, or a list of known ones, marks what is not
//     new ([Baseline.Mark]).
//  3. The report is written as text, JSON, JUnit, SARIF or Markdown; all of them
//     say the same of the same model.
//
// Offsets are bytes; lines count from 1.
package report
