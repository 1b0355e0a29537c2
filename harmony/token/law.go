package token

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/harmony"
)

// Law is something that holds of the ids of a conversation that can be served
// and trained on. It is a closed set.
type Law uint8

const (
	LawMarker   Law = iota + 1 // each marker that a renderer writes is one id
	LawForged                  // no text of a caller writes an added token
	LawControl                 // there are as many control ids as markers were written
	LawIdentity                // decoding the ids of a text gives the text
	LawPieces                  // the ids of the whole are those of its pieces between markers
	LawStop                    // what the model wrote of a turn ends with the id of a stop token
	LawMask                    // the mask has an id of every assistant turn, and none of another role's
	LawStripped                // a text without its markers is told from one with them
)

var lawNames = [...]string{"", "marker", "forged", "control", "identity", "pieces", "stop", "mask", "stripped"}

// String gives the law's name.
func (l Law) String() string {
	if int(l) < len(lawNames) {
		return lawNames[l]
	}
	return fmt.Sprintf("Law(%d)", uint8(l))
}

// Finding is a breach of a law.
type Finding struct {
	Law Law
	// Path is the JSON path of the caller's text that it is about; "" for the
	// rendered text.
	Path string
	// Offset is where, in bytes of the text at Path, else of the rendered text; -1
	// where it is about no place.
	Offset int64
	// Token is the token that it is about, "" for none.
	Token string
	// Detail says what, in words.
	Detail string
}

func (f Finding) String() string {
	where := ""
	switch {
	case f.Path != "":
		where = fmt.Sprintf(" %s, byte %d:", f.Path, f.Offset)
	case f.Offset >= 0:
		where = fmt.Sprintf(" byte %d:", f.Offset)
	}
	return f.Law.String() + ":" + where + " " + f.Detail
}

// CheckMarkers looks whether each of the markers that a renderer writes is one id
// of its own wherever it stands ([LawMarker]).
func CheckMarkers(v *Vocabulary, markers []string) []Finding {
	var out []Finding
	for _, marker := range markers {
		find := func(format string, args ...any) {
			out = append(out, Finding{Law: LawMarker, Offset: -1, Token: marker, Detail: fmt.Sprintf("the marker %s ", marker) + fmt.Sprintf(format, args...)})
		}
		i := slices.IndexFunc(v.added, func(a Added) bool { return a.Text == marker })
		if i < 0 {
			find("is no added token, so that it is encoded in letters, if at all")
			continue
		}
		switch a := v.added[i]; {
		case a.SingleWord:
			find("is found only where no letter or digit touches it (single_word)")
		case a.LStrip || a.RStrip:
			find("takes the white space beside it along (lstrip, rstrip)")
		case v.form(a.ID) != marker:
			find("is looked for as %q, behind the normalizer", v.form(a.ID))
		}
		for _, b := range v.added {
			if len(b.Text) > len(marker) && b.Text[:len(marker)] == marker {
				find("begins the added token %q, which is found in its place where its rest follows", b.Text)
			}
		}
	}
	return out
}

// CheckEncoding looks whether the ids of a rendered text are what they have to
// be: they decode to the text ([LawIdentity]), their offsets are in order, and
// those that are added tokens are the ones that the text spells ([LawControl]).
// It needs no encoder of its own.
func CheckEncoding(v *Vocabulary, text string, e Encoding) []Finding {
	var out []Finding
	if len(e.Offsets) != len(e.IDs) {
		return []Finding{{Law: LawIdentity, Offset: -1, Detail: fmt.Sprintf("%d ids have %d offsets", len(e.IDs), len(e.Offsets))}}
	}
	back, err := v.Decode(e.IDs, DecodeOptions{})
	switch {
	case err != nil:
		out = append(out, Finding{Law: LawIdentity, Offset: -1, Detail: err.Error()})
	case back != text:
		at := 0
		for at < len(text) && at < len(back) && text[at] == back[at] {
			at++
		}
		out = append(out, Finding{Law: LawIdentity, Offset: int64(at), Detail: fmt.Sprintf("the ids decode to another text: %q for %q", around(back, at), around(text, at))})
	}
	var before harmony.Span // an id may have the end of a character and the start of the next
	for i, at := range e.Offsets {
		if at.Start > at.End || at.Start < before.Start || at.End < before.End || at.End > int64(len(text)) {
			out = append(out, Finding{Law: LawIdentity, Offset: at.Start, Detail: fmt.Sprintf("id %d, at index %d, has the offsets %d to %d, out of order", e.IDs[i], i, at.Start, at.End)})
			break
		}
		before = at
	}
	spelled, err := v.Scan(text)
	if err != nil {
		return append(out, Finding{Law: LawControl, Offset: -1, Detail: err.Error()})
	}
	return append(out, v.checkControl(e, spelled)...)
}

// checkControl compares the control ids of an encoding with the added tokens that
// its text spells.
func (v *Vocabulary) checkControl(e Encoding, spelled []Match) []Finding {
	k := 0
	for i, id := range e.IDs {
		if !v.isAdded(id) {
			continue
		}
		if k < len(spelled) && spelled[k].ID == id && overlaps(spelled[k].Span, e.Offsets[i]) {
			k++
			continue
		}
		if v.tokens[id].model { // the model makes it of its letters, too
			continue
		}
		return []Finding{{Law: LawControl, Offset: e.Offsets[i].Start, Token: v.tokens[id].text,
			Detail: fmt.Sprintf("the control id %d stands where the text does not spell %s", id, v.tokens[id].text)}}
	}
	if k < len(spelled) {
		m := spelled[k]
		return []Finding{{Law: LawControl, Offset: m.Text.Start, Token: v.tokens[m.ID].text,
			Detail: fmt.Sprintf("the text spells %s, and its id %d does not stand there", v.tokens[m.ID].text, m.ID)}}
	}
	return nil
}

func overlaps(a, b harmony.Span) bool { return a.Start < b.End && b.Start < a.End }

// isAdded tells whether an id is that of an added token.
func (v *Vocabulary) isAdded(id ID) bool {
	_, ok := slices.BinarySearchFunc(v.added, id, func(a Added, id ID) int { return cmp.Compare(a.ID, id) })
	return ok
}

// name is the text of an id, "" for one that is not known.
func (v *Vocabulary) name(id ID) string {
	text, _ := v.Text(id)
	return text
}

// around is the text beside a byte, in whole characters.
func around(text string, at int) string {
	from, to := max(0, at-12), min(len(text), at+12)
	for from > 0 && from < len(text) && text[from]&0xC0 == 0x80 {
		from--
	}
	for to < len(text) && text[to]&0xC0 == 0x80 {
		to++
	}
	return text[from:to]
}

// CheckPieces looks whether the ids of a text are those of its pieces: the
// markers, and the texts between ([LawPieces]). Where they are, a conversation
// may be encoded message by message. The error is the encoder's, or a *ScanError.
func CheckPieces(v *Vocabulary, encoder Encoder, text string) ([]Finding, error) {
	whole, err := encoder.Encode(text)
	if err != nil {
		return nil, err
	}
	matches, err := v.Scan(text)
	if err != nil {
		return nil, err
	}
	k, from := 0, int64(0)
	for i := 0; i <= len(matches); i++ {
		pieces := [][2]int64{{from, int64(len(text))}}
		if i < len(matches) {
			m := matches[i]
			pieces = [][2]int64{{from, m.Span.Start}, {m.Span.Start, m.Span.End}}
			from = m.Span.End
		}
		for _, p := range pieces {
			if p[0] >= p[1] {
				continue
			}
			part, err := encoder.Encode(text[p[0]:p[1]])
			if err != nil {
				return nil, err
			}
			n := len(part.IDs)
			if k+n > len(whole.IDs) || !slices.Equal(whole.IDs[k:k+n], part.IDs) {
				return []Finding{{Law: LawPieces, Offset: p[0], Detail: fmt.Sprintf("the piece %q has other ids than in the whole", around(text[p[0]:p[1]], 0))}}, nil
			}
			k += n
		}
	}
	if k < len(whole.IDs) {
		return []Finding{{Law: LawPieces, Offset: int64(len(text)), Detail: fmt.Sprintf("the whole has %d ids more than its pieces", len(whole.IDs)-k)}}, nil
	}
	return nil, nil
}
