package corpus

import (
	"fmt"
	"math"
	"slices"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// The keys of a parse case whose reply or prompt is ids, and of those that they
// stand for.
const (
	keyReply     = "reply"
	keyReplyIDs  = "reply_ids"
	keyPrefix    = "prefix"
	keyPrefixIDs = "prefix_ids"
)

// paddings are the values of padding beside true and false, as Transformers
// names them.
var paddings = []string{"longest", "max_length", "do_not_pad"}

// isIDs tells whether a parse case's reply is ids: then chunks count them.
func (c *Case) isIDs() bool {
	_, is := c.Input.Get(keyReplyIDs)
	return is
}

// readIDs takes a list of token ids.
func readIDs(d *decoder, at path, v value.Value, _ *Case) error {
	list, ok := v.AsArray()
	if !ok {
		return d.mustBe(at, "a list of token ids", v)
	}
	for i, id := range list.All() {
		if n, ok := id.AsInt(); !ok || n < 0 || n > math.MaxUint32 {
			return d.mustBe(at.with(i), "a token id (a whole number of 0 to 4294967295)", id)
		}
	}
	return nil
}

// readLength takes a number of tokens.
func readLength(d *decoder, at path, v value.Value, _ *Case) error {
	if n, ok := v.AsInt(); !ok || n < 0 || n > math.MaxInt32 {
		return d.mustBe(at, "a number of tokens (a whole number of 0 to 2147483647)", v)
	}
	return nil
}

func readPadding(d *decoder, at path, v value.Value, _ *Case) error {
	if s, ok := v.AsString(); v.Kind() == value.KindBool || ok && slices.Contains(paddings, s) {
		return nil
	}
	return d.mustBe(at, `true, false, "longest", "max_length" or "do_not_pad"`, v)
}

// checkReply checks that a parse case has its reply, and its prefix, as text or
// as ids but not as both.
func (d *decoder) checkReply(c *Case) error {
	if c.Kind != Parse {
		return nil
	}
	for _, keys := range [][2]string{{keyReply, keyReplyIDs}, {keyPrefix, keyPrefixIDs}} {
		_, text := c.Input.Get(keys[0])
		if _, ids := c.Input.Get(keys[1]); text && ids {
			return d.fail(path{keys[1]}, "stands beside "+quote(keys[0]), "give the text or the ids")
		}
	}
	if v, _ := c.Input.Get("chunks"); c.isIDs() && v.Kind() == value.KindObject {
		return d.fail(path{"chunks"}, "cuts a text in bytes, but the reply is ids", "cut it between ids, with a number or a list")
	}
	return nil
}

// size is the length of a parse case's reply in what its chunks count.
func (c *Case) size(bytes bool) (n int, unit string) {
	if v, is := c.Input.Get(keyReplyIDs); is {
		list, _ := v.AsArray()
		return list.Len(), "id"
	}
	v, _ := c.Input.Get(keyReply)
	text, _ := v.AsString()
	if bytes {
		return len(text), "byte"
	}
	return value.Len(text), "character"
}

// wantTokens checks the value of a mask or an encode case, an object of the
// text and, where they are wanted, its tokens.
func (d *decoder) wantTokens(c *Case, at path, v value.Value) error {
	needs, example := []string{"text", "spans"}, `{"text": ..., "spans": ...}`
	keys := []string{"text", "spans", "input_ids", "offsets", "assistant_masks", "attention_mask"}
	if c.Kind == EncodeIDs {
		needs, example = []string{"text"}, `{"text": ..., "input_ids": ...}`
		keys = []string{"text", "input_ids", "offsets", "attention_mask"}
	}
	o, ok := v.AsObject()
	if !ok {
		return d.mustBe(at, example, v)
	}
	for _, need := range needs {
		if _, has := o.Get(need); !has {
			return d.fail(at, "has no "+quote(need), fmt.Sprintf("the value of a case of kind %s has it", c.Kind))
		}
	}
	for name, v := range o.All() {
		at := at.with(name)
		var err error
		switch {
		case !slices.Contains(keys, name):
			err = d.fail(at, "is not a key of the value of "+string(c.Kind), advise(name, keys))
		case name == "text":
			err = readString(d, at, v, c)
		case name == "spans", name == "offsets":
			err = d.ranges(at, v, o)
		case name == "input_ids":
			err = readIDs(d, at, v, c)
		default:
			err = d.integers(at, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
