// Package response reads a model's replies by the response template that its
// checkpoint ships (transformers, response_template in tokenizer_config.json):
// any template, a reply in one piece or in chunks cut anywhere.
//
// The pipeline:
//
//  1. [Compile] checks a template, in the reference's order, and compiles its
//     anchors (package rx), content parsers and transforms. [Template.HeldBack] and
//     [Template.Backtracks] name the patterns that keep a stream from showing text,
//     and those that are linear only up to a limit.
//  2. [PrepareTools] reads the tools' schemas, by which arguments are typed, and
//     Options.Typing says by which rules (package typing).
//  3. [Template.NewParser] takes what the prompt wrote of the turn already (the
//     prefix behind its last start anchor), with the reference's own rule for
//     when a marker counts.
//  4. The machine (machine.go, anchors.go) looks for the anchors that may come
//     next: inside a region its close, outside every open. Text that can belong to
//     no marker any more, whatever follows, goes to the region; a marker is taken
//     when no continuation can change it. So events come as early as they can, and
//     are the same for every cut. In most chunks of a stream no anchor could begin,
//     and they are given on after one look (calm.go).
//  5. A region that closes goes through its content parser (content.go), its
//     transform (transform.go) and the typing of its calls (typing.go) into the
//     message.
//  6. [Parser.Finalize] ends the last region and drops empty fields; what the
//     message does not show becomes the reply's problems (problems.go).
//
// [Template.Parse] does 3 to 6 for a reply in one piece.
//
// The authority for values, events and errors is the reference's answer for the
// whole reply fed at once.
package response
