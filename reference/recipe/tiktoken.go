package recipe

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// o200kHarmony is the form of a tokenizer's source that is OpenAI's list of
// o200k_base, a line each: a token in base 64 and its rank. The tokenizer is that
// of gpt-oss: the same tokens, and OpenAI Harmony's special ones behind them.
const o200kHarmony = "o200k-harmony"

// o200kSize is the number of ranks of o200k_base.
const o200kSize = 199998

// o200kSplit cuts a text into the words that are encoded by themselves (o200k_base
// in tiktoken_ext/openai_public.py).
const o200kSplit = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
	`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
	`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`

// harmonySpecial are the special tokens of OpenAI Harmony by their ids, which
// begin behind the ranks; ids between them are reserved.
var harmonySpecial = map[int]string{
	199998: "<|startoftext|>", 199999: "<|endoftext|>", 200002: "<|return|>", 200003: "<|constrain|>", 200005: "<|channel|>",
	200006: "<|start|>", 200007: "<|end|>", 200008: "<|message|>", 200012: "<|call|>", 200018: "<|endofprompt|>",
}

const harmonyLast = 200018

// tiktokenJSON makes the tokenizer.json of gpt-oss from a list of ranks.
//
// tiktoken joins the two neighbours whose joint token has the lowest rank. The
// merges that say the same are all pairs that make a token, in the order of that
// token's rank, those of one token in the order of their own ranks; and a word
// that is a token stays whole (ignore_merges).
func tiktokenJSON(list string) ([]byte, error) {
	tokens, ranks, err := readRanks(list)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.Grow(12 << 20)
	b.WriteString(`{"version":"1.0","truncation":null,"padding":null,"added_tokens":[`)
	for id := o200kSize; id <= harmonyLast; id++ {
		text, ok := harmonySpecial[id]
		if !ok {
			text = fmt.Sprintf("<|reserved_%d|>", id)
		}
		if id > o200kSize {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"content":%q,"single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true}`, id, text)
	}
	const level = `{"type":"ByteLevel","add_prefix_space":%v,"trim_offsets":%v,"use_regex":%v}`
	b.WriteString(`],"normalizer":null,"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":` +
		value.Dumps(value.String(o200kSplit)) + `},"behavior":"Isolated","invert":false},` + fmt.Sprintf(level, false, true, false) + `]},`)
	b.WriteString(`"post_processor":` + fmt.Sprintf(level, true, false, true) + `,"decoder":` + fmt.Sprintf(level, true, true, true) + `,`)
	b.WriteString(`"model":{"type":"BPE","dropout":null,"unk_token":null,"continuing_subword_prefix":null,"end_of_word_suffix":null,` +
		`"fuse_unk":false,"byte_fallback":false,"ignore_merges":true,"vocab":{`)
	written := make([]string, len(tokens)) // the tokens as JSON, without quotes
	for rank, token := range tokens {
		written[rank] = byteLevel(token)
		if rank > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + written[rank] + `":` + strconv.Itoa(rank))
	}
	b.WriteString(`},"merges":[`)
	some := false
	var pairs [][2]int
	for _, token := range tokens {
		pairs = pairs[:0]
		for i := 1; i < len(token); i++ {
			left, ok := ranks[token[:i]]
			right, also := ranks[token[i:]]
			if ok && also {
				pairs = append(pairs, [2]int{left, right})
			}
		}
		slices.SortFunc(pairs, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
		for _, p := range pairs {
			if some {
				b.WriteByte(',')
			}
			some = true
			b.WriteString(`"` + written[p[0]] + ` ` + written[p[1]] + `"`)
		}
	}
	b.WriteString("]}}\n")
	return []byte(b.String()), nil
}

// readRanks reads a list of ranks, which must be all from 0 on, in order.
func readRanks(list string) (tokens []string, ranks map[string]int, err error) {
	ranks = make(map[string]int, o200kSize)
	for line := range strings.Lines(list) {
		coded, number, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		token, bad := base64.StdEncoding.DecodeString(coded)
		rank, worse := strconv.Atoi(number)
		if !ok || bad != nil || worse != nil || rank != len(tokens) || len(token) == 0 {
			return nil, nil, fmt.Errorf("line %d is not a token in base 64 and the rank %d", len(tokens)+1, len(tokens))
		}
		if _, twice := ranks[string(token)]; twice {
			return nil, nil, fmt.Errorf("line %d has a token that has a rank already", rank+1)
		}
		ranks[string(token)] = rank
		tokens = append(tokens, string(token))
	}
	if len(tokens) != o200kSize {
		return nil, nil, fmt.Errorf("has %d tokens, not the %d of o200k_base", len(tokens), o200kSize)
	}
	for b := range 256 {
		if _, ok := ranks[string([]byte{byte(b)})]; !ok {
			return nil, nil, errors.New("does not have a token for each byte")
		}
	}
	return tokens, ranks, nil
}

// byteLevel writes a token with a character for each byte (GPT-2's table), as
// it stands in JSON.
func byteLevel(token string) string {
	out := make([]byte, 0, 2*len(token))
	for i := range len(token) {
		switch b := token[i]; {
		case b == '"' || b == '\\':
			out = append(out, '\\', b)
		case b > ' ' && b < 0x7F:
			out = append(out, b)
		default:
			out = utf8.AppendRune(out, levelChars[b])
		}
	}
	return string(out)
}

// levelChars are the characters that stand for bytes: the visible ones of Latin-1
// for themselves, those from U+0100 on for the others, in order.
var levelChars = func() (table [256]rune) {
	next := rune(0x100)
	for b := range rune(256) {
		if b > ' ' && b < 0x7F || b > 0xA0 && b != 0xAD {
			table[b] = b
			continue
		}
		table[b] = next
		next++
	}
	return table
}()
