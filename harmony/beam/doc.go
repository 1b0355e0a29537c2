// Package beam writes Beam Harmony prompts: what the chat template of the
// checkpoint renders, byte for byte, with its errors and their texts.
//
//  1. A [Request] is written in Go, or decoded from the body of an OpenAI-style
//     request ([DecodeRequest], [ParseRequest]). Whatever does not fit a field is
//     kept under its name, and rendering reports it where the template does.
//  2. [Check] tells what the request does that the page cautions against, though
//     it renders.
//  3. [Render] gives the prompt, [AppendRender] appends it to a buffer, and
//     [RenderSpans] gives the text with the spans that the model wrote, for
//     training. [RenderMarked] gives a prompt for a token.SafeEncoder, in whose
//     ids a marker that a caller writes is plain text.
//  4. A server generates until one of [StopTokens]. The reply, read by a
//     harmony.Reader, decodes into a message that goes back into Messages.
//
// "The page" is beam-harmony-format.md, the format's documentation. Where it is
// silent, a [Renderer] chooses by its [decide.Decisions]; the zero value chooses as
// the default checkpoint, which reference/checkpoint/README.md explains.
//
// # The model's own bytes
//
// A message rendered from its fields has the bytes that the model wrote only if
// the model wrote exactly as the template does. [harmony.Message.Raw] keeps them
// instead: all that the model generated for the turn after the generation
// prompt, from its first <|channel|> (or " to=") on, with or without the stop
// token that ended it. It is written behind <|start|>assistant as it is, so the
// next prompt begins with the last prompt and the model's own bytes. Where the
// last message in Raw is open, because a server cut the stop token off or the
// limit of tokens came first, the stop token of that message is added behind it:
// <|call|> for a call, else <|return|>. With Continue the last message stays
// open. The checks of an assistant turn are not made on Raw; its ToolCalls still
// name the speakers of results.
package beam
