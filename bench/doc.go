// Package bench measures the hot paths of the native Go, the checkpoint's own
// Python and other people's implementations in one run, and says whether a
// change made any of it slower.
//
//  1. A [Case] is one input for one implementation, with a line that says why it
//     is there. Its name has benchstat's key=value parts; [Default] is the native
//     side with the yardsticks (what any implementation must do at least),
//     [EncodeCases] what takes the tokenizers library, [References] the
//     checkpoint's Python, [PeerCases] other people's implementations
//     (peers/README.md) and all that is of OpenAI Harmony. The comparison itself
//     is measured by package ci.
//  2. A [Run] prepares the cases of one input and measures them in turns, round
//     for round. Each operation checks its answer: a wrong one has no speed, and
//     ends the run. What this machine does not have is [Missing], and told; so is what
//     took a second on a smaller input.
//  3. [Results] are written in Go's benchmark format, and read back.
//  4. A [Table] sums them up: the median, ratios to the yardsticks of the same
//     run, and the growth with the size of the input.
//  5. [Compare] holds two sets of results against each other with the statistics
//     of golang.org/x/perf; [Alternate] measures a git revision and the working
//     tree in turns, and its Gate judges them. [CheckBudget] holds what does not
//     depend on the machine: allocations, bytes and steps.
//
// Names are those of package bench's own Go benchmarks, so go test -bench runs the
// same cases.
package bench
