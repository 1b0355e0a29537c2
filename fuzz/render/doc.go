// Package render holds renderers to their promises.
//
// The pipeline:
//
//  1. Package conversation makes requests, [AnswerOf] replies of a model.
//  2. A [Subject] decodes and renders them, and reads replies.
//  3. The oracles judge what it gave. Those of conversations (law_*.go): rendering
//     is pure and its errors have a place ([CheckPure]), spans are the model's turns
//     ([CheckMask]), each prompt begins with the one before ([CheckGrows]), a turn
//     that is rendered reads back ([CheckReadsBack]), and what means the same
//     renders the same ([CheckAlike]). Those of replies: the model's own bytes stay
//     in the history ([CheckRaw]), and what was read stays what it is when it is
//     rendered and read again ([CheckStays]).
//  4. Where a format cannot keep a promise, what is lost has a name. The oracles
//     tell each class to a [Tally], and tests ask for the share of each.
//  5. A [Differ] asks the reference about the same conversations and tells each
//     [Difference] with all that is needed to try it again.
//
// The oracles know the format from its documentation, and what typing does from the
// specification of response templates; they share no code with what they judge.
package render
