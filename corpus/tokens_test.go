package corpus

// goodTokens are further texts that Decode and the schema both take: those of
// token ids.
var goodTokens = []string{
	`{"kind": "encode", "messages": [], "sanitize_control_tokens": true, "want": {"value": {"text": "a", "input_ids": [4294967295], "offsets": [[0, 1]], "attention_mask": [1]}}}`,
	`{"kind": "encode", "messages": [], "want": {"value": {"text": "\ud800"}}}`,
	`{"kind": "encode", "messages": [], "want": {"error": {"class": "ValueError", "message": "x"}}}`,
	`{"kind": "mask", "messages": [], "truncation": true, "max_length": 0, "padding": true}`,
	`{"kind": "mask", "messages": [], "padding": "max_length", "want": {"value": {"text": "", "spans": [], "attention_mask": [0]}}}`,
	`{"messages": [], "sanitize_control_tokens": false}`,
	`{"reply_ids": [], "prefix_ids": []}`,
	`{"kind": "parse", "reply_ids": [1, 2, 3], "prefix": null, "chunks": [1, 2]}`,
	`{"reply": "a", "prefix_ids": [0], "chunks": {"bytes": []}}`,
	`{"reply_ids": [1], "chunks": 1, "want": {"value": {}, "stream": {"initial": [], "feeds": [[]], "final": [], "message": {}}}}`,
}

// badTokens are further texts that Decode refuses.
var badTokens = []badCase{
	{`{"reply": "", "reply_ids": []}`, "reply_ids", `stands beside "reply" (give the text or the ids)`, false},
	{`{"reply": "", "prefix": "", "prefix_ids": []}`, "prefix_ids", `stands beside "prefix" (give the text or the ids)`, false},
	{`{"kind": "parse", "prefix_ids": []}`, "", `has no "reply" (a parse case needs it)`, false},
	{`{"reply_ids": [-1]}`, "reply_ids[0]", `must be a token id (a whole number of 0 to 4294967295), but is an integer: -1`, false},
	{`{"reply_ids": [0, 4294967296]}`, "reply_ids[1]", `must be a token id (a whole number of 0 to 4294967295), but is an integer: 4294967296`, false},
	{`{"reply_ids": [true]}`, "reply_ids[0]", `must be a token id (a whole number of 0 to 4294967295), but is a boolean: true`, false},
	{`{"reply_ids": "abc"}`, "reply_ids", `must be a list of token ids, but is a string: "abc"`, false},
	{`{"reply_ids": [], "prefix_ids": null}`, "prefix_ids", `must be a list of token ids, but is null`, false},
	{`{"reply_ids": [5, 6], "chunks": [2]}`, "chunks[0]", `is 2, but the reply has 2 ids (a cut lies inside the reply)`, true},
	{`{"reply_ids": [5, 6], "chunks": {"bytes": [1]}}`, "chunks", `cuts a text in bytes, but the reply is ids (cut it between ids, with a number or a list)`, false},
	{`{"messages": [], "truncation": true}`, "truncation", `is a key of mask cases, but this is a render case (set "kind", or leave the key out)`, false},
	{`{"kind": "mask", "messages": [], "truncation": 1}`, "truncation", `must be true or false, but is an integer: 1`, false},
	{`{"kind": "mask", "messages": [], "max_length": -1}`, "max_length", `must be a number of tokens (a whole number of 0 to 2147483647), but is an integer: -1`, false},
	{`{"kind": "mask", "messages": [], "max_length": 2147483648}`, "max_length", `must be a number of tokens (a whole number of 0 to 2147483647), but is an integer: 2147483648`, false},
	{`{"kind": "encode", "messages": [], "padding": "shortest"}`, "padding", `must be true, false, "longest", "max_length" or "do_not_pad", but is a string: "shortest"`, false},
	{`{"kind": "encode", "messages": [], "sanitize_control_tokens": "yes"}`, "sanitize_control_tokens", `must be true or false, but is a string: "yes"`, false},
	{`{"kind": "encode", "messages": [], "template_kwargs": {"padding": true}}`, "template_kwargs.padding", `is a key of the case itself (move it out of template_kwargs)`, false},
	{`{"kind": "encode", "messages": [], "want": {"value": "x"}}`, "want.value", `must be {"text": ..., "input_ids": ...}, but is a string: "x"`, false},
	{`{"kind": "encode", "messages": [], "want": {"value": {"input_ids": [1]}}}`, "want.value", `has no "text" (the value of a case of kind encode has it)`, false},
	{`{"kind": "encode", "messages": [], "want": {"value": {"text": "", "spans": []}}}`, "want.value.spans", `is not a key of the value of encode (known are: text, input_ids, offsets, attention_mask)`, false},
}
