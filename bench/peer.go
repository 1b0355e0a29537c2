package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/python"
)

// Peer is somebody else's implementation, run by a small program of its own in
// bench/peers (peers/README.md tells what the programs read and write). Its
// packages are pinned there, and fetched from their registry when it is built, into
// the cache folder.
type Peer struct {
	// Name is that of its folder and of the implementation.
	Name string
	// Package names what is measured, with its version.
	Package string
	// Family is what it does: Parse or Render.
	Family string
	// Cargo says that it is written in Rust; else it is Go.
	Cargo bool
	// Absent says why there is no program that asks it; "" where there is one.
	Absent string
}

// Peers are all, those too that are shown as missing.
var Peers = []Peer{
	{Name: "ollama", Package: "github.com/ollama/ollama/harmony v0.17.4", Family: "Parse"},
	{Name: "smg", Package: "smg-response-template 0.1.0", Family: "Parse", Cargo: true},
	{Name: "minijinja", Package: "minijinja 3.1.0", Family: "Render", Cargo: true},
	{Name: "gonja", Package: "github.com/nikolalohinski/gonja/v2 v2.9.1", Family: "Render"},
	{Name: "openai-harmony", Package: "openai-harmony 0.0.8", Family: "Parse", Absent: notAsked},
	{Name: "oss-harmony", Package: "oss-harmony 0.0.11", Family: "Parse", Absent: notAsked},
	{Name: "sglang", Package: "sglang 0.5.23, srt/parser/harmony_parser.py", Family: "Parse", Absent: notAsked},
	{Name: "minijinja/from=python", Package: "minijinja 3.1.0 from Python", Family: "Render", Absent: notAsked},
}

// notAsked is why peers from Python's registry are missing.
const notAsked = "not measured: bench/peers has no program and no environment for packages from PyPI yet"

// peerSizes are the inputs that peers are asked: enough for the growth.
var peerSizes = map[int]bool{4 << 10: true, 16 << 10: true, 64 << 10: true}

// PeerCases are the peers on the inputs of Default.
func PeerCases() (s Suite) {
	for _, p := range Peers {
		if p.Family == "Render" {
			for _, in := range requestInputs() {
				if in.Size == 0 || peerSizes[in.Size] {
					s = append(s, in.case_(p.Name, p.renderer))
				}
			}
			continue
		}
		for _, in := range replyInputs() {
			if peerSizes[in.Size] && in.Cut != 1 {
				s = append(s, in.case_(p.Name, p.reader))
			}
		}
	}
	return s
}

// peerRequest and peerAnswer are a line each.
type peerRequest struct {
	Calls            int             `json:"calls"`
	Reply            string          `json:"reply,omitempty"`
	Cut              int             `json:"cut,omitempty"`
	ResponseTemplate json.RawMessage `json:"response_template,omitempty"`
	Request          json.RawMessage `json:"request,omitempty"`
	ChatTemplate     string          `json:"chat_template,omitempty"`
}

type peerAnswer struct {
	NS       int64  `json:"ns"`
	Thinking int    `json:"thinking"`
	Content  int    `json:"content"`
	Calls    int    `json:"tool_calls"`
	Text     string `json:"text"`
	Cannot   string `json:"cannot"`
}

func (p Peer) reader(env *Env, in *ReplyInput) (*Body, error) {
	want, err := in.Want()
	if err != nil {
		return nil, err
	}
	template := value.Dumps(checkpoint.Default().ResponseTemplate)
	r := peerRequest{Reply: in.Text(), Cut: in.Cut, ResponseTemplate: json.RawMessage(template)}
	return p.body(env, r, len(in.Text()), func(a peerAnswer) error {
		if got := (Tally{a.Thinking, a.Content, a.Calls}); got != want {
			return fmt.Errorf("it reads %+v, not %+v", got, want)
		}
		return nil
	})
}

func (p Peer) renderer(env *Env, in *RequestInput) (*Body, error) {
	want, err := in.Want()
	if err != nil {
		return nil, err
	}
	r := peerRequest{Request: json.RawMessage(in.Kind.Make(in.Size)), ChatTemplate: checkpoint.Default().Templates[0].Text}
	return p.body(env, r, len(want), func(a peerAnswer) error {
		if a.Text != want {
			return fmt.Errorf("it writes another prompt, %d bytes, not %d", len(a.Text), len(want))
		}
		return nil
	})
}

// body asks the peer's program. What it cannot do, or does otherwise, is told as
// missing: a wrong answer of somebody else's does not end the run, and has no
// speed.
func (p Peer) body(env *Env, r peerRequest, bytes int, check func(peerAnswer) error) (*Body, error) {
	program, err := env.peer(p)
	if err != nil {
		return nil, err
	}
	ask := func(n int) (time.Duration, error) {
		r.Calls = n
		a, err := program.ask(r)
		if err == nil && a.Cannot != "" {
			err = errors.New(a.Cannot)
		}
		if err == nil {
			err = check(a)
		}
		if err != nil {
			return 0, &Unavailable{p.Package, err.Error()}
		}
		return time.Duration(a.NS), nil
	}
	if _, err := ask(1); err != nil {
		return nil, err
	}
	return &Body{Bytes: bytes, Time: ask}, nil
}

// program is a peer's program that runs.
type program struct {
	in  io.WriteCloser
	out *bufio.Reader
}

func (p *program) ask(r peerRequest) (a peerAnswer, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return a, err
	}
	if _, err := p.in.Write(append(text, '\n')); err != nil {
		return a, fmt.Errorf("the program has ended: %w", err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return a, fmt.Errorf("the program has ended: %w", err)
	}
	return a, json.Unmarshal(line, &a)
}

// peer is the program of a peer, built and started when it is asked for first. The
// error is an *Unavailable.
func (e *Env) peer(p Peer) (*program, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.peers == nil {
		e.peers = map[string]opening{}
	}
	o, ok := e.peers[p.Name]
	if !ok {
		o.program, o.err = e.startPeer(p)
		if o.err != nil {
			o.err = &Unavailable{p.Package, o.err.Error()}
		}
		e.peers[p.Name] = o
	}
	return o.program, o.err
}

// opening is a program, or why there is none.
type opening struct {
	program *program
	err     error
}

func (e *Env) startPeer(p Peer) (*program, error) {
	if p.Absent != "" {
		return nil, errors.New(p.Absent)
	}
	path, err := p.build(e.Context, e.Source)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(e.Context, path)
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	e.closes = append(e.closes, func() error { in.Close(); return cmd.Wait() })
	return &program{in: in, out: bufio.NewReaderSize(out, 1<<20)}, nil
}

// build builds the peer's program into the cache folder; the tools of its language
// do nothing where it is up to date.
func (p Peer) build(ctx context.Context, source string) (string, error) {
	if source == "" {
		return "", errors.New("peers are built from source: run inside the repository")
	}
	cache, err := python.CacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(source, "bench", "peers", p.Name)
	to := filepath.Join(cache, "peers", p.Name)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(to, "peer")
	args := []string{"go", "build", "-o", path, "."}
	if p.Cargo {
		path = filepath.Join(to, "release", "peer")
		args = []string{"cargo", "build", "--release", "--locked", "--quiet", "--target-dir", to}
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(args[:2], " "), err, oneLine(string(out)))
	}
	return path, nil
}
