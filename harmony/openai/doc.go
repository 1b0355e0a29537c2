// Package openai writes and reads OpenAI Harmony, the format of gpt-oss.
//
//  1. A [Request] is written in Go, or decoded from the body of a chat completion
//     ([DecodeRequest], [ParseRequest]).
//  2. [Render] gives the prompt, [AppendRender] appends it to a buffer, and
//     [RenderSpans] gives the text with the spans that the model wrote.
//     [RenderMarked] gives a prompt for a token.SafeEncoder, in whose ids a marker
//     that a caller writes is plain text.
//  3. [Library] writes conversations of the format's own messages, as OpenAI's library
//     takes them in JSON, the way that the library writes them.
//
// "The notes" are openai-harmony-notes.ja.md, the format's description. What they
// leave to the implementations is decided by the model's own chat template, byte
// for byte and with its errors; its quirks are told where they are written.
//
// Replies are read natively, without a response template:
//
//  1. [Parse] reads a whole reply, a [Parser] one that arrives; for every cut they
//     read the same. [ReadOptions] say how: strictly or leniently, with which tools.
//  2. Both give the format's own [Message]s, as they were written, and beside them
//     what a chat client sees (the fields of [MessageFields]): reasoning, content,
//     calls. A harmony/chat View shows it as chat completions do.
//  3. What does not fit is an error to a strict reader. A lenient one tells it as a
//     [harmony.Problem] and reads on: each byte is in a message, a marker, white
//     space between messages, or the span of a problem.
//  4. [Chat] makes messages of the chat form of them, with ids for the calls, and
//     [FromChat] the way back; [AppendHistory] writes them as history has them.
//
// DIFFERENCES.md lists where this reading is not that of OpenAI's own library, or of
// the response template, and why.
//
// A prompt says the day. It is given ([Request.Date]), never taken from the clock.
package openai
