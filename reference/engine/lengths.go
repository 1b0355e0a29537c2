package engine

import (
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// The keys of a case that say how many tokens there are.
const (
	keyTruncation = "truncation"
	keyMaxLength  = "max_length"
	keyPadding    = "padding"
)

// lengths are what truncation, max_length and padding come to. (Transformers
// 5.24.0, PreTrainedTokenizerBase._get_padding_truncation_strategies.)
type lengths struct {
	max                   int  // the number of tokens; -1 where there is none
	cut, fill             bool // what is longer, what is shorter
	truncateSide, padSide token.Side
	padID                 token.ID
}

// mostPadded is the most ids that a row is filled up to. Each takes a few hundred
// bytes of memory; the reference ends at its memory limit.
const mostPadded = 1 << 22

// noPadToken is what the reference says of padding without a padding token.
const noPadToken = "Asking to pad but the tokenizer does not have a padding token. Please select a token to use as `pad_token` `(tokenizer.pad_token = tokenizer.eos_token e.g.)` or add a new pad token via `tokenizer.add_special_tokens({'pad_token': '[PAD]'})`."

// lengths reads the keys of a case.
func (n *Native) lengths(in *value.Object) (lengths, error) {
	l := lengths{max: -1}
	get := func(name string) value.Value { v, _ := in.Get(name); return v }
	l.cut = get(keyTruncation).Truthy()
	padding, named := get(keyPadding).AsString()
	longest := !named && get(keyPadding).Truthy() || padding == "longest"
	l.fill = padding == keyMaxLength
	if size, ok := get(keyMaxLength).AsInt(); ok {
		l.max = int(size)
	} else if size, known := n.modelLength(); known {
		l.max = size
	} else {
		l.cut, l.fill = false, false
	}
	config := n.checkpoint.Config
	l.truncateSide, l.padSide = side(config.Get("truncation_side")), side(config.Get("padding_side"))
	if !l.fill && !longest {
		return l, nil
	}
	name := n.checkpoint.SpecialTokens["pad_token"]
	v, err := n.tokenizer.vocabulary()
	if err != nil {
		return l, err
	}
	id, ok := v.ID(name)
	if name == "" || !ok {
		return l, template.ValueError("", noPadToken)
	}
	l.padID = id
	if l.fill && l.max > mostPadded {
		return l, fmt.Errorf("a row cannot be filled up to %d ids: the most are %d; set a smaller %s", l.max, mostPadded, keyMaxLength)
	}
	return l, nil
}

// modelLength is model_max_length, which counts where it is no more than the
// library's idea of a large integer.
func (n *Native) modelLength() (int, bool) {
	v := n.checkpoint.Config.Get("model_max_length")
	if size, ok := v.AsInt(); ok {
		return int(size), true
	}
	if size, ok := v.AsFloat(); ok && size <= 1e9 {
		return int(size), true
	}
	return 0, false
}

func side(v value.Value) token.Side {
	if s, _ := v.AsString(); s == "left" {
		return token.Left
	}
	return token.Right
}

// truncate cuts an encoding. A sanitised one is cut as Python cuts a list, of
// which the last 0 are all.
func (l lengths) truncate(e token.Encoding, safe bool) token.Encoding {
	if !l.cut || safe && l.truncateSide == token.Left && l.max == 0 {
		return e
	}
	if safe {
		e.Offsets = make([]harmony.Span, len(e.IDs))
	}
	return token.Truncate(e, l.max, l.truncateSide)
}

// pad fills one row up and masks it. A sanitised row that is empty stays so.
func (l lengths) pad(e token.Encoding, spans []harmony.Span, safe bool) (token.Batch, error) {
	o := token.BatchOptions{PadSide: l.padSide, PadID: l.padID}
	if l.fill && l.max > 0 && (len(e.IDs) > 0 || !safe) {
		o.Padding, o.MaxLength = token.PadToLength, l.max
	}
	return token.NewBatch([]token.Encoding{e}, [][]harmony.Span{spans}, o)
}

// padOffsets gives the ids that pad a row the empty beginning of the text.
func (l lengths) padOffsets(offsets []harmony.Span, n int) []harmony.Span {
	none := make([]harmony.Span, n-len(offsets))
	if l.padSide == token.Left {
		return append(none, offsets...)
	}
	return slices.Concat(offsets, none)
}
