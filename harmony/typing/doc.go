// Package typing gives the arguments of calls their types. Many formats write
// an argument as bare text, and only the tool's schema says whether 7 is a
// number, a text or a truth value; each family has rules of its own for that.
//
//  1. [Prepare] reads the tools' schemas once, for any number of replies.
//  2. A [Policy] says what value an argument's text stands for: [Reference] as
//     transformers does it for response templates, [Literals] for the formats
//     whose templates print values as Python does. Others may be written.
//  3. [Tool.Type] types the arguments of one call by a policy, in place, and
//     tells each [Change] for whom it may matter.
//  4. [Tool.Check] says which arguments the tool would not take, whatever the
//     policy.
package typing
