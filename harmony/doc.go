// Package harmony holds what every chat format shares: the messages of a
// conversation, the tools a model may call, and what a reader of the model's
// replies gives back. It knows no format. The formats stand beside it:
//
//   - [github.com/beamdiff/beamdiff/harmony/beam] renders Beam Harmony prompts;
//   - [github.com/beamdiff/beamdiff/harmony/openai] renders and reads OpenAI
//     Harmony, the format of gpt-oss;
//   - [github.com/beamdiff/beamdiff/harmony/template] is what Transformers does
//     around any chat template; renderers stand on it;
//   - [github.com/beamdiff/beamdiff/harmony/response] reads the replies of any
//     checkpoint that ships a response template;
//   - [github.com/beamdiff/beamdiff/harmony/chat] shows what any reader reads as
//     OpenAI's chat completions do, whole and in deltas;
//   - [github.com/beamdiff/beamdiff/harmony/typing] gives the arguments of calls
//     the types that the tools' schemas declare, by the rules of each family;
//   - [github.com/beamdiff/beamdiff/harmony/token] reads replies from token ids,
//     and masks and checks the ids of conversations;
//   - [github.com/beamdiff/beamdiff/harmony/value] is the ordered JSON that all
//     of them speak.
//
// A turn goes round like this:
//
//  1. A request in OpenAI's form is decoded: [DecodeMessage], [DecodeTool].
//     Nothing of it is dropped; what has no field of its own stays in Extra.
//  2. A renderer writes the prompt from messages and tools.
//  3. The model's text is fed to a [Reader], which gives [Event]s as it goes and
//     a [Reply] at the end: the message as the format's reference reads it, and
//     the [Problem]s that the person should hear of. [Events] is the same as an
//     iterator, [Writer] as an io.WriteCloser.
//  4. [Reply.History] makes a [Message] of it that goes back into the
//     conversation, with the model's own text; [Message.GiveCallIDs] gives its
//     calls IDs.
//
// Text is bytes: offsets and spans are bytes of UTF-8 text, nothing is trimmed
// or normalised, and input that is not UTF-8 is refused with a [UTF8Error].
package harmony
