// Package chat shows a reply as OpenAI's chat completions do: whole, as a
// message with a finish reason, or as it comes, in deltas. It works on the
// events of any [harmony.Reader] and speaks no HTTP.
//
// The pipeline:
//
//  1. [NewView] is told the fields of the format's messages
//     (response.Template.MessageFields) and decides what each is used for:
//     content, reasoning or calls. A View may be shared by all replies.
//  2. [View.Stream] begins one reply. [Stream.Add] turns the events of each feed
//     into deltas. Those of the prefix (response.Parser.InitialEvents) may be
//     added first, so that the client sees what the prompt held of the turn.
//  3. [Stream.Finish] takes the reply and why it ended: it gives what only the
//     end can tell, and last the finish reason.
//  4. [View.AppendDelta] and [View.AppendChunk] write a delta as JSON:
//     choices[0].delta, or the whole choice.
//  5. [View.Completion] makes the same of a reply in one piece;
//     [View.AppendMessage] and [View.AppendChoice] write it.
//
// [View.Deltas] does 2 and 3 for a reader and its chunks, the prefix too.
//
// # Text
//
// Content and reasoning are the text of the message, not of the chunks: white
// space that the format strips around a region is not sent (so white space at
// the end of a chunk waits for what follows), a text that joins two regions is
// sent before the second one, and a field whose value is not its text (a number,
// JSON) is sent at the end of its region, as JSON. Each byte is sent once, as
// soon as that is certain.
//
// The deltas, put together, are what Completion gives, with one exception: what
// was sent cannot be taken back. Where a later region takes the place of an
// earlier one, the message has the later text and the client has both. So it is,
// too, where two fields of one use take turns. Stream.Differences tell of it.
//
// # Calls
//
// A call is sent whole, and only when it may run ([harmony.Call.Runnable]): when
// its close was seen, at once; else at the end of the reply, where it ended by
// itself with no argument open. Calls keep their order, so that behind one that
// waits the others wait. Those that may not run are never sent; they are in
// Withheld.
//
// Arguments are JSON text. A string is taken to be such text as it is; anything
// else is written as the tojson filter of chat templates does ([value.ToJSON]:
// spaces, characters outside ASCII as they are), so that they read in the next
// prompt as the model wrote them. Options.ASCII writes them as Transformers'
// server does, with json.dumps. No arguments are {}. As in Python, a NaN is
// written NaN.
//
// # The finish reason
//
// It is length where the limit of tokens ended the reply, calls or not; else
// tool_calls where a call was sent; else stop.
package chat
