package token

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Forged finds the added tokens that the texts of a request spell: what a caller
// writes as letters, encoding makes control tokens of ([LawForged]). It looks at
// every string of the request, names of members included, wherever the template
// puts it, in the request's order. The path of a name is that of its member. The
// error is a *ScanError.
//
// A request that is Go values gives them with the methods Value of its messages
// and tools.
func Forged(v *Vocabulary, request value.Value) ([]Finding, error) {
	f := &forger{v: v}
	f.walk(request, "")
	return f.found, f.err
}

type forger struct {
	v     *Vocabulary
	found []Finding
	err   error
}

func (f *forger) walk(v value.Value, path string) {
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		f.text(s, path, "")
	case value.KindArray:
		list, _ := v.AsArray()
		for i, item := range list.All() {
			f.walk(item, fmt.Sprintf("%s[%d]", path, i))
		}
	case value.KindObject:
		o, _ := v.AsObject()
		for name, member := range o.All() {
			at := memberPath(path, name)
			f.text(name, at, "the name of a member ")
			f.walk(member, at)
		}
	}
}

func (f *forger) text(s, path, what string) {
	matches, err := f.v.Scan(s)
	if err != nil && f.err == nil {
		f.err = err
	}
	for _, m := range matches {
		token := f.v.tokens[m.ID].text
		f.found = append(f.found, Finding{Law: LawForged, Path: path, Offset: m.Text.Start, Token: token,
			Detail: fmt.Sprintf("%swrites the token %s (id %d); leave it out, or encode safely (sanitize_control_tokens)", what, token, m.ID)})
	}
}

// memberPath is the JSON path of a member; a name that is no plain word is quoted.
func memberPath(path, name string) string {
	plain := name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
	switch {
	case !plain:
		return path + "[" + value.Dumps(value.String(name)) + "]"
	case path == "":
		return name
	}
	return path + "." + name
}
