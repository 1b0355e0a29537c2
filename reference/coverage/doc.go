// Package coverage holds what of a checkpoint's own Python was reached: lines
// and branches of its chat template, as they stand in the template, and of the
// library's reply parser.
//
//  1. A [Point] is a line, or one way that a branch went. The worker names them
//     (PROTOCOL.md, section 7) and tells with each answer which are new to it.
//  2. A [Set] collects them, over cases and over processes.
//  3. A [Report] is the points that exist and those that were reached:
//     [Report.Missing] gives what no case reaches, [Report.WriteText] says so.
//
// Package engine asks for all of it: Pool.Measure and Pool.Coverage.
package coverage
