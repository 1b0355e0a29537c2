package token

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// oracle decodes as slowly and plainly as can be: a list of tokens goes through
// the decoders as they stand in tokenizer.json, one after the other.
func oracle(t testing.TB, v *Vocabulary, decoder value.Value, ids []ID, skip bool) string {
	var tokens []string
	for _, id := range ids {
		if _, ok := v.Text(id); ok && !(skip && v.special[v.form(id)]) {
			tokens = append(tokens, v.form(id))
		}
	}
	if decoder.IsNull() {
		return strings.Join(tokens, " ")
	}
	return strings.Join(oracleChain(t, decoder, tokens), "")
}

func oracleChain(t testing.TB, d value.Value, tokens []string) []string {
	text := func(key string) string { s, _ := d.Get(key).AsString(); return s }
	yes := func(key string) bool { b, _ := d.Get(key).AsBool(); return b }
	out := make([]string, 0, len(tokens))
	switch kind := text("type"); kind {
	case "Sequence":
		list, _ := d.Get("decoders").AsArray()
		for _, item := range list.All() {
			tokens = oracleChain(t, item, tokens)
		}
		return tokens
	case "Fuse":
		return []string{strings.Join(tokens, "")}
	case "ByteLevel":
		var raw []byte
		for _, token := range tokens {
			var bytes []byte
			for _, r := range token {
				b := strings.IndexRune(oracleAlphabet, r)
				if b < 0 {
					bytes = []byte(token)
					break
				}
				bytes = append(bytes, byte(utf8.RuneCountInString(oracleAlphabet[:b])))
			}
			raw = append(raw, bytes...)
		}
		return []string{oracleLossy(raw)}
	case "ByteFallback":
		var run []byte
		end := func() {
			if utf8.Valid(run) {
				out = append(out, string(run))
			} else {
				for range run {
					out = append(out, "\uFFFD")
				}
			}
			run = nil
		}
		for _, token := range tokens {
			if len(token) == 6 && strings.HasPrefix(token, "<0x") && token[5] == '>' {
				digits, high := strings.ToLower(token[3:5]), 0
				if digits[0] != '+' { // Rust reads +5 as 5
					high = strings.IndexByte("0123456789abcdef", digits[0])
				}
				if low := strings.IndexByte("0123456789abcdef", digits[1]); high >= 0 && low >= 0 {
					run = append(run, byte(16*high+low))
					continue
				}
			}
			end()
			out = append(out, token)
		}
		end()
		return out
	case "Replace":
		from, _ := d.Get("pattern").Get("String").AsString()
		for _, token := range tokens {
			out = append(out, strings.Join(strings.Split(token, from), text("content")))
		}
		return out
	case "Strip":
		n, _ := d.Get("start").AsInt()
		for _, token := range tokens {
			for i := int64(0); i < n && strings.HasPrefix(token, text("content")); i++ {
				token = token[len(text("content")):]
			}
			out = append(out, token)
		}
		return out
	case "Metaspace":
		for i, token := range tokens {
			space := " "
			if i == 0 && text("prepend_scheme") != "never" {
				space = ""
			}
			out = append(out, strings.Join(strings.Split(token, text("replacement")), space))
		}
		return out
	case "WordPiece":
		for i, token := range tokens {
			if i > 0 && strings.HasPrefix(token, text("prefix")) {
				token = token[len(text("prefix")):]
			} else if i > 0 {
				token = " " + token
			}
			if yes("cleanup") {
				token = oracleClean(token)
			}
			out = append(out, token)
		}
		return out
	case "BPEDecoder":
		for i, token := range tokens {
			space := " "
			if i == len(tokens)-1 {
				space = ""
			}
			out = append(out, strings.Join(strings.Split(token, text("suffix")), space))
		}
		return out
	case "CTC":
		for i, token := range tokens {
			if i > 0 && tokens[i-1] == token {
				continue
			}
			token = strings.Join(strings.Split(token, text("pad_token")), "")
			if yes("cleanup") {
				token = strings.Join(strings.Split(oracleClean(token), text("word_delimiter_token")), " ")
			}
			out = append(out, token)
		}
		return out
	default:
		t.Fatalf("the oracle has no decoder %q", kind)
		return nil
	}
}

func oracleClean(s string) string {
	for _, p := range []string{" .|.", " ?|?", " !|!", " ,|,", " ' |'", " n't|n't", " 'm|'m", " do not| don't", " 's|'s", " 've|'ve", " 're|'re"} {
		from, to, _ := strings.Cut(p, "|")
		s = strings.Join(strings.Split(s, from), to)
	}
	return s
}

// oracleAlphabet is GPT-2's table: the character of each byte, in order.
var oracleAlphabet = func() string {
	var b strings.Builder
	extra := rune(256)
	for i := range rune(256) {
		if i > 32 && i < 127 || i > 160 && i != 173 {
			b.WriteRune(i)
		} else {
			b.WriteRune(extra)
			extra++
		}
	}
	return b.String()
}()

// oracleLossy makes each longest start of a character that is not one U+FFFD.
func oracleLossy(raw []byte) string {
	var b strings.Builder
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		if r == utf8.RuneError && n <= 1 {
			n = 1
			for n < len(raw) && n < utf8.UTFMax && oracleStarts(raw[:n+1]) {
				n++
			}
			b.WriteRune(utf8.RuneError)
		} else {
			b.Write(raw[:n])
		}
		raw = raw[n:]
	}
	return b.String()
}

// oracleStarts tells whether some character begins with these bytes.
func oracleStarts(p []byte) bool {
	switch len(p) {
	case 1:
		return p[0] >= 0xC2 && p[0] <= 0xF4
	case 2: // the middle continuation bytes are enough to try
		for _, c := range []string{string(p) + "\x80", string(p) + "\x80\x80"} {
			if utf8.ValidString(c) {
				return true
			}
		}
		return false
	case 3:
		return utf8.ValidString(string(p) + "\x80")
	}
	return false
}
