// Package fuzz makes replies that are hard to read and judges what readers make
// of them.
//
// The pipeline:
//
//  1. A [Source] gives choices: from a seed, or from the bytes of a fuzzer.
//  2. [Templates] are the response templates to try: this package's own, which
//     between them use every key and construct, and those of checkpoints. From
//     a template's anchors the shape of its replies is read (shape.go).
//  3. A generator makes an [Input]: a well-formed reply of many regions
//     ([Generate]) or of one construct ([GenerateOne]), with a prefix and tools.
//     [Mutate] breaks it at its markers; [Cuts] are ways of cutting it.
//  4. A [Subject] reads the input. The oracles (oracle.go and after) compare
//     what it gave with what must hold for every reply and tell a [Violation].
//  5. A [Differ] asks the reference about the same input and tells each
//     [Difference], with all that is needed to try it again.
//  6. [Stats] count what was reached, so that a generator that reaches too
//     little is a failure too.
//
// The other way, from messages to a prompt, is beside it: package conversation makes
// requests, package render holds renderers to their laws and compares them with the
// reference. Package tokens does so with ids. Package campaign lets engines answer
// what these generate for hours, and package finding is what that leaves; package
// mutation damages templates. Package suite is what the tests of all of them share.
//
// Generators know nothing of oracles, and neither knows which fuzzer drives
// them: the fuzz targets are a few lines each.
package fuzz
