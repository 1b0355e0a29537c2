package engine

import (
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// checkDocuments refuses the further template argument documents where the
// library does before any template sees it: it walks over it and wants objects
// (render_jinja_template, Transformers 5.24.0). What it refuses before that, a
// conversation without messages and a prompt both begun and continued, is the
// renderer's to tell.
func checkDocuments(in *value.Object) (refused *corpus.Outcome) {
	get := func(key string) value.Value { v, _ := in.Get(key); return v }
	messages, more := get("messages"), get("template_kwargs")
	if !messages.Truthy() || get("continue_final_message").Truthy() && get("add_generation_prompt").Truthy() {
		return nil
	}
	v := more.Get("documents")
	raise := func(message string) *corpus.Outcome {
		return &corpus.Outcome{Kind: corpus.Raised, Class: "TypeError", Message: message, Offset: -1}
	}
	const notOne = "Documents should be a list of dicts with 'title' and 'text' keys!"
	switch v.Kind() {
	case value.KindNull:
		return nil
	case value.KindArray:
		list, _ := v.AsArray()
		for _, item := range list.All() {
			if item.Kind() != value.KindObject {
				return raise(notOne)
			}
		}
		return nil
	case value.KindString, value.KindObject: // their characters and keys are no objects
		if v.Truthy() {
			return raise(notOne)
		}
		return nil
	}
	return raise("'" + v.Kind().PyType() + "' object is not iterable")
}
