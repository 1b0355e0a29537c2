package corpus

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// before is what the page leaves to its reader: the fragment that introduces
// parse_response goes on from the tool loop before it.
var before = map[string]string{
	"message = tokenizer.parse_response(generated, prefix=prompt, tools=tools)": "tools = [get_weather]\n" +
		"generated = \"<|channel|>analysis<|message|>Done.<|end|><|start|>assistant<|channel|>final<|message|>London is cooler.<|return|>\"\n",
}

var fence = regexp.MustCompile("^( *)```(\\w+)")

// extract takes the code blocks out of a page. A text block that follows a
// python block with nothing between is what that block prints.
func extract(page string) []Block {
	var list []Block
	lines := strings.SplitAfter(page, "\n")
	adjacent := false // only blank lines stand since the last block
	for i := 0; i < len(lines); i++ {
		m := fence.FindStringSubmatch(lines[i])
		if m == nil {
			adjacent = adjacent && strings.TrimSpace(lines[i]) == ""
			continue
		}
		b := Block{Line: i + 1, Lang: m[2]}
		for i++; strings.TrimSpace(lines[i]) != "```"; i++ {
			b.Text += strings.TrimPrefix(lines[i], m[1])
		}
		if last := len(list) - 1; b.Lang == "text" && adjacent && list[last].Lang == "python" {
			list[last].Prints = b.Text
			adjacent = false
			continue
		}
		for line, code := range before {
			if strings.Contains(b.Text, line) {
				b.Before = code
			}
		}
		list = append(list, b)
		adjacent = true
	}
	return list
}

// write writes blocks as blocks.toml has them.
func write(list []Block) string {
	var b strings.Builder
	b.WriteString("# The code blocks of beam-harmony-format.md, in order, taken out of it by\n" +
		"# go test ./corpus -run Blocks -update. Do not edit.\n")
	for _, block := range list {
		fmt.Fprintf(&b, "\n[[block]]\nline = %d\nlang = %q\n", block.Line, block.Lang)
		for _, m := range []struct{ key, text string }{{"before", block.Before}, {"text", block.Text}, {"prints", block.Prints}} {
			if m.text != "" {
				fmt.Fprintf(&b, "%s = '''\n%s'''\n", m.key, m.text)
			}
		}
	}
	return b.String()
}

// The blocks in blocks.toml are those of the page.
func TestBlocksAreThePage(t *testing.T) {
	want := extract(Page)
	if *update {
		if err := os.WriteFile("documentation/blocks.toml", []byte(write(want)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got := Blocks()
	if len(got) != len(want) {
		t.Fatalf("blocks.toml has %d blocks, the page has %d; go test ./corpus -run Blocks -update", len(got), len(want))
	}
	python, printing := 0, 0
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("block %d differs from line %d of the page: %+v", i, want[i].Line, got[i])
		}
		if got[i].Lang == "python" {
			python++
			if got[i].Prints != "" {
				printing++
			}
		}
	}
	// Only the set-up and the fragment print nothing.
	if python != 18 || printing != 16 {
		t.Errorf("%d python blocks, of which %d print; want 18, 16", python, printing)
	}
}

func TestBlockCheck(t *testing.T) {
	b := Block{Line: 9, Prints: "a\nb\n"}
	for _, tt := range []struct{ printed, err string }{
		{"a\nb\n", ""},
		{"a\nb", `in its line 2, "b"; the page says "b\n"`},
		{"a\nb\nc\n", `in its line 3, "c\n"; the page says ""`},
		{"a\n", `in its line 2, ""; the page says "b\n"`},
		{"", `in its line 1, ""; the page says "a\n"`},
	} {
		err := b.Check(tt.printed)
		if (err == nil) != (tt.err == "") || err != nil && !strings.HasSuffix(err.Error(), tt.err) {
			t.Errorf("Check(%q): %v; want %s", tt.printed, err, tt.err)
		}
	}
}
