// Package openai is OpenAI's own library for OpenAI Harmony (openai-harmony of
// PyPI, Rust inside) as an engine.
//
//  1. [Open] sets up the embedded Python with the library's own lock, fetches the
//     vocabulary that it wants, and runs worker.py in a pool of processes (package
//     engine).
//  2. The worker speaks PROTOCOL.md over conversations in the library's own form.
//
// A case has "conversation", as Conversation.to_dict writes it. To render: "form"
// (completion, the default; training; plain), "auto_drop_analysis" (true by default)
// and "next_role" (assistant by default). To parse: "reply" or "reply_ids", "role"
// (assistant by default; null is none) and "strict" (true by default); the message is
// {"messages": […]}, each as Message.to_dict writes it. The operation tokenwise reads
// a token at a time, and gives of each the state of the parser and its delta.
// Messages of the chat form are answered with "cannot".
package openai
