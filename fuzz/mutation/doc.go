// Package mutation damages the templates of a checkpoint in every small way there
// is and looks whether the corpus notices.
//
//  1. [Generate] makes the mutants: of the chat template with Jinja's own lexer
//     and parser (spans.py, jinja.py), of the response template member by member and
//     pattern by pattern (response.py).
//  2. [Runner.Run] asks the checkpoint's Python each case under each mutant, until
//     one answers other than the case wants: it kills the mutant.
//  3. A mutant that survives is a gap of the corpus, or it is equivalent: no input
//     tells it from the template. equivalents.toml lists those, each with the
//     reason; [Check] fails what is listed and killed, and what survives and is
//     not listed.
//
// corpus/mutants.toml is another list, written by hand: it proves that each case
// of the documentation suite is needed.
package mutation
