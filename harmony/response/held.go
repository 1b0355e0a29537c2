package response

import (
	"math/bits"
	"unicode/utf8"
)

// load appends a chunk to the text. Where nothing is held the chunk itself is
// the text, so that what is given out of it is not copied.
func (m *machine) load(chunk string, last bool) {
	switch {
	case !m.held && (last || !m.t.keepAll):
		m.text.S = chunk
		if m.pos > m.text.Base { // calm chunks are behind; which character was the last matters only where a pattern looks back: then nothing is calm
			m.text.Base, m.text.Before = m.pos, utf8.RuneError
		}
	case !m.held:
		m.retain(chunk, "")
	default:
		m.retain(m.text.S, chunk)
	}
}

// The least and the most room of a buffer for text that is held, unless more is.
const minHeld, maxHeld = 64, 4096

// retain makes a+b the text that is held; a may be it already. Text in the buffer
// was given out and does not change: one buffer after another is filled.
func (m *machine) retain(a, b string) {
	add := len(b)
	if !m.held {
		add += len(a)
	}
	if m.buffer.Len()+add > m.buffer.Cap() {
		size := max(minHeld, 1<<bits.Len(uint(len(a)+len(b))), min(2*m.buffer.Cap(), maxHeld))
		m.buffer.Reset()
		m.buffer.Grow(size)
		m.held = false
	}
	if !m.held {
		m.held, m.from = true, m.buffer.Len()
		m.buffer.WriteString(a)
		m.steps += int64(len(a))
	}
	m.buffer.WriteString(b)
	m.steps += int64(len(b))
	m.text.S = m.buffer.String()[m.from:]
}

// keep holds what is not used up for the next chunk.
func (m *machine) keep() {
	if m.t.keepAll {
		return
	}
	used := m.pos - m.text.Base
	rest := m.text.S[used:]
	if used > 0 {
		m.text.Before, _ = utf8.DecodeLastRuneInString(m.text.S[:used])
	}
	m.text.Base, m.text.S = m.pos, rest
	switch {
	case rest == "":
		m.held = false
	case m.held:
		m.from += used
	default:
		m.retain(rest, "")
	}
}
