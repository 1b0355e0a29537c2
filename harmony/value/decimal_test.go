package value

import "testing"

func TestExact(t *testing.T) {
	for _, c := range []struct {
		text  string
		float float64
		want  bool
	}{
		{"0.1", 0.1, true}, {"1.50", 1.5, true}, {"15e-1", 1.5, true}, {"-0", 0, true}, {"0e99999999999999999999", 0, true}, {"100", 100, true}, {"1E+2", 100, true},
		{"0.1000000000000000055", 0.1, false}, {"1e-400", 0, false}, {"9007199254740993", 9007199254740992, false}, {"-1.5", 1.5, false},
		{".5", 0.5, false}, {"+5", 5, false}, {"05", 5, false}, {"5.", 5, false}, {"1e", 1, false}, {"", 0, false}, {"x", 0, false},
	} {
		if got := Exact(c.text, c.float); got != c.want {
			t.Errorf("%q is %v: %v, want %v", c.text, c.float, got, c.want)
		}
	}
}

func TestInexactIsTold(t *testing.T) {
	const text = `{"a":[1.5,0.10000000000000000001],"b":1e-400,"c":12345678901234567890123}`
	told := ""
	if _, err := (LoadOptions{Inexact: func(from, to int) { told += text[from:to] + " " }}).Loads(text); err != nil || told != "0.10000000000000000001 1e-400 " {
		t.Errorf("told of %q, %v", told, err)
	}
}
