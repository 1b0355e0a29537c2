package token

import (
	"fmt"
	"strings"

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
