package pattern

import (
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Kind is what is predicted of a part.
type Kind string

// The kinds of predictions.
const (
	Cut      Kind = "cut"      // a reply is read otherwise in pieces than whole
	Withheld Kind = "withheld" // text that is certain for a person comes late
	Slow     Kind = "slow"     // the time grows faster than the reply
)

// Prediction is what a part of a template will do to some reply.
type Prediction struct {
	Kind Kind
	Part *Part
	// Cause is a word or two that tells predictions of one kind and part apart.
	Cause string
	// Reason says in a sentence why, in the words of the pattern.
	Reason string
	// Engine is who does it: reference, or native.
	Engine string
	// Mild tells what costs a reader little: a close that is told with the next
	// character.
	Mild bool
	// Confirmed tells that the witness did what was predicted; Shown are then what was
	// read of it, to set against each other.
	Confirmed bool
	Shown     []Shown
	// Growth, of what is slow, is the exponent with which its cost should grow, by the
	// count of steps, infinite of what explodes; where the reference then grows only
	// by a power, that. What was measured stands in Shown.
	Growth float64
	// Witness is the case that shows it, or the likeliest of those that were tried.
	Witness *value.Object

	candidates []witness
	sizes      func(n int) string // a reply for each size, of what is slow
	stream     bool               // what is slow is a stream
}

// Shown is what one side made of a witness.
type Shown struct{ Side, Text string }

// witness is a reply that may show a prediction.
type witness struct {
	reply string
	at    int // where it is cut, or from where on text is kept back; bytes
}

// Case is the witness as a case of its own.
func (p *Prediction) Case() corpus.Case {
	return corpus.Case{ID: "pattern/" + p.Part.Path + "/" + string(p.Kind) + "/" + strings.ReplaceAll(p.Cause, " ", "-"), Kind: corpus.Parse, Input: p.Witness}
}

// parseCase is a reply as the keys of a parse case.
func (t *Template) parseCase(reply string) *value.Object {
	o := value.NewObject(4)
	o.Set("reply", value.String(reply))
	o.Set("prefix", value.String(""))
	o.Set("response_template", t.Spec)
	return o
}

// cutAt adds a cut at a byte.
func cutAt(o *value.Object, reply string, at int) *value.Object {
	char, _ := corpus.NewIndex(reply).Char(at)
	o.Set("chunks", value.List(value.Int(int64(char))))
	return o
}
