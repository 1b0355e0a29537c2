package token_test

import (
	"testing"

	"github.com/beamdiff/beamdiff/harmony/token"
)

// Marker marks what re.sub of the reference marks: from the left, and of several
// tokens at one place the longest.
func TestMarker(t *testing.T) {
	const s, e = "\U000f0000", "\U000f0001"
	for _, tt := range []struct {
		control []string
		text    string
		want    string
	}{
		{[]string{"<a>"}, "", ""},
		{[]string{"<a>"}, "x<a>y<a>", "x" + s + "<a>" + e + "y" + s + "<a>" + e},
		{[]string{"<a>", "<a><b>", "<b>"}, "<a><b><b>", s + "<a><b>" + e + s + "<b>" + e},
		{[]string{"aa", "a"}, "aaa", s + "aa" + e + s + "a" + e},
		{[]string{"éé", "xyz"}, "éé", s + "éé" + e}, // by characters, xyz is the longer one
		{[]string{"<a>"}, s + "<a>" + e, s + "<a>" + e},
		{[]string{"<a>"}, "<" + e + "a>", s + "<a>" + e},
		{[]string{".*"}, "ab.*", "ab" + s + ".*" + e},
		{nil, "<a>" + s, "<a>"},
		{[]string{""}, "<a>", "<a>"},
		{[]string{"\xff", "a"}, "\xffa", s + "\xff" + e + s + "a" + e},
		{[]string{"<a>"}, "\xed\xa0\x80<a>\xed\xb0\x80", "\xed\xa0\x80" + s + "<a>" + e + "\xed\xb0\x80"},
	} {
		marked := token.NewMarker(tt.control).Mark(tt.text)
		if marked != tt.want {
			t.Errorf("%q of %q: %q, want %q", tt.text, tt.control, marked, tt.want)
		}
		if again := token.NewMarker(tt.control).Mark(marked); again != marked {
			t.Errorf("%q is marked again: %q", marked, again)
		}
		if plain := token.Unmark(marked); plain != token.NewMarker(nil).Mark(tt.text) {
			t.Errorf("%q without its marks: %q", marked, plain)
		}
	}
}

func TestUnsafeError(t *testing.T) {
	for tok, want := range map[string]string{"<a>": `'<a>'`, "it's": `"it's"`, `'"`: `'\'"'`, "\\\n": `'\\\n'`} {
		e := &token.UnsafeError{Token: tok}
		if got := "Can't sanitize " + want + ": the tokenizer produces it from plain text"; e.Error() != got {
			t.Errorf("%s, want %s", e, got)
		}
	}
}
