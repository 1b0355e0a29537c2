package openai

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/typing"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// ReadOptions are what a reply is read with. The zero value reads leniently a reply
// to a prompt that ends with <|start|>assistant.
type ReadOptions struct {
	// Strict refuses whatever does not fit the format's grammar, at its first byte.
	// Else each is told as a [harmony.Problem], and what is around it is read.
	Strict bool
	// Prefix is the prompt, where it holds more of the turn than <|start|>assistant:
	// a header, or text that the model goes on with. Only what stands behind its last
	// <|start|> is read.
	Prefix string
	// Conversation says that the text is whole: it begins with <|start|>, and
	// messages of other authors belong there.
	Conversation bool
	// Tools are what the model may call. nil says nothing of them: no call is then
	// unknown.
	Tools *typing.Tools
	// Stop says why the reply ended, for [Parse].
	Stop harmony.Stop
	// OneCall says that exactly one call is expected: none, or several, is then a
	// problem.
	OneCall bool
	// Limits bound what a reply may cost.
	Limits ReadLimits
}

// ReadLimits bound a reply. They depend on its text, never on how it is cut. Zero
// fields take the defaults.
type ReadLimits struct {
	Bytes    int // of the reply; default 64 MiB
	Messages int // default 1,000,000
	Problems int // of those that are told; default 10,000. Later ones are not kept, and nothing else changes
	Depth    int // of the JSON of arguments; default [value.MaxDepth]
}

func (l ReadLimits) complete() ReadLimits {
	for _, f := range [...]struct {
		limit *int
		def   int
	}{{&l.Bytes, 64 << 20}, {&l.Messages, 1_000_000}, {&l.Problems, 10_000}, {&l.Depth, value.MaxDepth}} {
		if *f.limit <= 0 {
			*f.limit = f.def
		}
	}
	return l
}

// ReadErrorKind says why a reply cannot be read.
type ReadErrorKind uint8

const (
	BadGrammar ReadErrorKind = iota + 1 // strict: the text does not fit the grammar
	BadUTF8                             // the text is not UTF-8
	OverLimit                           // a limit of [ReadLimits] was reached
	Finalized                           // the reader was finalized
)

var readErrorNames = [...]string{"", "grammar", "utf8", "limit", "finalized"}

func (k ReadErrorKind) String() string {
	if int(k) < len(readErrorNames) {
		return readErrorNames[k]
	}
	return fmt.Sprintf("ReadErrorKind(%d)", uint8(k))
}

// ReadError is a reply that cannot be read on. What was read before it is kept.
type ReadError struct {
	Kind   ReadErrorKind
	Offset int64 // bytes of the reply, negative in the prefix
	Msg    string
}

func (e *ReadError) Error() string { return fmt.Sprintf("%s (byte %d of the reply)", e.Msg, e.Offset) }
