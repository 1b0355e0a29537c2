// Package checkpoint reads what of a checkpoint shapes prompts and replies: its
// chat template, its response template, its tokenizer's bytes and special
// tokens. It runs nothing and needs no Python.
//
//  1. [Default] is the reconstruction of Beam's own checkpoint in beam/ (see
//     README.md there); [Named] gives the same with another tokenizer; [Load]
//     reads any directory.
//  2. [Checkpoint.Hash] names the content, as PROTOCOL.md defines it.
//  3. [Checkpoint.Format] says of which format it is.
//  4. [Checkpoint.Write] puts a shipped one on disk, for programs that need a
//     directory.
package checkpoint
