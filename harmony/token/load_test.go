package token

import (
	"os"
	"testing"
)

func defaultVocabulary(t testing.TB) *Vocabulary {
	t.Helper()
	data, err := os.ReadFile("../../reference/checkpoint/beam/tokenizer.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := Load(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestLoadDefault(t *testing.T) {
	v := defaultVocabulary(t)
	if got := v.Size(); got != 570 {
		t.Errorf("size %d", got)
	}
	if id, ok := v.ID("<|return|>"); !ok || id != 569 {
		t.Errorf("<|return|> is %d, %v", id, ok)
	}
	if n := len(v.Added()); n != 7 {
		t.Errorf("%d added tokens", n)
	}
}
