// Package openai writes and reads OpenAI Harmony, the format of gpt-oss.
//
//  1. A [Request] is written in Go, or decoded from the body of a chat completion
//     ([DecodeRequest], [ParseRequest]).
//  2. [Render] gives the prompt, [AppendRender] appends it to a buffer, and
//     [RenderSpans] gives the text with the spans that the model wrote.
//
// "The notes" are openai-harmony-notes.ja.md, the format's description. What they
// leave to the implementations is decided by the model's own chat template, byte
// for byte and with its errors; its quirks are told where they are written.
//
// A prompt says the day. It is given ([Request.Date]), never taken from the clock.
package openai
