package recipe

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

const hashText = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

const goodList = `
[package.fetched]
version = "1.2.3"
sha256 = "` + hashText + `"
license = "MIT"
given = { NEW = true }

[package.here]
version = "4.5"
installed = true

[[checkpoint]]
name = "one.2-x"
format = "gpt-oss"
chat_template = { package = "fetched", file = "fetched/a.jinja" }
training_template = { package = "fetched", file = "fetched/a_training.jinja" }
response_template = { package = "here", file = "here/m.py", variable = "ALL", key = "one" }
special_tokens = { bos_token = "<s>" }
note = "a note"

[[checkpoint]]
name = "two"
format = "other"
response_template = { package = "fetched", file = "fetched/m.py", variable = "two" }
`

func TestDecode(t *testing.T) {
	l, err := Decode([]byte(goodList), "list.toml")
	if err != nil {
		t.Fatal(err)
	}
	one, training, two := l.Find("one.2-x"), l.Find("one.2-x-training"), l.Find("two")
	if !slices.Equal(l.Recipes, []*Recipe{one, training, two}) {
		t.Fatalf("recipes %v", l.Recipes)
	}
	if one.Format != "gpt-oss" || one.Note != "a note" || one.Of != "" || one.SpecialTokens["bos_token"] != "<s>" ||
		one.ChatTemplate != (Source{Package: l.Packages[0], File: "fetched/a.jinja"}) ||
		one.ResponseTemplate != (Source{Package: l.Packages[1], File: "here/m.py", Variable: "ALL", Key: "one"}) {
		t.Errorf("got %+v", one)
	}
	if training.Of != "one.2-x" || training.ChatTemplate.File != "fetched/a_training.jinja" || training.ResponseTemplate != one.ResponseTemplate {
		t.Errorf("got %+v", training)
	}
	if two.ChatTemplate != (Source{}) || l.Find("three") != nil {
		t.Errorf("got %+v", two)
	}
	if p := l.Packages[0]; p.Installed() || !p.Given["NEW"] || p.License != "MIT" || !l.Packages[1].Installed() {
		t.Errorf("got %+v", p)
	}
	if got := one.Title(); got != "one.2-x (fetched 1.2.3, here 4.5)" {
		t.Errorf("the title is %q", got)
	}
}

// A folder's name changes with all that the folder is made from, and with
// nothing else.
func TestFolder(t *testing.T) {
	folders := map[string]string{}
	of := func(text string) string {
		l, err := Decode([]byte(text), "list.toml")
		if err != nil {
			t.Fatal(err)
		}
		return l.Find("one.2-x").folder()
	}
	first := of(goodList)
	for _, same := range [][2]string{{"a note", "another"}, {`"MIT"`, `"BSD"`}, {`"gpt-oss"`, `"other"`}} {
		if got := of(strings.Replace(goodList, same[0], same[1], 1)); got != first {
			t.Errorf("%s changes the folder", same[0])
		}
	}
	for _, other := range [][2]string{
		{"0123", "1123"}, {"1.2.3", "1.2.4"}, {"a.jinja", "b.jinja"}, {`"ALL"`, `"ANY"`}, {`key = "one"`, `key = "two"`}, {"<s>", "<b>"}, {"NEW = true", "NEW = false"},
	} {
		got := of(strings.Replace(goodList, other[0], other[1], 1))
		if folders[got] != "" || got == first {
			t.Errorf("%s does not change the folder", other[0])
		}
		folders[got] = other[0]
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"license", "licence", "list.toml: package.fetched.licence: is no key of a list"},
		{"note =", "notes =", "checkpoint.notes: is no key"},
		{"key = \"one\"", "keys = \"one\"", "checkpoint.response_template.keys: is no key"},
		{`version = "1.2.3"`, `version = ">=1"`, `fetched: version: must be one version, but is ">=1"`},
		{hashText, "0123", "fetched: sha256: must be the 64 hex digits"},
		{hashText, strings.ToUpper(hashText), "fetched: sha256: must be the 64 hex digits"},
		{"installed = true", "installed = true\nsha256 = \"" + hashText + "\"", "here: sha256: is for a package that is fetched"},
		{"installed = true", "", "here: sha256: must be"},
		{"NEW = true", `"a b" = true`, `fetched: given: "a b" is not the name of a variable`},
		{"[package.here]", `[package."he re"]`, "he re: is not the name of a package"},
		{`name = "two"`, `name = "one.2-x"`, "one.2-x: name: is that of another recipe too"},
		{`name = "two"`, `name = "one.2-x-training"`, "one.2-x-training: name: is that of another recipe too"},
		{`name = "two"`, `name = "Two"`, "Two: name: must be small letters"},
		{`name = "two"`, `name = "a/b"`, "name: must be small letters"},
		{`name = "two"`, ``, "checkpoint 2: name: must be"},
		{`format = "other"`, `format = "a_b"`, "two: format: must be"},
		{`response_template = { package = "fetched", file = "fetched/m.py", variable = "two" }`, "", "two: has neither a chat_template nor a response_template"},
		{`response_template = { package = "fetched", file = "fetched/m.py", variable = "two" }`, `training_template = { package = "fetched", file = "x" }
response_template = { package = "fetched", file = "fetched/m.py", variable = "two" }`, "two: training_template: is a variant"},
		{`package = "fetched", file = "fetched/m.py"`, `package = "none", file = "fetched/m.py"`, `two: response_template: "none" is no package`},
		{`"fetched/a.jinja"`, `"../a.jinja"`, `one.2-x: chat_template: "../a.jinja" is not the path`},
		{`"fetched/a.jinja"`, `"/etc/passwd"`, "is not the path"},
		{`"fetched/a.jinja"`, `'a\..\b'`, "is not the path"},
		{`"fetched/a.jinja"`, `""`, "is not the path"},
		{`"fetched/a.jinja"`, `"a", variable = "b"`, "one.2-x: chat_template: is a whole file"},
		{`variable = "two"`, `variable = "two()"`, "two: response_template: variable must name"},
		{"bos_token", "box_token", `one.2-x: special_tokens: "box_token" is no special token`},
		{`name = "two"`, `name = 2`, "list.toml"},
		{`name = "two"`, "name = \"two\"\nname = \"two\"", "list.toml:23"},
		{`[[checkpoint]]`, `[[checkpoint`, "list.toml:"},
	} {
		text := strings.Replace(goodList, c.from, c.to, 1)
		if c.from == `name = "two"` || strings.HasPrefix(c.from, `response_template = { package = "fetched"`) {
			text = goodList[:strings.LastIndex(goodList, c.from)] + c.to + goodList[strings.LastIndex(goodList, c.from)+len(c.from):]
		}
		_, err := Decode([]byte(text), "list.toml")
		var list *ListError
		if !errors.As(err, &list) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got %v, want %s", c.to, c.from, err, c.want)
		}
	}
	_, err := Decode([]byte("a = "), "list.toml")
	var parse toml.ParseError
	if !errors.As(err, &parse) {
		t.Errorf("the parser's error is not kept: %v", err)
	}
}
