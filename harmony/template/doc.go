// Package template is what Transformers' apply_chat_template does around a chat
// template, whatever the model: every native renderer stands on it.
//
//  1. [Begin] makes the checks that come before the template, in Transformers'
//     order, and puts the tag of continue_final_message behind the text that is
//     continued.
//  2. The renderer of the format writes the prompt. Reasoning comes to it under
//     the names of [Reasoning].
//  3. [Tail.Cut] ends the prompt where the text to continue ends.
//
// [MapText] passes each text of a caller through a function, which is how control
// tokens in them are made plain text (sanitize_control_tokens).
//
// Errors are *[Error]: the class and the text of the exception that Transformers
// raises. The source of all of it is transformers 5.24.0, utils/chat_template_utils.py,
// as response-template-spec.md, section 12, describes it.
package template
