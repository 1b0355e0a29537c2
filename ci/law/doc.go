// Package law holds a checkpoint's own templates against laws that need no second
// template: whatever the model, a prompt keeps the order of its messages, a reply
// that the template itself writes is read back, and so on.
//
//  1. A [Subject] is a checkpoint behind an engine, with its templates: [Of] makes
//     one of a loaded checkpoint, [Inline] one of a chat template alone, which any
//     engine can be asked about.
//  2. [Shapes] are the conversations that OpenAI-compatible clients send.
//  3. Each [Law] asks the engine what it needs (answers are shared among the laws,
//     [Answers]) and says for each case whether it held.
//  4. [Check] collects what broke, groups it by cause and fills a report.
//
// What comes from the caller's own text is not the template's fault: every law
// withdraws it before it judges.
package law
