package engine

import (
	"errors"
	"math"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// parseCase is the keys of a parse case.
type parseCase struct {
	reply  string
	ids    []token.ID // the reply as ids, of which reply is the text; nil where it came as text
	prefix *string
	tools  *response.Tools
	stop   harmony.Stop
	chunks value.Value

	vocabulary *token.Vocabulary // where there are ids
	warnings   []string          // of ids that stand for nothing
}

// The keys of a parse case that hold ids.
const (
	keyReplyIDs  = "reply_ids"
	keyPrefixIDs = "prefix_ids"
)

func (n *Native) readCase(in *value.Object) (c parseCase, problem *corpus.Outcome) {
	bad := func(format string, args ...any) (parseCase, *corpus.Outcome) {
		o := wrong(format, args...)
		return parseCase{}, &o
	}
	if c.ids, c.reply, problem = n.ids(&c, in, keyReplyIDs); problem != nil {
		return c, problem
	}
	if c.ids == nil {
		v, _ := in.Get("reply")
		reply, ok := v.AsString()
		if !ok {
			return bad("reply must be a string")
		}
		c.reply = reply
	}
	ids, prefix, problem := n.ids(&c, in, keyPrefixIDs)
	if problem != nil {
		return c, problem
	}
	if ids != nil {
		c.prefix = &prefix
	} else if v, _ := in.Get("prefix"); !v.IsNull() {
		prefix, ok := v.AsString()
		if !ok {
			return bad("prefix must be a string")
		}
		c.prefix = &prefix
	}
	if v, _ := in.Get("tools"); !v.IsNull() {
		list, ok := v.AsArray()
		if !ok {
			return bad("tools must be a list")
		}
		var defs []value.Value
		for _, def := range list.All() {
			defs = append(defs, def)
		}
		c.tools = response.PrepareTools(defs)
	}
	if v, _ := in.Get("stop"); !v.IsNull() {
		stop, ok := stopOf(v)
		if !ok {
			return bad(`stop must be "length" or {"token": TEXT}`)
		}
		c.stop = stop
	}
	c.chunks, _ = in.Get("chunks")
	return c, nil
}

// ids gives the ids under a key and their text; ids are nil where there is no
// such key.
func (n *Native) ids(c *parseCase, in *value.Object, key string) (ids []token.ID, text string, problem *corpus.Outcome) {
	v, has := in.Get(key)
	if !has {
		return nil, "", nil
	}
	vocabulary, err := n.tokenizer.vocabulary()
	if err != nil {
		o := cannot("ids cannot be read: " + err.Error())
		return nil, "", &o
	}
	list, ok := v.AsArray()
	ids = make([]token.ID, 0, list.Len())
	for _, item := range list.All() {
		id, isID := item.AsInt()
		ok = ok && isID && 0 <= id && id <= math.MaxUint32
		ids = append(ids, token.ID(id))
	}
	if !ok {
		o := wrong("%s must be a list of token ids", key)
		return nil, "", &o
	}
	c.vocabulary = vocabulary
	text, err = vocabulary.Decode(ids, token.DecodeOptions{})
	var unknown *token.UnknownIDError
	switch {
	case errors.As(err, &unknown): // the reference leaves it out and is silent
		c.warnings = append(c.warnings, key+": "+err.Error())
	case err != nil:
		o := failed(err.Error())
		return nil, "", &o
	}
	return ids, text, nil
}

func stopOf(v value.Value) (harmony.Stop, bool) {
	if word, ok := v.AsString(); ok {
		return harmony.StopLength(), word == "length"
	}
	token, ok := v.Get("token").AsString()
	return harmony.StopToken(token), ok
}

// badChunks is a way of cutting that is none.
func badChunks(chunks value.Value) *corpus.Outcome {
	o := wrong("chunks must be a number of characters, of ids in a reply of ids, or a rising list of positions in it, not %s", value.Dumps(chunks))
	return &o
}

// positions are the places, rising, of 0 to n, at which chunks cut a reply of n
// units: none where it is whole.
func positions(chunks value.Value, n int) (at []int, ok bool) {
	if chunks.IsNull() {
		return nil, true
	}
	if chunks.Kind() == value.KindInt {
		size, ok := chunks.AsInt()
		if !ok || size < 1 {
			return nil, false
		}
		for next := size; next < int64(n); next += size {
			at = append(at, int(next))
		}
		return at, true
	}
	list, ok := chunks.AsArray()
	if !ok {
		return nil, false
	}
	last := int64(0)
	for _, v := range list.All() {
		p, isInt := v.AsInt()
		if !isInt || p < last || p > int64(n) {
			return nil, false
		}
		at, last = append(at, int(p)), p
	}
	return at, true
}

// cut gives the pieces of a reply: whole where chunks is null; of a number of
// characters each; between rising positions in characters; or between positions
// in bytes, also inside a character.
func cut(reply string, chunks value.Value) (pieces []string, problem *corpus.Outcome) {
	inBytes := chunks.Kind() == value.KindObject
	n, places := len(reply), chunks.Get("bytes")
	if !inBytes {
		n, places = value.Len(reply), chunks
	}
	at, ok := positions(places, n)
	if !ok || inBytes && places.Kind() != value.KindArray {
		return nil, badChunks(chunks)
	}
	index := corpus.NewIndex(reply)
	from := 0
	for _, to := range at {
		if !inBytes {
			to, _ = index.Byte(to)
		}
		pieces = append(pieces, reply[from:to])
		from = to
	}
	return append(pieces, reply[from:]), nil
}

// cutIDs gives the pieces of a reply of ids.
func cutIDs(ids []token.ID, chunks value.Value) (pieces [][]token.ID, problem *corpus.Outcome) {
	at, ok := positions(chunks, len(ids))
	if !ok {
		return nil, badChunks(chunks)
	}
	from := 0
	for _, to := range at {
		pieces = append(pieces, ids[from:to])
		from = to
	}
	return append(pieces, ids[from:]), nil
}
