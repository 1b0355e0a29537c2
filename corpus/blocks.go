package corpus

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

// Block is a code block of the documentation.
type Block struct {
	Line int    `toml:"line"` // of the page, from 1, on which the fence stands
	Lang string `toml:"lang"` // "python", or "text" for an illustration
	Text string `toml:"text"` // without the indent of the page
	// Prints is what a python block prints, or "" where the page shows nothing.
	// An exception is its last line, as Class: message.
	Prints string `toml:"prints"`
	// Before is code that must run first: names that the page leaves to its
	// reader.
	Before string `toml:"before"`
}

// Page is the documentation of Beam Harmony, as it was published: the page that
// the documentation suite proves line by line.
//
//go:embed documentation/beam-harmony-format.md
var Page string

//go:embed documentation/blocks.toml
var blocksData string

var blocks = sync.OnceValues(func() ([]Block, error) {
	var file struct {
		Block []Block `toml:"block"`
	}
	meta, err := toml.Decode(blocksData, &file)
	if err == nil && len(meta.Undecoded()) > 0 {
		err = fmt.Errorf("blocks.toml: unknown key %s", meta.Undecoded()[0])
	}
	return file.Block, err
})

// Blocks gives the code blocks of the page, in order. Run one after the other in
// one namespace, with BEAM_MODEL_ID set, the python blocks print what the page
// prints. The slice is shared.
func Blocks() []Block {
	list, err := blocks()
	if err != nil {
		panic(err) // a test of this package reads them
	}
	return list
}

// Check compares what a python block printed, and Class: message if it raised,
// with what the page prints. The error shows the first line that differs.
func (b *Block) Check(printed string) error {
	if printed == b.Prints {
		return nil
	}
	want, got := strings.SplitAfter(b.Prints, "\n"), strings.SplitAfter(printed, "\n")
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	line := func(lines []string) string {
		if i < len(lines) {
			return fmt.Sprintf("%q", lines[i])
		}
		return "nothing more"
	}
	return fmt.Errorf("the block at line %d of the page prints, in its line %d, %s; the page says %s", b.Line, i+1, line(got), line(want))
}
