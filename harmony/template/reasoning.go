package template

import (
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Reasoning gives the three reasoning fields of a message as a template sees
// them, in the order of [harmony.ThinkingKeys], and whether there is any: the
// first that is there stands in for reasoning_content, and for a missing thinking.
func Reasoning(m *harmony.Message) (fields [3]value.Value, some bool) {
	var first value.Value
	for k, key := range harmony.ThinkingKeys() {
		fields[k], _ = m.Extra.Get(key)
		if m.Thinking != "" && key == m.ThinkingName() {
			fields[k] = value.String(m.Thinking)
		}
		if first.IsNull() {
			first = fields[k]
		}
	}
	if first.IsNull() {
		return fields, false
	}
	fields[0] = first
	if fields[1].IsNull() {
		fields[1] = first
	}
	return fields, true
}
