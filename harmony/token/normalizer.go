package token

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// normalizer is what happens to a text before normalized tokens are looked for.
// nil changes nothing. Only what added tokens need of it is here: the library
// decodes a normalized token as its normalizer wrote it.
type normalizer []normalStep

type normalStep struct {
	path, kind string
	from, to   string
	lower      bool
}

// Kinds that do not change visible ASCII text.
var asciiSame = map[string]bool{"NFC": true, "NFD": true, "NFKC": true, "NFKD": true, "Nmt": true, "Precompiled": true, "StripAccents": true}

func loadNormalizer(v value.Value, path string) (normalizer, error) {
	if v.IsNull() {
		return nil, nil
	}
	kind, ok := v.Get("type").AsString()
	if !ok {
		return nil, &LoadError{Path: path + ".type", What: "a normalizer must be an object with a type"}
	}
	s := normalStep{path: path, kind: kind}
	var err error
	switch kind {
	case "Sequence":
		list, ok := v.Get("normalizers").AsArray()
		if !ok {
			return nil, &LoadError{Path: path + ".normalizers", What: "must be a list of normalizers"}
		}
		var all normalizer
		for i, item := range list.All() {
			steps, err := loadNormalizer(item, fmt.Sprintf("%s.normalizers[%d]", path, i))
			if err != nil {
				return nil, err
			}
			all = append(all, steps...)
		}
		return all, nil
	case "Prepend":
		s.to, err = stringAt(v, path, "prepend")
	case "Replace":
		if _, ok := v.Get("pattern").Get("Regex").AsString(); ok {
			break // refused where a token needs it
		}
		if s.from, err = stringAt(v.Get("pattern"), path+".pattern", "String"); err == nil {
			s.to, err = stringAt(v, path, "content")
		}
	case "Lowercase":
		s.lower = true
	case "BertNormalizer":
		s.lower, err = boolAt(v, path, "lowercase")
	}
	if err != nil {
		return nil, err
	}
	return normalizer{s}, nil
}

// apply normalizes the text of an added token. ok is false, and path and kind
// name the step, where that step is not supported on such a text.
func (n normalizer) apply(text string) (out, path, kind string, ok bool) {
	for _, s := range n {
		ascii := strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
		switch {
		case s.kind == "Prepend":
			if text != "" {
				text = s.to + text
			}
		case s.kind == "Replace" && s.from != "":
			text = strings.ReplaceAll(text, s.from, s.to)
		case s.kind == "Strip":
			if strings.TrimSpace(text) != text {
				return "", s.path, s.kind, false
			}
		case ascii && (s.kind == "Lowercase" || s.kind == "BertNormalizer"):
			if s.lower {
				text = strings.ToLower(text)
			}
		case ascii && asciiSame[s.kind], ascii && s.kind == "ByteLevel" && !strings.Contains(text, " "):
		default:
			return "", s.path, s.kind, false
		}
	}
	return text, "", "", true
}

// text normalizes a piece of a text. source gives, for each byte of the result
// and its end, where in the piece it comes from; nil where nothing has moved. The
// error is a *ScanError.
func (n normalizer) text(piece string) (out string, source []int, err error) {
	out = piece
	for _, s := range n {
		switch {
		case s.kind == "Prepend" && out != "":
			out, source = replaceAt(s.to+out, "", "", len(s.to), source, len(piece))
		case s.kind == "Replace" && s.from != "":
			out, source = replaceAt(out, s.from, s.to, 0, source, len(piece))
		case isASCII(out) && s.lower:
			out = strings.ToLower(out)
		case isASCII(out) && (asciiSame[s.kind] || s.kind == "Lowercase"):
		default:
			return "", nil, &ScanError{Path: s.path, Kind: s.kind}
		}
	}
	return out, source, nil
}

// replaceAt replaces from by to and keeps the account of where bytes come from;
// the first skip bytes of text are new.
func replaceAt(text, from, to string, skip int, source []int, length int) (string, []int) {
	at := func(i int) int {
		switch i -= skip; {
		case i < 0:
			return 0
		case source == nil:
			return min(i, length)
		}
		return source[i]
	}
	var b strings.Builder
	var moved []int
	for i := 0; i < len(text); {
		if from != "" && strings.HasPrefix(text[i:], from) {
			_, size := utf8.DecodeLastRuneInString(from) // the library's account, too
			for range len(to) {
				moved = append(moved, at(i+len(from)-size))
			}
			b.WriteString(to)
			i += len(from)
			continue
		}
		moved = append(moved, at(i))
		b.WriteByte(text[i])
		i++
	}
	return b.String(), append(moved, length)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x7F || text[i] < ' ' && text[i] != '\n' && text[i] != '\t' && text[i] != '\r' {
			return false
		}
	}
	return true
}
