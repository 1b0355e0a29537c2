package response

import "unicode/utf8"

// calm takes a chunk at which no anchor can begin, while none is waited for: by
// far the most frequent case. It tells whether the chunk is one.
func (m *machine) calm(chunk string) bool {
	if m.watch == nil || chunk == "" {
		return false
	}
	watch := m.watch
	for i := 0; i < len(chunk); {
		c := chunk[i]
		switch {
		case watch[c]:
			return false
		case c < utf8.RuneSelf:
			i++
		case 0xe1 <= c && c < 0xf0 && c != 0xed && i+2 < len(chunk) && chunk[i+1]&0xc0 == 0x80 && chunk[i+2]&0xc0 == 0x80:
			i += 3 // by far the most characters of this length, without a call
		default:
			r, size := utf8.DecodeRuneInString(chunk[i:])
			if r == utf8.RuneError && size == 1 {
				return false
			}
			i += size
		}
	}
	m.steps += int64((1 + m.watches) * len(chunk))                                            // as UTF-8, and for each anchor
	if n := len(m.events); m.opened && m.body.fits(chunk) && n < cap(m.events) && !m.silent { // give, without a call
		m.pos += len(chunk)
		m.steps += int64(len(chunk))
		m.body.rest.WriteString(chunk)
		m.events = m.events[:n+1]
		setChunk(&m.events[n], m.cur, chunk)
		return true
	}
	m.give(chunk)
	return true
}

// watched gives the bytes with which any of so many anchors may begin, nil where
// one is waited for or may begin without any.
func (m *machine) watched() (bytes *[256]bool, anchors int) {
	switch {
	case m.held || m.stuck || m.t.keepAll || m.begun.field != nil:
		return nil, 0
	case m.cur != nil && m.cur != m.t.implicit:
		return m.cur.watch, 1
	}
	return m.t.outside, len(m.t.fields)
}
