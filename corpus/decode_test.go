package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

const hash64 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// goodCases are texts that Decode and the schema both take.
var goodCases = []string{
	`{"messages": []}`,
	`[]`,
	`[{"id": "a", "messages": [{"role": "user"}]}, {"id": "b", "reply": ""}]`,
	`{"messages": [{}], "tools": null, "add_generation_prompt": false, "continue_final_message": true}`,
	`{"messages": [], "reasoning_effort": null, "model_identity": 5, "builtin_tools": "x", "allow_missing_thinking": {}}`,
	`{"messages": [], "template_kwargs": {"enable_thinking": true}, "date": "2026-02-28", "chat_template": ""}`,
	`{"messages": [], "date": "2026-02-28T23:59:59"}`,
	`{"kind": "render", "messages": [], "want": {"value": "x"}}`,
	`{"kind": "render", "messages": [], "want": {"error": {"class": "TemplateError", "message": ""}}}`,
	`{"kind": "mask", "messages": [], "want": {"value": {"text": "abc", "spans": [[0, 3], [3, 3]]}}}`,
	`{"kind": "mask", "messages": [], "want": {"value": {"input_ids": [1], "offsets": [[0, 1]], "assistant_masks": [1], "text": "a", "spans": []}}}`,
	`{"reply": "é", "prefix": null}`,
	`{"reply": "", "prefix": "", "tools": [{}], "stop": "length", "response_template": {}}`,
	`{"reply": "", "response_template": "x"}`,
	`{"reply": "", "response_template": [1.5, null]}`,
	`{"kind": "parse", "reply": "abc", "stop": {"token": "<|call|>"}, "chunks": 1}`,
	`{"reply": "abc", "chunks": []}`,
	`{"reply": "abc", "chunks": [1, 2]}`,
	`{"reply": "é", "chunks": {"bytes": [1]}}`,
	`{"reply": "\ud800\ud83d\ude00", "chunks": [1]}`,
	`{"reply": "a", "want": {"error": {"class": "ValueError"}}}`,
	`{"reply": "a", "want": {"value": {"role": "assistant"}}}`,
	`{"reply": "a", "chunks": 1, "want": {"value": {}, "stream": {"initial": [], "feeds": [[{}]], "final": [], "message": {}}}}`,
	`{"id": "a/b.c-d_e~1@2+3=4:5", "source": "", "why": "x", "format": "open-ai2", "domain": "documented", "checkpoint": "gpt-oss", "messages": []}`,
	`{"domain": "undocumented", "decision": "content-parts", "messages": []}`,
	`{"domain": "undocumented", "messages": [], "want": {"value": ""}, "checkpoint_hash": "` + hash64 + `"}`,
	`{"domain": "undocumented", "messages": [], "want": {"value": ""}, "checkpoint": "x"}`,
	`{"domain": "undocumented", "messages": [], "want": {"value": ""}, "chat_template": ""}`,
	`{"domain": "undocumented", "reply": "", "want": {"value": {}}, "response_template": {}}`,
}

type badCase struct {
	text, path, msg string
	loose           bool
}

// badCases are texts that Decode refuses, with the path and the end of the
// error. The schema refuses them too, but for those that loose says.
var badCases = []badCase{
	{`5`, "", "must be a case (an object), but is an integer: 5", false},
	{`[5]`, "[0]", "must be a case (an object), but is an integer: 5", false},
	{`{}`, "", `has no "messages" (a render case needs it)`, false},
	{`{"kind": "mask"}`, "", `has no "messages" (a mask case needs it)`, false},
	{`{"kind": "parse"}`, "", `has no "reply" (a parse case needs it)`, false},
	{`[{"messages": []}]`, "[0]", `has no "id" (each case of a list or a folder needs one)`, false},
	{`[{"id": "a", "messages": []}, {"id": "a", "messages": []}]`, "[1].id", `the id "a" is that of [0] too (ids are unique)`, true},
	{`{"mesages": []}`, "mesages", `is not a key of a case (did you mean "messages"?)`, false},
	{`{"replly": "x", "prefix": ""}`, "replly", `is not a key of a case (did you mean "reply"?)`, false},
	{`{"prefix": "", "replly": "x"}`, "replly", `is not a key of a case (did you mean "reply"?)`, false},
	{`{"messages": [], "reasoning-effort": 1}`, `["reasoning-effort"]`, `is not a key of a case (did you mean "reasoning_effort"?)`, false},
	{`{"messages": [], "zzz": 1}`, "zzz", `messages, model_identity, reasoning_effort, sanitize_control_tokens, template_kwargs, tools)`, false},
	{`{"messages": [], "stop": "length"}`, "stop", `is a key of parse cases, but this is a render case (set "kind", or leave the key out)`, false},
	{`{"reply": "", "date": "2026-01-01"}`, "date", `is a key of render cases, but this is a parse case (set "kind", or leave the key out)`, false},
	{`{"kind": "render", "messages": [], "reply": ""}`, "reply", `is a key of parse cases, but this is a render case (set "kind", or leave the key out)`, false},
	{`{"kind": "fuzz", "messages": []}`, "kind", `must be "render", "parse", "mask" or "encode", but is a string: "fuzz"`, false},
	{`{"kind": null, "messages": []}`, "kind", `must be "render", "parse", "mask" or "encode", but is null`, false},
	{`{"id": 5, "messages": []}`, "id", "must be a string, but is an integer: 5", false},
	{`{"id": "a b", "messages": []}`, "id", `cannot be "a b" (an id is names between slashes, of letters, digits and ._~@+=:-)`, false},
	{`{"id": "a/", "messages": []}`, "id", `cannot be "a/" (an id is names between slashes, of letters, digits and ._~@+=:-)`, false},
	{`{"id": "", "messages": []}`, "id", `cannot be "" (an id is names between slashes, of letters, digits and ._~@+=:-)`, false},
	{`{"source": [], "messages": []}`, "source", "must be a string, but is an array: []", false},
	{`{"why": null, "messages": []}`, "why", "must be a string, but is null", false},
	{`{"format": "Beam", "messages": []}`, "format", `cannot be "Beam" (a format is a name like beam)`, false},
	{`{"format": {}, "messages": []}`, "format", `must be a string, but is an object: {}`, false},
	{`{"domain": "other", "messages": []}`, "domain", `must be "documented" or "undocumented", but is a string: "other"`, false},
	{`{"domain": true, "messages": []}`, "domain", `must be a string, but is a boolean: true`, false},
	{`{"domain": "undocumented", "decision": "X", "messages": []}`, "decision", `cannot be "X" (a decision is a name like content-parts)`, false},
	{`{"decision": "x", "messages": []}`, "decision", `belongs to an undocumented case (set "domain": "undocumented")`, false},
	{`{"domain": "undocumented", "messages": [], "want": {"value": ""}}`, "want", `holds for one checkpoint, as the case is undocumented (name it: "checkpoint_hash")`, false},
	{`{"domain": "undocumented", "reply": "", "want": {"value": {}}}`, "want", `holds for one checkpoint, as the case is undocumented (name it: "checkpoint_hash")`, false},
	{`{"checkpoint": "", "messages": []}`, "checkpoint", `cannot be empty (leave it out for the run's checkpoint)`, false},
	{`{"checkpoint": 1.5, "messages": []}`, "checkpoint", `must be a string, but is a float: 1.5`, false},
	{`{"checkpoint_hash": "ABC", "messages": []}`, "checkpoint_hash", `must be a sha256 in 64 hex digits, but is "ABC"`, false},
	{`{"checkpoint_hash": false, "messages": []}`, "checkpoint_hash", `must be a string, but is a boolean: false`, false},
	{`{"messages": {}}`, "messages", "must be a list of messages, but is an object: {}", false},
	{`{"messages": "x"}`, "messages", `must be a list of messages, but is a string: "x"`, false},
	{`{"messages": [{}, "x"]}`, "messages[1]", `must be a message (an object), but is a string: "x"`, false},
	{`{"messages": [], "tools": {}}`, "tools", "must be a list of tools, or null, but is an object: {}", false},
	{`{"messages": [], "tools": [{}, null]}`, "tools[1]", "must be a tool (an object), but is null", false},
	{`{"messages": [], "add_generation_prompt": 1}`, "add_generation_prompt", "must be true or false, but is an integer: 1", false},
	{`{"messages": [], "continue_final_message": null}`, "continue_final_message", "must be true or false, but is null", false},
	{`{"messages": [], "template_kwargs": []}`, "template_kwargs", "must be an object, but is an array: []", false},
	{`{"messages": [], "template_kwargs": {"tools": []}}`, "template_kwargs.tools", "is a key of the case itself (move it out of template_kwargs)", false},
	{`{"messages": [], "template_kwargs": {"tokenize": true}}`, "template_kwargs.tokenize", "is an argument of apply_chat_template itself, which no template sees (leave it out)", false},
	{`{"messages": [], "date": "2026-02-30"}`, "date", `must be a date like 2026-01-31 or 2026-01-31T12:00:00, but is a string: "2026-02-30"`, false},
	{`{"messages": [], "date": "31.1.2026"}`, "date", `must be a date like 2026-01-31 or 2026-01-31T12:00:00, but is a string: "31.1.2026"`, false},
	{`{"messages": [], "date": 20260131}`, "date", `must be a date like 2026-01-31 or 2026-01-31T12:00:00, but is an integer: 20260131`, false},
	{`{"messages": [], "chat_template": null}`, "chat_template", "must be a string, but is null", false},
	{`{"reply": null}`, "reply", "must be a string, but is null", false},
	{`{"reply": "", "prefix": 5}`, "prefix", "must be a string or null, but is an integer: 5", false},
	{`{"reply": "", "tools": "x"}`, "tools", `must be a list of tools, or null, but is a string: "x"`, false},
	{`{"reply": "", "stop": "eos"}`, "stop", `must be "length" or {"token": "..."}, but is a string: "eos"`, false},
	{`{"reply": "", "stop": null}`, "stop", `must be "length" or {"token": "..."}, but is null`, false},
	{`{"reply": "", "stop": {}}`, "stop", `must be "length" or {"token": "..."}, but is an object: {}`, false},
	{`{"reply": "", "stop": {"tokn": "x"}}`, "stop.tokn", `is not a key of a stop (did you mean "token"?)`, false},
	{`{"reply": "", "stop": {"token": 200012}}`, "stop.token", `must be a string, but is an integer: 200012`, false},
	{`{"reply": "", "chunks": 0}`, "chunks", `must be a number of at least 1, a list of cuts, or {"bytes": [...]}, but is an integer: 0`, false},
	{`{"reply": "", "chunks": "1"}`, "chunks", `must be a number of at least 1, a list of cuts, or {"bytes": [...]}, but is a string: "1"`, false},
	{`{"reply": "", "chunks": 1.0}`, "chunks", `must be a number of at least 1, a list of cuts, or {"bytes": [...]}, but is a float: 1.0`, true},
	{`{"reply": "abc", "chunks": [0]}`, "chunks[0]", `is 0, but must be above 0 (cuts grow, from 1)`, false},
	{`{"reply": "abc", "chunks": [2, 2]}`, "chunks[1]", `is 2, but must be above 2 (cuts grow, from 1)`, false},
	{`{"reply": "abc", "chunks": [2, 1]}`, "chunks[1]", `is 1, but must be above 2 (cuts grow, from 1)`, true},
	{`{"reply": "abc", "chunks": ["1"]}`, "chunks[0]", `must be a whole number, but is a string: "1"`, false},
	{`{"reply": "éa", "chunks": [1, 2]}`, "chunks[1]", `is 2, but the reply has 2 characters (a cut lies inside the reply)`, true},
	{`{"chunks": [1], "reply": "a"}`, "chunks[0]", `is 1, but the reply has 1 character (a cut lies inside the reply)`, true},
	{`{"reply": "é", "chunks": {"bytes": [2]}}`, "chunks.bytes[0]", `is 2, but the reply has 2 bytes (a cut lies inside the reply)`, true},
	{`{"reply": "é", "chunks": {"bytes": 1}}`, "chunks.bytes", `but is an integer: 1`, false},
	{`{"reply": "é", "chunks": {"byte": [1]}}`, "chunks.byte", `is not a key of chunks (did you mean "bytes"?)`, false},
	{`{"messages": [], "want": "x"}`, "want", `must be {"value": ...} or {"error": {...}}, but is a string: "x"`, false},
	{`{"messages": [], "want": {}}`, "want", `must be {"value": ...} or {"error": {...}}, but is an object: {}`, false},
	{`{"messages": [], "want": {"val": ""}}`, "want.val", `is not a key of a want (did you mean "value"?)`, false},
	{`{"messages": [], "want": {"value": {}}}`, "want.value", `must be a string, but is an object: {}`, false},
	{`{"messages": [], "want": {"value": "", "error": {"class": "E", "message": ""}}}`, "want.error", `cannot stand beside the other (want a value or an error)`, false},
	{`{"messages": [], "want": {"value": "", "stream": {}}}`, "want.stream", `is not a key of a want (known are: value, error)`, false},
	{`{"messages": [], "want": {"error": "E"}}`, "want.error", `must be {"class": ..., "message": ...}, but is a string: "E"`, false},
	{`{"messages": [], "want": {"error": {"class": "E"}}}`, "want.error", `has no "message" (errors of rendering are compared by class and text)`, false},
	{`{"messages": [], "want": {"error": {"message": "E"}}}`, "want.error", `has no "class" (name the exception's class)`, false},
	{`{"messages": [], "want": {"error": {"class": "jinja2.E", "message": ""}}}`, "want.error.class", `must be the name of a Python exception class, without its module, but is a string: "jinja2.E"`, false},
	{`{"messages": [], "want": {"error": {"class": "E", "text": ""}}}`, "want.error.text", `is not a key of an error (known are: class, message)`, false},
	{`{"messages": [], "want": {"error": {"class": 5, "message": ""}}}`, "want.error.class", `must be a string, but is an integer: 5`, false},
	{`{"reply": "", "want": {"value": "x"}}`, "want.value", `must be an object, but is a string: "x"`, false},
	{`{"reply": "", "want": {"value": {}, "stream": {"initial": [], "feeds": [], "final": [], "message": {}}}}`, "want.stream", `needs "chunks" (it is what each feed gives)`, false},
	{`{"reply": "", "chunks": 1, "want": {"error": {"class": "E"}, "stream": {"initial": [], "feeds": [], "final": [], "message": {}}}}`, "want.stream", `cannot stand beside an error (a reply that raises has no stream to want)`, false},
	{`{"reply": "", "chunks": 1, "want": {"value": {}, "stream": {"initial": [], "feeds": [[]], "final": []}}}`, "want.stream", `has no "message"`, false},
	{`{"reply": "", "chunks": 1, "want": {"value": {}, "stream": {"initial": [], "feeds": {}, "final": [], "message": {}}}}`, "want.stream.feeds", `must be a list of lists of events, but is an object: {}`, false},
	{`{"reply": "", "chunks": 1, "want": {"value": {}, "stream": {"initial": [5], "feeds": [], "final": [], "message": {}}}}`, "want.stream.initial[0]", `must be an event (an object), but is an integer: 5`, false},
	{`{"reply": "", "chunks": 1, "want": {"value": {}, "stream": 5}}`, "want.stream", `must be an object, but is an integer: 5`, false},
	{`{"kind": "mask", "messages": [], "want": {"value": "x"}}`, "want.value", `must be {"text": ..., "spans": ...}, but is a string: "x"`, false},
	{`{"kind": "mask", "messages": [], "want": {"value": {"text": "x"}}}`, "want.value", `has no "spans" (the value of a case of kind mask has it)`, false},
	{`{"kind": "mask", "messages": [], "want": {"value": {"text": "x", "spans": [[0, 2]]}}}`, "want.value.spans[0]", `is not a range of the text, which has 1 character (offsets are characters, not bytes)`, true},
	{`{"kind": "mask", "messages": [], "want": {"value": {"text": "x", "spans": [[1, 0]]}}}`, "want.value.spans[0]", `is not a range of the text, which has 1 character (offsets are characters, not bytes)`, true},
	{`{"kind": "mask", "messages": [], "want": {"value": {"text": "x", "spans": [[0]]}}}`, "want.value.spans[0]", `must be [start, end], but is an array: [0]`, false},
	{`{"kind": "mask", "messages": [], "want": {"value": {"text": "x", "spans": [["0", 1]]}}}`, "want.value.spans[0]", `must be two whole numbers, but is an array: ["0", 1]`, false},
	{`{"kind": "mask", "messages": [], "want": {"value": {"text": "x", "spans": 5}}}`, "want.value.spans", `must be a list of [start, end], but is an integer: 5`, false},
	{`{"kind": "mask", "messages": [], "want": {"value": {"text": 5, "spans": []}}}`, "want.value.text", `must be a string, but is an integer: 5`, false},
	{`{"kind": "mask", "messages": [], "want": {"value": {"text": "x", "spans": [], "input_ids": ["a"]}}}`, "want.value.input_ids[0]", `must be a token id (a whole number of 0 to 4294967295), but is a string: "a"`, false},
	{`{"kind": "mask", "messages": [], "want": {"value": {"text": "x", "spans": [], "assistant_masks": 1}}}`, "want.value.assistant_masks", `must be a list of whole numbers, but is an integer: 1`, false},
	{`{"kind": "mask", "messages": [], "want": {"value": {"text": "x", "spans": [], "mask": []}}}`, "want.value.mask", `is not a key of the value of mask (known are: text, spans, input_ids, offsets, assistant_masks, attention_mask)`, false},
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile("schema/case.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("case.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("case.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(t *testing.T, schema *jsonschema.Schema, text string) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return schema.Validate(doc)
}

func TestDecodeGood(t *testing.T) {
	schema := compileSchema(t)
	for _, text := range slices.Concat(goodCases, goodTokens) {
		cases, err := Decode([]byte(text), "good.json")
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if err := validate(t, schema, text); err != nil {
			t.Errorf("the schema refuses %s: %v", text, err)
		}
		again, err := Encode(cases)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		back, err := Decode(again, "again.json")
		if err != nil {
			t.Errorf("%s: decoding what Encode wrote: %v", text, err)
			continue
		}
		if twice, _ := Encode(back); !bytes.Equal(again, twice) {
			t.Errorf("%s: encoded %s and then %s", text, again, twice)
		}
	}
}

func TestDecodeBad(t *testing.T) {
	schema := compileSchema(t)
	for _, tt := range slices.Concat(badCases, badTokens) {
		_, err := Decode([]byte(tt.text), "bad.json")
		var e *CaseError
		if !errors.As(err, &e) {
			t.Errorf("%s: no CaseError but %v", tt.text, err)
			continue
		}
		if e.Path != tt.path || !strings.HasSuffix(e.Error(), tt.msg) || e.File != "bad.json" {
			t.Errorf("%s:\n got %s\nwant %s: %s", tt.text, e, tt.path, tt.msg)
		}
		if at := tt.text[e.Offset:]; e.Offset < 0 || tt.path != "" && strings.ContainsAny(at[:1], ` :,]}`) {
			t.Errorf("%s: the offset %d is at %q", tt.text, e.Offset, at)
		}
		if err := validate(t, schema, tt.text); (err == nil) != tt.loose {
			t.Errorf("%s: the schema says %v; want a refusal: %v", tt.text, err, !tt.loose)
		}
	}
}

// The offset of a fault is that of its value, counted in bytes.
func TestDecodeOffsets(t *testing.T) {
	for _, tt := range []struct{ text, at string }{
		{`[{"id": "é", "messages": []}]`, `"é", `},
		{`[ {"id": "a", "messages": []} , {"id": "b", "messages": [{"k": "}\"]"}], "tools" : 5} ]`, `5} ]`},
		{`{"why": "\\", "reply": "x", "chunks": {"bytes": [ 1 ]}}`, `1 ]`},
		{`{"messages": [{"a": [1, 2.5e-3, true, null]}, "x"]}`, `"x"]`},
		{`{"a\u0062": 1, "messages": []}`, `1, "messages`},
	} {
		_, err := Decode([]byte(tt.text), "f")
		e, ok := err.(*CaseError)
		if !ok || !strings.HasPrefix(tt.text[e.Offset:], tt.at) {
			t.Errorf("%s: %v; want the offset of %s", tt.text, err, tt.at)
		}
	}
}

func TestDecodeNotJSON(t *testing.T) {
	for _, tt := range []struct {
		text   string
		offset int64
		msg    string
	}{
		{"", 0, "f: byte 0: is not JSON: Expecting value: line 1 column 1 (char 0)"},
		{`{"messages": [}`, 14, "f: byte 14: is not JSON: Expecting value: line 1 column 15 (char 14)"},
		{`{"é": NaN}`, 7, "f: byte 7: is not JSON: Expecting value (JSON has no NaN): line 1 column 7 (char 6)"},
		{`{"a": -Infinity}`, 6, "f: byte 6: is not JSON: Expecting value (JSON has no -Infinity): line 1 column 7 (char 6)"},
		{`[Infinity]`, 1, "f: byte 1: is not JSON: Expecting value (JSON has no Infinity): line 1 column 2 (char 1)"},
		{`{"messages": [], "messages": []}`, 17, `f: byte 17: is not JSON: Repeated name "messages": line 1 column 18 (char 17)`},
		{"\ufeff{}", 0, "f: byte 0: is not JSON: Unexpected UTF-8 BOM: line 1 column 1 (char 0) (save it as UTF-8 without a byte order mark)"},
		{`{"reply": ` + strings.Repeat("1", 5000) + `}`, 10, "an integer has 5000 digits, and Python converts no more than 4300"},
		{strings.Repeat("[", 2000), 1000, "f: byte 1000: is not JSON: arrays and objects are nested more than 1000 deep"},
	} {
		_, err := Decode([]byte(tt.text), "f")
		e, ok := err.(*CaseError)
		if !ok || e.Offset != tt.offset || !strings.HasSuffix(e.Error(), tt.msg) || e.Err == nil {
			t.Errorf("%.40q: %v; want %s", tt.text, err, tt.msg)
		}
	}
	var utf *harmony.UTF8Error
	_, err := Decode([]byte("{\"reply\": \"a\xff\"}"), "f")
	if !errors.As(err, &utf) || utf.Offset != 12 || err.(*CaseError).Offset != 12 {
		t.Errorf("a byte that is not UTF-8: %v", err)
	}
	var syntax *value.SyntaxError
	if _, err := Decode([]byte("["), "f"); !errors.As(err, &syntax) {
		t.Errorf("the cause is lost: %v", err)
	}
}

func TestDecodeOne(t *testing.T) {
	for _, tt := range []struct {
		text string
		kind Kind
		want string // id and kind, or the error
	}{
		{`{"messages": []}`, Render, "case-one render"},
		{`{"messages": []}`, Mask, "case-one mask"},
		{`{"reply": ""}`, Parse, "case-one parse"},
		{`{"id": "x", "kind": "mask", "messages": []}`, Mask, "x mask"},
		{`[{"messages": []}]`, Render, "case-one render"},
		{`{"reply": ""}`, Render, "dir/case one.json: byte 10: reply: is a key of parse cases, but this is a render case (set \"kind\", or leave the key out)"},
		{`{"kind": "mask", "messages": []}`, Render, `dir/case one.json: byte 9: kind: is "mask", but a render case is asked for (use the verb mask)`},
		{`[]`, Render, "dir/case one.json: byte 0: holds no case (its list is empty)"},
		{`[{}, {}]`, Render, "dir/case one.json: byte 0: must be one case, but is a list of 2 cases (diff runs lists; this verb takes one)"},
	} {
		c, err := DecodeOne([]byte(tt.text), "dir/case one.json", tt.kind)
		got := fmt.Sprint(c.ID, " ", c.Kind)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s as %s:\n got %s\nwant %s", tt.text, tt.kind, got, tt.want)
		}
	}
}

// Input holds the keys of the kind, in their order, and nothing else.
func TestDecodeInput(t *testing.T) {
	cases, err := Decode([]byte(`{"id": "a", "prefix": null, "want": {"value": {}}, "reply": "x", "stop": "length", "why": "y"}`), "f")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := value.Dumps(cases[0].Input.Value()), `{"prefix": null, "reply": "x", "stop": "length"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if w := cases[0].Want; w == nil || w.Kind != OK || value.Dumps(w.Value) != "{}" {
		t.Errorf("want is %+v", w)
	}
}

// A word far from every key lists them; a near one is named.
func TestAdvise(t *testing.T) {
	for word, want := range map[string]string{
		"Reply": `did you mean "reply"?`, "repyl": `did you mean "reply"?`, "x": "known are: reply, id", "": "known are: reply, id",
	} {
		if got := advise(word, []string{"reply", "id"}); got != want {
			t.Errorf("advise(%q) = %s, want %s", word, got, want)
		}
	}
}

// A long name or text is told by its beginning.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("é", 50_000)
	for _, text := range []string{
		`{"messages": [], "` + long + `": 1}`,
		`{"messages": [], "id": "` + long + `"}`,
		`{"messages": [], "template_kwargs": {"messages": 1}, "want": {"` + long + `": 1}}`,
		`{"messages": [], "` + long + `": 1, "` + long + `": 1}`,
	} {
		_, err := Decode([]byte(text), "f")
		if err == nil || len(err.Error()) > 1000 || !utf8.ValidString(err.Error()) {
			t.Errorf("%.60s: %.2000v", text, err)
		}
	}
}
