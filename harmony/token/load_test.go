package token

import (
	"errors"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

func TestLoadDefault(t *testing.T) {
	v := shippedVocabulary(t, "beam")
	if got := v.Size(); got != 570 {
		t.Errorf("size %d", got)
	}
	if id, ok := v.ID("<|return|>"); !ok || id != 569 {
		t.Errorf("<|return|> is %d, %v", id, ok)
	}
	if n := len(v.Added()); n != 7 {
		t.Errorf("%d added tokens", n)
	}
	if a := v.Added()[6]; a != (Added{ID: 569, Text: "<|return|>", Special: true}) {
		t.Errorf("%+v", a)
	}
	if _, ok := v.Text(570); ok {
		t.Error("an id that no token has")
	}
	if _, ok := v.ID("<|none|>"); ok {
		t.Error("a token that there is not")
	}
}

// What cannot be loaded is refused with its path.
func TestLoadErrors(t *testing.T) {
	model := `"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}`
	added := func(token string) string { return `{"added_tokens": [` + token + `], ` + model + `}` }
	decoder := func(d string) string { return `{"decoder": ` + d + `, ` + model + `}` }
	sequence := func(d string) string {
		return decoder(`{"type": "Sequence", "decoders": [` + d + `]}`)
	}
	const level = `{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true}`
	const word = `{"type": "WordPiece", "prefix": "##", "cleanup": true}`
	for _, c := range []struct{ text, want string }{
		{``, "tokenizer.json: is not JSON"},
		{`[]`, "tokenizer.json: must be an object, but is array"},
		{`{}`, "tokenizer.json: model: must be an object"},
		{`{"model": {}}`, "model.vocab: must hold the tokens"},
		{`{"model": {"vocab": {"a": "b"}}}`, "model.vocab.a: must be an id"},
		{`{"model": {"vocab": {"a": -1}}}`, "model.vocab.a: the id -1 is not between 0 and 65552"},
		{`{"model": {"vocab": {"a": 65553}}}`, "model.vocab.a: the id 65553 is not between"},
		{`{"model": {"vocab": {"a": 1, "Ġb": 1}}}`, `model.vocab["\u0120b"]: has the id 1, which "a" has`},
		{`{"model": {"vocab": {"a\ud800": 1}}}`, `model.vocab["a\ud800"]: has half of a surrogate pair`},
		{`{"model": {"vocab": [["a"]]}}`, "model.vocab[0]: must be a token and its score"},
		{`{"model": {"vocab": [["a", 0], [1, 0]]}}`, "model.vocab[1][0]: must be a token"},
		{`{"added_tokens": {}, ` + model + `}`, "added_tokens: must be a list"},
		{added(`{"content": 1}`), "added_tokens[0].content: must be a string"},
		{added(`{"content": "x"}`), "added_tokens[0].special: must be true or false"},
		{decoder(`"ByteLevel"`), "decoder.type: a decoder must be an object with a type"},
		{decoder(`{"type": "New"}`), `decoder.type: the decoder "New" is not known`},
		{decoder(`{"type": "Sequence"}`), "decoder.decoders: must be a list"},
		{sequence(level + `,{"type": "Fuse"},` + word), "decoder.decoders[2]: the decoder WordPiece is supported only before"},
		{sequence(`{"type": "Fuse"},{"type": "ByteFallback"}`), "decoder.decoders[1]: the decoder ByteFallback is supported only before"},
		{sequence(`{"type": "ByteFallback"},` + level), "decoder.decoders[1]: the decoder ByteLevel is supported only before"},
		{sequence(`{"type": "ByteFallback"},{"type": "Strip", "content": " ", "start": 1, "stop": 0}`), "decoder.decoders[1]: the decoder Strip is not supported between"},
		{sequence(word + `,{"type": "CTC", "pad_token": "p", "word_delimiter_token": "|", "cleanup": true}`), "decoder.decoders[1]: the decoder CTC is supported only as the first"},
		{sequence(`{"type": "BPEDecoder", "suffix": "</w>"},` + level), "decoder.decoders[1]: the decoder ByteLevel is not supported behind"},
		{decoder(`{"type": "BPEDecoder", "suffix": ""}`), "decoder: the decoder BPEDecoder needs a suffix"},
		{decoder(`{"type": "CTC", "pad_token": "", "word_delimiter_token": "|", "cleanup": true}`), "decoder: the decoder CTC needs"},
		{decoder(`{"type": "WordPiece", "prefix": "##"}`), "decoder.cleanup: must be true or false"},
		{decoder(`{"type": "Replace", "pattern": {"Regex": "a+"}, "content": ""}`), `decoder.pattern.Regex: the pattern "a+"`},
		{decoder(`{"type": "Replace", "pattern": {"String": ""}, "content": ""}`), "decoder.pattern.String: an empty pattern"},
		{decoder(`{"type": "BPEDecoder", "suffix": "\udc00"}`), "decoder.suffix: has half of a surrogate pair"},
		{decoder(`{"type": "Strip", "content": "ab", "start": 1, "stop": 0}`), "decoder.content: must be one character"},
		{decoder(`{"type": "Strip", "content": "a", "start": -1, "stop": 0}`), "decoder.start: must be a number"},
		{decoder(`{"type": "Strip", "content": "a", "start": 0, "stop": 1}`), "decoder.stop: stripping at the end"},
		{decoder(`{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "last"}`), "decoder.prepend_scheme: must be always, first or never"},
		{decoder(`{"type": "Metaspace", "replacement": "▁", "add_prefix_space": false, "prepend_scheme": "always"}`), "decoder.add_prefix_space: is false"},
		{`{"normalizer": {"type": "NFC"}, "added_tokens": [{"content": "é", "special": false, "single_word": false, "lstrip": false, "rstrip": false, "normalized": true}], ` + model + `}`,
			`normalizer: the normalizer NFC is not supported on the added token "é"`},
		{`{"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {}]}, ` + model + `}`, "normalizer.normalizers[1].type: a normalizer must be"},
	} {
		_, err := Load([]byte(c.text))
		var load *LoadError
		if !errors.As(err, &load) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// A configuration that cannot be read is refused with its path.
func TestConfigureErrors(t *testing.T) {
	v := shippedVocabulary(t, "beam")
	for _, c := range []struct{ text, want string }{
		{`{"added_tokens_decoder": null}`, "tokenizer_config.json: added_tokens_decoder: must be an object"},
		{`{"added_tokens_decoder": []}`, "tokenizer_config.json: added_tokens_decoder: must be an object"},
		{`{"added_tokens_decoder": {"x": {"content": "a"}}}`, "added_tokens_decoder.x: is no id"},
		{`{"added_tokens_decoder": {"1": {}}}`, "added_tokens_decoder.1.content: must be a string"},
		{`{"eos_token": 1}`, "tokenizer_config.json: eos_token.content: must be a string"},
		{`{"extra_special_tokens": ["a", {}]}`, "tokenizer_config.json: extra_special_tokens[1].content: must be a string"},
		{`{"special_tokens_map.json": []}`, "special_tokens_map.json: must be an object"},
		{`{"special_tokens_map.json": {"eos_token": ["a"]}}`, "special_tokens_map.json: eos_token.content: must be a string"},
		{`{"added_tokens.json": "a"}`, "added_tokens.json: must be an object, but is string"},
		{`{"added_tokens.json": {"a": "8"}}`, "added_tokens.json: a: must be an id"},
	} {
		config, err := value.Loads(c.text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = v.Configure(Configuration{Config: config, Special: config.Get("special_tokens_map.json"), Added: config.Get("added_tokens.json")})
		var load *LoadError
		if !errors.As(err, &load) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}
