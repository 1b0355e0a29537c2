package corpus

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// reader checks the value of one input key. c.Input holds what was read so far.
type reader func(d *decoder, at path, v value.Value, c *Case) error

// inputKeys are what an engine is asked, by kind. A template argument may be
// anything: what the template says to a wrong one is a case too.
var inputKeys = func() map[Kind]map[string]reader {
	render := map[string]reader{
		"messages":               readMessages,
		"tools":                  readTools,
		"add_generation_prompt":  readBool,
		"continue_final_message": readBool,
		"reasoning_effort":       readAny,
		"model_identity":         readAny,
		"builtin_tools":          readAny,
		"allow_missing_thinking": readAny,
		"template_kwargs":        readObject,
		"date":                   readDate,
		"chat_template":          readString,

		"sanitize_control_tokens": readBool,
	}
	tokens := maps.Clone(render)
	tokens["truncation"] = readBool
	tokens["max_length"] = readLength
	tokens["padding"] = readPadding
	return map[Kind]map[string]reader{
		Render:    render,
		Mask:      tokens,
		EncodeIDs: tokens,
		Parse: {
			keyReply:            readString,
			keyReplyIDs:         readIDs,
			keyPrefix:           readStringOrNull,
			keyPrefixIDs:        readIDs,
			"tools":             readTools,
			"stop":              readStop,
			"chunks":            readChunks,
			"response_template": readAny, // what a wrong one raises is a case too
		},
	}
}()

// inputNames are the names of the input keys of a kind, sorted.
func inputNames(k Kind) []string {
	var names []string
	for name := range inputKeys[k] {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// checkKeys refuses a key that cases of no kind have.
func (d *decoder) checkKeys(o *value.Object) error {
	known := slices.Clone(ownKeys)
	for _, kind := range []Kind{Mask, Parse} { // a mask case has the keys of render and encode
		for _, name := range inputNames(kind) {
			if !slices.Contains(known, name) {
				known = append(known, name)
			}
		}
	}
	for key := range o.All() {
		if !slices.Contains(known, key) {
			return d.fail(path{key}, notAKey, advise(key, known))
		}
	}
	return nil
}

const notAKey = "is not a key of a case"

func readAny(*decoder, path, value.Value, *Case) error { return nil }

func readString(d *decoder, at path, v value.Value, _ *Case) error {
	if v.Kind() != value.KindString {
		return d.mustBe(at, "a string", v)
	}
	return nil
}

func readStringOrNull(d *decoder, at path, v value.Value, _ *Case) error {
	if v.Kind() != value.KindString && !v.IsNull() {
		return d.mustBe(at, "a string or null", v)
	}
	return nil
}

func readBool(d *decoder, at path, v value.Value, _ *Case) error {
	if v.Kind() != value.KindBool {
		return d.mustBe(at, "true or false", v)
	}
	return nil
}

func readObject(d *decoder, at path, v value.Value, _ *Case) error {
	if v.Kind() != value.KindObject {
		return d.mustBe(at, "an object", v)
	}
	return nil
}

// readMessages takes a list of objects; what is in them is for the renderer to
// judge.
func readMessages(d *decoder, at path, v value.Value, _ *Case) error {
	list, ok := v.AsArray()
	if !ok {
		return d.mustBe(at, "a list of messages", v)
	}
	for i, m := range list.All() {
		if m.Kind() != value.KindObject {
			return d.mustBe(at.with(i), "a message (an object)", m)
		}
	}
	return nil
}

// readTools takes a list of objects, or null for none.
func readTools(d *decoder, at path, v value.Value, _ *Case) error {
	if v.IsNull() {
		return nil
	}
	list, ok := v.AsArray()
	if !ok {
		return d.mustBe(at, "a list of tools, or null", v)
	}
	for i, t := range list.All() {
		if t.Kind() != value.KindObject {
			return d.mustBe(at.with(i), "a tool (an object)", t)
		}
	}
	return nil
}

func readDate(d *decoder, at path, v value.Value, _ *Case) error {
	s, _ := v.AsString()
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil && t.Format(layout) == s {
			return nil
		}
	}
	return d.mustBe(at, "a date like 2026-01-31 or 2026-01-31T12:00:00", v)
}

func readStop(d *decoder, at path, v value.Value, _ *Case) error {
	if s, ok := v.AsString(); ok && s == "length" {
		return nil
	}
	const want = `"length" or {"token": "..."}`
	o, ok := v.AsObject()
	if !ok {
		return d.mustBe(at, want, v)
	}
	for name, v := range o.All() {
		if name != "token" {
			return d.fail(at.with(name), "is not a key of a stop", advise(name, []string{"token"}))
		}
		if v.Kind() != value.KindString {
			return d.mustBe(at.with(name), "a string", v)
		}
	}
	if o.Len() == 0 {
		return d.mustBe(at, want, v)
	}
	return nil
}

// readChunks takes a number of characters a chunk, a list of cuts in
// characters, or {"bytes": cuts in bytes}; of ids, numbers of ids. Cuts are checked against the reply
// in [decoder.checkCuts], since it may follow.
func readChunks(d *decoder, at path, v value.Value, _ *Case) error {
	if n, ok := v.AsInt(); ok && n >= 1 {
		return nil
	}
	const want = `a number of at least 1, a list of cuts, or {"bytes": [...]}`
	if o, ok := v.AsObject(); ok {
		for name := range o.All() {
			if name != "bytes" {
				return d.fail(at.with(name), "is not a key of chunks", advise(name, []string{"bytes"}))
			}
		}
		if o.Len() == 0 {
			return d.mustBe(at, want, v)
		}
		at, v = at.with("bytes"), v.Get("bytes")
	}
	list, ok := v.AsArray()
	if !ok {
		return d.mustBe(at, want, v)
	}
	last := int64(0)
	for i, cut := range list.All() {
		n, ok := cut.AsInt()
		if !ok {
			return d.mustBe(at.with(i), "a whole number", cut)
		}
		if n <= last {
			return d.fail(at.with(i), fmt.Sprintf("is %d, but must be above %d", n, last), "cuts grow, from 1")
		}
		last = n
	}
	return nil
}

// reserved are the arguments of what passes the template's on to it
// (apply_chat_template and render_jinja_template, Transformers 5.24.0): under
// these names nothing comes to the template, or Python refuses the call.
// documents comes to it.
var reserved = []string{"conversation", "conversations", "max_length", "padding", "return_assistant_tokens_mask", "return_dict",
	"return_tensors", "self", "tokenize", "tokenizer_kwargs", "truncation"}

// checkKwargs checks that no further template argument has a key of its own, and
// that each comes to the template.
func (d *decoder) checkKwargs(c *Case) error {
	v, _ := c.Input.Get("template_kwargs")
	o, _ := v.AsObject()
	for name := range o.All() {
		if _, has := inputKeys[c.Kind][name]; has {
			return d.fail(path{"template_kwargs", name}, "is a key of the case itself", "move it out of template_kwargs")
		}
		if slices.Contains(reserved, name) {
			return d.fail(path{"template_kwargs", name}, "is an argument of apply_chat_template itself, which no template sees", "leave it out")
		}
	}
	return nil
}

// checkCuts checks that the last cut lies inside the reply.
func (d *decoder) checkCuts(c *Case) error {
	v, _ := c.Input.Get("chunks")
	at := path{"chunks"}
	size, unit := c.size(v.Kind() == value.KindObject)
	if v.Kind() == value.KindObject {
		at, v = at.with("bytes"), v.Get("bytes")
	}
	list, ok := v.AsArray()
	if !ok || list.Len() == 0 {
		return nil
	}
	last := list.Len() - 1
	if n, _ := list.At(last).AsInt(); n >= int64(size) {
		return d.fail(at.with(last), fmt.Sprintf("is %d, but the reply has %s", n, count(size, unit)), "a cut lies inside the reply")
	}
	return nil
}

// count writes a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

func quote(s string) string { return string(value.PyDumps.AppendString(nil, clip(s))) }

// clip is a text for a message: of a long one the beginning, and its length.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	n := most / 2
	for n > 0 && s[n]&0xc0 == 0x80 { // inside a character
		n--
	}
	return s[:n] + fmt.Sprintf("... (%d bytes)", len(s))
}
