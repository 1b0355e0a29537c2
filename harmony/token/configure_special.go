package token

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// The files of a [Configuration].
const (
	configFile  = "tokenizer_config.json"
	specialFile = "special_tokens_map.json"
	addedFile   = "added_tokens.json"
)

// specialNames are the keys of tokenizer_config.json that name a special token,
// in the order in which Transformers takes them.
var specialNames = []string{"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}

const (
	extraKey    = "extra_special_tokens"
	extraOldKey = "additional_special_tokens"
)

// specials are special tokens.
type specials struct {
	named    []Added
	standard int     // of named, those with standard names, which stand first
	extra    []Added // without names
	taken    map[string]bool
	err      error // the first
}

// specials reads the special tokens of the two files. Where both name one,
// special_tokens_map.json counts; of names of the model's own the other.
func (c Configuration) specials() *specials {
	l := &specials{taken: map[string]bool{}}
	if !c.Special.IsNull() && c.Special.Kind() != value.KindObject {
		l.err = &LoadError{File: specialFile, What: fmt.Sprintf("must be an object, but is %s", c.Special.Kind())}
		return l
	}
	theirs, _ := c.Special.AsObject()
	for _, name := range specialNames {
		if v, has := theirs.Get(name); has {
			l.name(specialFile, name, name, v)
		} else {
			l.name(configFile, name, name, c.Config.Get(name))
		}
	}
	l.standard = len(l.named)
	l.own(configFile, c.Config)
	config, special := c.Config.Get(extraKey), c.Special.Get(extraKey)
	if !config.Truthy() {
		if old := c.Config.Get(extraOldKey); old.Truthy() {
			config = old
		}
	}
	if config.IsNull() && special.IsNull() {
		special = c.Special.Get(extraOldKey)
	}
	l.object(configFile, config)
	l.object(specialFile, special)
	l.own(specialFile, c.Special)
	if special.Kind() != value.KindObject {
		l.list(configFile, config)
	}
	l.list(specialFile, special)
	return l
}

// token reads one: a text, or an added token. some is false where there is none.
func (l *specials) token(file, path string, v value.Value) (a Added, some bool) {
	a, some, err := namedToken(v, path)
	if err != nil && l.err == nil {
		l.err = inFile(file, err)
	}
	if file == specialFile && v.Kind() == value.KindObject {
		a.Special = true
		a.Normalized = a.Normalized && !v.Get("normalized").IsNull()
	}
	return a, some && err == nil
}

func (l *specials) name(file, path, name string, v value.Value) {
	if a, some := l.token(file, path, v); some && !l.taken[name] {
		l.taken[name] = true
		l.named = append(l.named, a)
	}
}

// own reads names of the model's own, such as image_token.
func (l *specials) own(file string, v value.Value) {
	o, _ := v.AsObject()
	for name, v := range o.All() {
		typed, _ := v.Get("__type").AsString()
		isToken := v.Kind() == value.KindString || v.Kind() == value.KindObject && (typed == "AddedToken" || file == specialFile)
		if strings.HasSuffix(name, "_token") && !slices.Contains(specialNames, name) && isToken {
			l.name(file, name, name, v)
		}
	}
}

// object reads extra tokens that have names.
func (l *specials) object(file string, v value.Value) {
	o, _ := v.AsObject()
	for name, v := range o.All() {
		l.name(file, memberPath(extraKey, name), name, v)
	}
}

// list reads extra tokens without names.
func (l *specials) list(file string, v value.Value) {
	items, ok := v.AsArray()
	if !ok {
		return
	}
	for i, item := range items.All() {
		a, some := l.token(file, fmt.Sprintf("%s[%d]", extraKey, i), item)
		if some && !slices.Contains(l.extra, a) {
			l.extra = append(l.extra, a)
		}
	}
}

// inFile names the file that an error is about.
func inFile(file string, err error) error {
	var load *LoadError
	if errors.As(err, &load) {
		load.File = file
	}
	return err
}

// namedToken reads a special token that a configuration names: a text, or an
// added token.
func namedToken(v value.Value, path string) (a Added, some bool, err error) {
	switch v.Kind() {
	case value.KindNull:
		return a, false, nil
	case value.KindString:
		text, _ := v.AsString()
		return Added{Text: text, Special: true}, text != "", nil
	}
	if a, err = readAdded(v, path, false); err != nil {
		return a, false, err
	}
	return a, a.Text != "", nil
}
