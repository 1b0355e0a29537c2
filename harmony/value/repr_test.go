package value

import "testing"

// The texts are those of CPython 3.14.
func TestRepr(t *testing.T) {
	for _, tt := range []struct{ json, want string }{
		{`null`, "None"}, {`true`, "True"}, {`false`, "False"}, {`12345678901234567890123`, "12345678901234567890123"},
		{`1.0`, "1.0"}, {`1e16`, "1e+16"}, {`NaN`, "nan"}, {`Infinity`, "inf"}, {`-Infinity`, "-inf"},
		{`"a"`, "'a'"}, {`"it's"`, `"it's"`}, {`"it's \"q\""`, `'it\'s "q"'`}, {`"\\ \n\r\t\u0000\u007f\u00a0\u00ad\u200b\ud800"`, `'\\ \n\r\t\x00\x7f\xa0\xad\u200b\ud800'`},
		{`"\ue000\udb40\udc01é日😀"`, `'\ue000\U000e0001é日😀'`},
		{`[]`, "[]"}, {`{}`, "{}"}, {`[1, "a", [null]]`, "[1, 'a', [None]]"}, {`{"a": {"b": true}, "c": []}`, "{'a': {'b': True}, 'c': []}"},
	} {
		v, err := Loads(tt.json)
		if err != nil {
			t.Fatal(err)
		}
		if got := Repr(v); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.json, got, tt.want)
		}
	}
	loop := List()
	a, _ := loop.AsArray()
	a.Append(loop)
	if got := Repr(loop); len(got) > 2*MaxDepth+10 {
		t.Errorf("%d bytes of a value that holds itself", len(got))
	}
}
