// Package law holds a checkpoint's own templates against laws that need no second
// template: whatever the model, a prompt keeps the order of its messages, a reply
// that the template itself writes is read back, and so on.
//
//  1. A [Subject] is a checkpoint behind an engine, with its templates.
//  2. [Shapes] are the conversations that OpenAI-compatible clients send.
//  3. Each [Law] asks the engine what it needs (answers are shared among the laws,
//     [Asker]) and says for each shape whether it held.
//  4. [Check] collects what broke, withdraws what comes from the caller's own text,
//     groups it by cause and fills a report.
package law
