package token

import (
	"fmt"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// chain is a decoder, compiled. Its steps stand in three groups, in this order:
// steps on tokens one by one, the step that makes characters of bytes, and steps
// on the text that the tokens have become.
type chain struct {
	tokens []tokenStep
	bytes  byteStep
	texts  []textStep

	first   bool // some step treats the first token otherwise
	last    bool // some step treats the last token otherwise
	repeats bool // a token that repeats the one before it does not count
}

// byteStep says how tokens that stand for bytes become characters.
type byteStep uint8

const (
	noBytes      byteStep = iota
	byteLevel             // each character of a token is a byte
	byteFallback          // tokens such as <0x0A> are bytes
)

// chainLoader compiles a decoder.
type chainLoader struct {
	chain
	fused bool // the tokens are one text from here on
}

// loadChain compiles the decoder of a tokenizer.json. Without one the library
// joins the tokens with spaces.
func loadChain(decoder value.Value) (*chain, error) {
	l := &chainLoader{}
	if decoder.IsNull() {
		l.add(tokenStep{kind: joinStep})
		return &l.chain, nil
	}
	if err := l.load(decoder, "decoder"); err != nil {
		return nil, err
	}
	return &l.chain, nil
}

func (l *chainLoader) load(d value.Value, path string) error {
	kind, ok := d.Get("type").AsString()
	if !ok {
		return &LoadError{Path: path + ".type", What: "a decoder must be an object with a type"}
	}
	fail := func(what string) error {
		return &LoadError{Path: path, What: fmt.Sprintf("the decoder %s %s", kind, what)}
	}
	var err error
	switch kind {
	case "Sequence":
		list, ok := d.Get("decoders").AsArray()
		if !ok {
			return &LoadError{Path: path + ".decoders", What: "must be a list of decoders"}
		}
		for i, item := range list.All() {
			if err := l.load(item, fmt.Sprintf("%s.decoders[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	case "Fuse":
		l.fused = true
		return nil
	case "Replace", "Strip": // these two work on tokens and on the text alike
		return l.loadText(d, path, kind)
	}
	// All others work on tokens, which have to be there still.
	if l.fused || l.bytes != noBytes {
		return fail("is supported only before the tokens are joined and bytes made characters")
	}
	for _, before := range l.tokens {
		if before.kind == suffixStep || before.kind == ctcStep {
			return fail("is not supported behind a BPEDecoder or CTC")
		}
	}
	step := tokenStep{}
	switch kind {
	case "ByteLevel":
		l.bytes, l.fused = byteLevel, true
		return nil
	case "ByteFallback":
		l.bytes = byteFallback
		return nil
	case "Metaspace":
		step, err = loadMetaspace(d, path)
	case "WordPiece":
		step.kind, l.first = wordPieceStep, true
		step.from, err = stringAt(d, path, "prefix")
		if err == nil {
			step.clean, err = boolAt(d, path, "cleanup")
		}
	case "BPEDecoder":
		step.kind = suffixStep
		if step.from, err = stringAt(d, path, "suffix"); err == nil && step.from == "" {
			return fail("needs a suffix")
		}
	case "CTC":
		if len(l.tokens) > 0 {
			return fail("is supported only as the first decoder")
		}
		step.kind = ctcStep
		if step.from, err = stringAt(d, path, "pad_token"); err == nil {
			step.to, err = stringAt(d, path, "word_delimiter_token")
		}
		if err == nil {
			step.clean, err = boolAt(d, path, "cleanup")
		}
		if err == nil && (step.from == "" || step.clean && step.to == "") {
			return fail("needs a pad_token and a word_delimiter_token")
		}
	default:
		return &LoadError{Path: path + ".type", What: fmt.Sprintf("the decoder %q is not known", kind)}
	}
	if err != nil {
		return err
	}
	l.add(step)
	return nil
}

// add adds a step on tokens.
func (l *chainLoader) add(s tokenStep) {
	l.tokens = append(l.tokens, s)
	l.first = l.first || s.kind == joinStep || s.kind == wordPieceStep || s.kind == metaspaceStep && !s.keepFirst
	l.last = l.last || s.kind == suffixStep
	l.repeats = l.repeats || s.kind == ctcStep
}

// loadText reads a step that works on a token and on the whole text.
func (l *chainLoader) loadText(d value.Value, path, kind string) error {
	if l.bytes == byteFallback && !l.fused {
		return &LoadError{Path: path, What: fmt.Sprintf("the decoder %s is not supported between ByteFallback and Fuse", kind)}
	}
	var from, to string
	var start int64
	var err error
	if kind == "Replace" {
		if from, ok := d.Get("pattern").Get("Regex").AsString(); ok {
			return &LoadError{Path: path + ".pattern.Regex", What: fmt.Sprintf("the pattern %q: a decoder that replaces by regular expression is not supported", from)}
		}
		if from, err = stringAt(d.Get("pattern"), path+".pattern", "String"); err == nil {
			to, err = stringAt(d, path, "content")
		}
		if err == nil && from == "" {
			err = &LoadError{Path: path + ".pattern.String", What: "an empty pattern is not supported"}
		}
	} else {
		if from, err = charAt(d, path, "content"); err == nil {
			start, err = countAt(d, path, "start")
		}
		var stop int64
		if err == nil {
			stop, err = countAt(d, path, "stop")
		}
		if err == nil && stop > 0 {
			err = &LoadError{Path: path + ".stop", What: "stripping at the end of tokens is not supported: the library fails on short ones"}
		}
	}
	if err != nil {
		return err
	}
	if l.fused {
		l.texts = append(l.texts, newTextStep(from, to, int(start), kind == "Strip"))
		return nil
	}
	step := tokenStep{kind: replaceStep, from: from, to: to, count: int(start)}
	if kind == "Strip" {
		step.kind = stripStep
	}
	l.add(step)
	return nil
}

func loadMetaspace(d value.Value, path string) (tokenStep, error) {
	step := tokenStep{kind: metaspaceStep}
	from, err := charAt(d, path, "replacement")
	if err != nil {
		return step, err
	}
	step.from = from
	scheme := "always"
	if v := d.Get("prepend_scheme"); !v.IsNull() {
		scheme, _ = v.AsString()
	}
	if scheme != "always" && scheme != "first" && scheme != "never" {
		return step, &LoadError{Path: path + ".prepend_scheme", What: "must be always, first or never"}
	}
	if prefix, ok := d.Get("add_prefix_space").AsBool(); ok && !prefix && scheme != "never" {
		return step, &LoadError{Path: path + ".add_prefix_space", What: "is false, and the prepend_scheme (always, if there is none) contradicts it; the library refuses that, too"}
	}
	step.keepFirst = scheme == "never"
	return step, nil
}

func stringAt(v value.Value, path, key string) (string, error) {
	text, ok := v.Get(key).AsString()
	switch {
	case !ok:
		return "", &LoadError{Path: path + "." + key, What: "must be a string"}
	case value.InvalidUTF8(text) >= 0:
		return "", &LoadError{Path: path + "." + key, What: "has half of a surrogate pair, which is no text"}
	}
	return text, nil
}

func boolAt(v value.Value, path, key string) (bool, error) {
	if b, ok := v.Get(key).AsBool(); ok {
		return b, nil
	}
	return false, &LoadError{Path: path + "." + key, What: "must be true or false"}
}

func charAt(v value.Value, path, key string) (string, error) {
	text, err := stringAt(v, path, key)
	if err == nil && utf8.RuneCountInString(text) != 1 {
		err = &LoadError{Path: path + "." + key, What: "must be one character"}
	}
	return text, err
}

func countAt(v value.Value, path, key string) (int64, error) {
	if n, ok := v.Get(key).AsInt(); ok && n >= 0 && n <= 1<<31-1 {
		return n, nil
	}
	return 0, &LoadError{Path: path + "." + key, What: "must be a number that is not negative"}
}
