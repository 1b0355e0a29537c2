package bench

import (
	"errors"
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/reference/openai"
	"github.com/beamdiff/beamdiff/reference/recipe"
)

// Peer is somebody else's implementation, run by a small program in bench/peers
// (peers/README.md tells what the programs read and write). Its packages are pinned
// there, and fetched from their registry when it is first asked, into the cache
// folder.
type Peer struct {
	// Name is that of the implementation; a program in Go or Rust has a folder of
	// that name.
	Name string
	// Package names what is measured, with its version.
	Package string
	// Parses and Renders are the formats of the replies that it reads and of the
	// prompts that it writes.
	Parses, Renders []string
	// Cargo says that its program is written in Rust.
	Cargo bool
	// Script is that of a program in Python; nil where it is Go or Rust.
	Script *Script
	// Otherwise are the inputs that the peer is known to read in another way than
	// they are meant, as patterns of names (see [Suite.Select]), and how. They have
	// no speed, and are told as missing; one that is read as meant ends the run.
	Otherwise map[string]string
}

// Script is a program in bench/peers/python, in an environment of its own.
type Script struct {
	// File is its name.
	File string
	// Lock is the file that pins its packages; "" where it needs none.
	Lock string
	// Modules are what it imports of them, or of Python's own where there are none.
	Modules []string
	// Reads is a file of a package that it reads from $PEER_FILES; nil where it needs
	// none.
	Reads func() recipe.Kept
}

// The formats that peers are of.
const (
	beamFormat   = "beam"
	openAIFormat = "gpt-oss"
)

// Peers are all, those too that this machine cannot run.
var Peers = []Peer{
	{Name: "ollama", Package: "github.com/ollama/ollama/harmony v0.17.4", Parses: []string{beamFormat, openAIFormat}, Otherwise: map[string]string{
		"Parse/kind=less-run":             "it holds back what may begin a marker at the end",
		"Parse/kind=name-before-final":    "it knows no marker but <|start|> that begins a message",
		"Parse/kind=regions-small":        "it knows no marker but <|start|> that begins a message",
		"Parse/kind=markers-in-prose":     "it knows no marker but <|message|> that ends a header",
		"Parse/format=gpt-oss/kind=calls": "it keeps the text of all calls of a reply as that of the last",
	}},
	{Name: "smg", Package: "smg-response-template 0.1.0", Parses: []string{beamFormat, openAIFormat}, Cargo: true},
	{Name: "openai-harmony", Package: "openai-harmony 0.0.8", Parses: []string{openAIFormat}, Renders: []string{openAIFormat},
		Script: &Script{File: "harmony.py", Lock: "../../../reference/openai/openai-harmony.lock", Modules: []string{"openai_harmony"}, Reads: openai.Vocabulary}},
	{Name: "oss-harmony", Package: "oss-harmony 0.0.11", Parses: []string{openAIFormat}, Renders: []string{openAIFormat},
		Script: &Script{File: "harmony.py", Lock: "oss-harmony.lock", Modules: []string{"openai_harmony"}}},
	{Name: "sglang", Package: "sglang 0.5.23, srt/parser/harmony_parser.py", Parses: []string{openAIFormat},
		Script: &Script{File: "sglang.py", Modules: []string{"dataclasses", "json", "re", "typing"}, Reads: sglangParser}},
	{Name: "minijinja", Package: "minijinja 3.1.0", Renders: []string{beamFormat, openAIFormat}, Cargo: true},
	{Name: "minijinja/from=python", Package: "minijinja 3.1.0 from Python", Renders: []string{beamFormat, openAIFormat},
		Script: &Script{File: "jinja.py", Lock: "minijinja.lock", Modules: []string{"minijinja"}}},
	{Name: "gonja", Package: "github.com/nikolalohinski/gonja/v2 v2.9.1", Renders: []string{beamFormat, openAIFormat}},
}

// sglangParser is one file of sglang, which needs nothing of the rest. Its wheels are
// of other releases of Python, for Linux: it is only read.
func sglangParser() recipe.Kept {
	wheel := &recipe.Package{Name: "sglang", Version: "0.5.23",
		SHA256: "10f0b2b29c8fea616e4b27cbbbb147f32a879bf3db71c9767425a3d9d77a36cb", Tag: "3.13-manylinux_2_34_x86_64"}
	return recipe.Kept{Source: recipe.Source{Package: wheel, File: "sglang/srt/parser/harmony_parser.py"},
		Name: "harmony_parser.py", SHA256: "630786e1acd69b98e6cd819a00711749a391a6059cb4fa5219093f8e9e47f821"}
}

// peerSizes are the inputs that peers are asked: enough for the growth.
var peerSizes = map[int]bool{4 << 10: true, 16 << 10: true, 64 << 10: true}

// PeerCases are the peers on the inputs of Default, and all that is measured of
// OpenAI Harmony.
func PeerCases() (s Suite) {
	for _, p := range Peers {
		if p.renders(beamFormat) {
			for _, in := range requestInputs() {
				if in.Size == 0 || peerSizes[in.Size] {
					s = append(s, p.known(in.case_(p.Name, p.renderer)))
				}
			}
		}
		if p.parses(beamFormat) {
			for _, in := range replyInputs() {
				if peerSizes[in.Size] && in.Cut != 1 {
					s = append(s, p.known(in.case_(p.Name, p.reader)))
				}
			}
		}
	}
	return append(s, openAICases()...)
}

func (p Peer) parses(format string) bool  { return slices.Contains(p.Parses, format) }
func (p Peer) renders(format string) bool { return slices.Contains(p.Renders, format) }

// known makes a case of the peer, on an input that it is known to read otherwise,
// one that holds it to that.
func (p Peer) known(c Case) Case {
	for pattern, how := range p.Otherwise {
		if !fits(pattern, c.Input()) {
			continue
		}
		prepare := c.Prepare
		c.Prepare = func(env *Env) (*Body, error) {
			body, err := prepare(env)
			var other *Misread
			switch {
			case errors.As(err, &other):
				return nil, &Unavailable{p.Package, how + ": " + other.Error()}
			case err == nil:
				return nil, fmt.Errorf("%s reads it as it is meant, and is listed to read it otherwise (%s)", p.Package, how)
			}
			return body, err
		}
	}
	return c
}
