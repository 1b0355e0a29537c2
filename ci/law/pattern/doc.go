// Package pattern looks at the patterns of a response template without a reply of
// any model, and says what they will do: read a reply in pieces otherwise than
// whole, keep text back, or take time that grows faster than the reply.
//
//  1. [Read] takes a template apart into its parts: the anchors of each field, the
//     start anchor, and the patterns of content parsers, each with its path.
//  2. Texts are made from a part's syntax: what it matches, what begins like it, and
//     one within the other (words.go).
//  3. The rule by which the reference's streaming parser takes a marker for certain
//     is applied to every beginning of them (commit.go). Where it is certain of what
//     the whole text denies, replies are cut there; where it waits whatever comes,
//     text is kept back. A matcher that tries one path after another counts its steps
//     on texts that double (paths.go).
//  4. Each [Prediction] has a witness, a case that a reader of the report can run,
//     and [Confirm] asks the reference, or times it, whether it does what was
//     predicted. One that it does not do stays possible.
//
// The reference's rule is response_parser.py of Transformers, ResponseParser._scan
// and _can_grow. Positions are bytes.
package pattern
