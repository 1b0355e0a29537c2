package token

import (
	"strings"
	"unicode/utf8"
)

// Decoder gives the text of ids as they arrive. It gives whole characters only,
// as soon as no further id can change them, and all that it gives in a stream is
// what [Vocabulary.Decode] gives for all ids, however they are cut. Its cost is
// linear in the text. It belongs to one goroutine.
//
// What it holds back is an unfinished character of a byte-level vocabulary; the
// run of byte tokens of a byte-fallback vocabulary, since the library gives
// U+FFFD for every byte of a run that is not UTF-8, the good ones included
// (Eager gives them at once); and where the decoder replaces text, what may be
// the start of that.
type Decoder struct {
	v     *Vocabulary
	o     DecodeOptions
	out   strings.Builder
	taken int  // bytes of out that were given already
	whole bool // out is given once

	index   int     // of the next id
	some    bool    // a token was decoded
	before  string  // the token before, where the chain asks for it
	pending pending // the bytes of an unfinished character
	run     []byte  // byte tokens that are UTF-8 so far
	broken  bool    // the run of byte tokens is not UTF-8
	held    string  // what of the last token depends on whether it is the last
	atLast  string  // what it is then
	texts   []textState
}

// NewDecoder begins a stream.
func (v *Vocabulary) NewDecoder(o DecodeOptions) *Decoder {
	d := &Decoder{v: v, o: o}
	if n := len(v.chain.texts); n > 0 {
		d.texts = make([]textState, n)
	}
	return d
}

// Push gives the text that ids make final, which may be "". The error is an
// *UnknownIDError, its index counted from the start of the stream; the text of
// the other ids is there all the same, and the stream can go on.
func (d *Decoder) Push(ids ...ID) (string, error) {
	var failed error
	for _, id := range ids {
		if err := d.push(id); err != nil && failed == nil {
			failed = err
		}
	}
	return d.take(), failed
}

// Flush ends the stream and gives the rest: an unfinished character is U+FFFD.
// After it the Decoder begins a new stream.
func (d *Decoder) Flush() string {
	d.end()
	text := d.take()
	d.Reset(d.o)
	return text
}

// Reset begins a new stream. Texts that were given stay as they are.
func (d *Decoder) Reset(o DecodeOptions) {
	d.o, d.index, d.some, d.before = o, 0, false, ""
	d.pending, d.run, d.broken, d.held, d.atLast = pending{}, d.run[:0], false, "", ""
	d.taken = d.out.Len()
	for i := range d.texts {
		d.texts[i].reset()
	}
}

// block is how much room for text is made at once.
const block = 4096

// take gives what was written since it was last called. The texts share blocks
// of memory that are only ever appended to.
func (d *Decoder) take() string {
	text := d.out.String()[d.taken:]
	d.taken += len(text)
	if !d.whole && d.out.Cap()-d.taken < block/8 {
		d.out = strings.Builder{}
		d.taken = 0
	}
	return text
}

// push decodes one id.
func (d *Decoder) push(id ID) error {
	index := d.index
	d.index++
	v := d.v
	if int64(id) >= int64(len(v.tokens)) || v.tokens[id].kind == unknownEntry {
		if d.o.SkipUnknown {
			return nil
		}
		return &UnknownIDError{ID: id, Index: index}
	}
	e := &v.tokens[id]
	if e.special && d.o.SkipSpecial {
		return nil
	}
	if d.out.Cap() == 0 {
		d.out.Grow(block)
	}
	piece, kind := e.piece, e.kind
	if c := v.chain; c.first || c.last || c.repeats {
		if c.repeats {
			form := v.form(id)
			if d.some && d.before == form {
				return nil
			}
			d.before = form
		}
		d.text(d.held)
		d.held, d.atLast = "", ""
		if !d.some && c.first {
			piece, kind = c.decoded(v.form(id), first)
		}
		if c.last {
			piece = d.hold(v.form(id), piece)
		}
	}
	d.some = true
	switch v.chain.bytes {
	case byteLevel:
		d.level(piece, kind)
	case byteFallback:
		if kind == byteEntry {
			d.byte(piece[0])
			return nil
		}
		d.endRun()
		d.text(piece)
	default:
		d.text(piece)
	}
	return nil
}

// hold gives the part of a token that is the same at the end, and keeps the rest.
func (d *Decoder) hold(form, piece string) string {
	at := last
	if !d.some && d.v.chain.first {
		at |= first
	}
	end := d.v.chain.piece(form, at)
	same := 0
	for same < len(piece) && same < len(end) && piece[same] == end[same] {
		same++
	}
	for same > 0 && same < len(piece) && !utf8.RuneStart(piece[same]) {
		same--
	}
	d.held, d.atLast = piece[same:], end[same:]
	return piece[:same]
}

// level takes bytes of a byte-level vocabulary.
func (d *Decoder) level(piece string, kind entryKind) {
	if d.pending.n == 0 && kind != brokenEntry {
		d.text(piece)
		return
	}
	for i := 0; i < len(piece); {
		if d.pending.n == 0 { // whole characters at once
			n := validPrefix(piece[i:])
			d.text(piece[i : i+n])
			if i += n; i == len(piece) {
				return
			}
		}
		switch d.pending.add(piece[i]) {
		case charWhole:
			d.character()
		case charBroken: // the byte is looked at again
			d.text("\uFFFD")
			continue
		case charNever:
			d.text("\uFFFD")
		}
		i++
	}
}

// character writes the pending bytes, which are a whole character.
func (d *Decoder) character() {
	r, _ := utf8.DecodeRune(d.pending.bytes[:d.pending.n])
	d.pending.n = 0
	if len(d.texts) == 0 {
		d.out.WriteRune(r)
		return
	}
	d.text(string(r))
}

// byte takes one byte token of a run.
func (d *Decoder) byte(b byte) {
	if d.broken {
		d.text("\uFFFD")
		return
	}
	d.run = append(d.run, b)
	switch d.pending.add(b) {
	case charBroken, charNever:
		d.breakRun()
		d.broken = !d.o.Eager
	case charWhole:
		d.pending.n = 0
		if d.o.Eager {
			d.endRun()
		}
	}
}

// breakRun writes a run that can be UTF-8 no more.
func (d *Decoder) breakRun() {
	for range d.run {
		d.text("\uFFFD")
	}
	d.run, d.broken, d.pending = d.run[:0], true, pending{}
}

// endRun ends a run of byte tokens.
func (d *Decoder) endRun() {
	if d.pending.n > 0 {
		d.breakRun()
	}
	d.broken = false
	if len(d.run) > 0 {
		if len(d.texts) == 0 {
			d.out.Write(d.run)
		} else {
			d.text(string(d.run))
		}
		d.run = d.run[:0]
	}
}

// end ends the stream.
func (d *Decoder) end() {
	d.text(d.atLast)
	switch d.v.chain.bytes {
	case byteLevel:
		if d.pending.n > 0 {
			d.text("\uFFFD")
		}
	case byteFallback:
		d.endRun()
	}
	var text []byte
	for i := range d.texts {
		st, t := &d.texts[i], &d.v.chain.texts[i]
		step(st, t, text)
		text = st.end(t)
	}
	d.out.Write(text)
}

// text passes text on to the steps that work on the whole text.
func (d *Decoder) text(s string) {
	if len(d.texts) == 0 {
		d.out.WriteString(s)
		return
	}
	if s != "" {
		d.steps(step(&d.texts[0], &d.v.chain.texts[0], s))
	}
}

// steps takes text through all steps behind the first.
func (d *Decoder) steps(text []byte) {
	for i := 1; i < len(d.texts); i++ {
		text = step(&d.texts[i], &d.v.chain.texts[i], text)
	}
	d.out.Write(text)
}
