package ci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// tokens asks for an answer with token ids and gives it as a line of JSON. An
// engine that has none ends the command with exit code 3.
func (t *terminal) tokens(ctx context.Context, e engine.Engine, op engine.Op, in *value.Object) (string, error) {
	answer, err := t.ask(ctx, e, op, in)
	if err != nil {
		return "", err
	}
	if !answer.Get("input_ids").IsNull() {
		return inBytes(e, answer)
	}
	if text, _ := answer.Get("text").AsString(); value.InvalidUTF8(text) >= 0 {
		return "", usagef("the text has no token ids: it holds half of a surrogate pair at byte %d, which no tokenizer takes", value.InvalidUTF8(text))
	}
	why := "its info does not have the ability " + engine.AbleTokens
	if info, err := e.Info(ctx); err == nil && info.NoTokens != "" {
		why = info.NoTokens
	}
	advice := ""
	if n, ok := e.(*engine.Native); ok && tokenizerError(n) == nil {
		advice = "; --engine " + referenceName + " gives them without"
	}
	return "", broken(fmt.Errorf("engine %s gives no token ids: %s%s", e.Name(), why, advice))
}

// tokenizerError says that the checkpoint's tokenizer cannot be loaded; nil also
// where there is none.
func tokenizerError(n *engine.Native) error {
	_, err := n.Vocabulary()
	var load *token.LoadError
	if errors.As(err, &load) {
		return load
	}
	return nil
}

// readIDs reads the input of parse --ids: a bare list of token ids, which holds
// the whole turn, or a case with some.
func readIDs(data []byte, name string) (corpus.Case, error) {
	const before = `{"prefix": "", "reply_ids": `
	text := bytes.TrimLeft(data, " \t\r\n")
	bare := bytes.HasPrefix(text, []byte("[")) && !bytes.HasPrefix(bytes.TrimLeft(text[1:], " \t\r\n"), []byte("{"))
	if bare {
		_, bad := value.Loads(string(text))
		bare = bad == nil
	}
	if bare {
		data = slices.Concat([]byte(before), data, []byte("}"))
	}
	c, err := corpus.DecodeOne(data, name, corpus.Parse)
	var wrong *corpus.CaseError
	if bare && errors.As(err, &wrong) {
		wrong.Offset = max(0, wrong.Offset-int64(len(before)))
	}
	if err != nil {
		return c, usage(err)
	}
	if !inIDs(c.Input) {
		return c, usagef("--ids reads a list of token ids, or a case with reply_ids: %s holds a reply as text", name)
	}
	return c, nil
}

// readsIDs refuses a reply in ids that the engine does not read.
func readsIDs(ctx context.Context, e engine.Engine, in *value.Object) error {
	if !inIDs(in) {
		return nil
	}
	info, err := e.Info(ctx)
	if err != nil {
		return broken(&EngineError{Engine: e.Name(), Err: err})
	}
	if !slices.Contains(info.Abilities, engine.AbleIDs) {
		return usagef("engine %s reads no token ids: its info does not have the ability %s", e.Name(), engine.AbleIDs)
	}
	return nil
}

// rangeKeys are the parts of an answer that are ranges of its text.
var rangeKeys = []string{"spans", "offsets"}

// inBytes is an answer to mask or encode as a line of JSON, its ranges in bytes.
func inBytes(e engine.Engine, answer value.Value) (string, error) {
	text, _ := answer.Get("text").AsString()
	out := answer.Clone()
	o, _ := out.AsObject()
	for _, key := range rangeKeys {
		v, has := o.Get(key)
		if !has {
			continue
		}
		ranges, ok := pairs(v)
		if !ok {
			return "", broken(fmt.Errorf("engine %s gives %s that are none: %s", e.Name(), key, short(v)))
		}
		index := corpus.NewIndex(text)
		o.Set(key, list(ranges, func(r [2]int64) value.Value {
			start, _ := index.Byte(int(r[0]))
			end, _ := index.Byte(int(r[1]))
			return value.List(value.Int(int64(start)), value.Int(int64(end)))
		}))
	}
	return value.Dumps(out) + "\n", nil
}
