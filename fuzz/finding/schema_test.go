package finding

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A finding's file is what the schema says, with and without each of its parts;
// and the schema refuses what is not one.
func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("schema/finding.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	valid := func(data string) error {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(data)))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(doc)
	}
	f := found(t, &saying{name: "native"}, &saying{name: "reference"})
	f.Also = []Signature{"other"}
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := valid(string(data)); err != nil {
		t.Error(err)
	}
	for old, new := range map[string]string{
		`"finding": 1`:            `"finding": 2`,
		`"kind": "value differs"`: `"kind": "same"`,
		`"stable": `:              `"steady": `,
		`"ok": `:                  `"other": `,
		`"seed": "`:               `"seed": "-`,
	} {
		text := strings.Replace(string(data), old, new, 1)
		if text == string(data) || valid(text) == nil {
			t.Errorf("%s in the place of %s is not refused", new, old)
		}
	}
}
