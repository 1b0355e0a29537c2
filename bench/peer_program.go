package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/beamdiff/beamdiff/reference/python"
)

// program is a peer's program that runs.
type program struct {
	in  io.WriteCloser
	out *bufio.Reader
	log *bytes.Buffer // what it says of its end; read when it has ended
	cmd *exec.Cmd
	end error // why it can be asked no more
}

func (p *program) ask(r peerRequest) (a peerAnswer, err error) {
	if p.end != nil {
		return a, p.end
	}
	text, err := json.Marshal(r)
	if err != nil {
		return a, err
	}
	_, err = p.in.Write(append(text, '\n'))
	var line []byte
	if err == nil {
		line, err = p.out.ReadBytes('\n')
	}
	if err != nil {
		p.in.Close()
		p.cmd.Wait() // all that it says is in the log then
		p.end = fmt.Errorf("the program has ended: %w: %s", err, shortened(oneLine(p.log.String())))
		return a, p.end
	}
	return a, json.Unmarshal(line, &a)
}

// opening is a program, or why there is none.
type opening struct {
	program *program
	err     error
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

func (e *Env) startPeer(p Peer) (*program, error) {
	if e.Source == "" {
		return nil, errors.New("peers are built from source: run inside the repository")
	}
	cache, err := python.CacheDir()
	if err != nil {
		return nil, err
	}
	to := filepath.Join(cache, "peers", strings.ReplaceAll(p.Name, "/", "-"))
	if err := os.MkdirAll(to, 0o755); err != nil {
		return nil, err
	}
	cmd, err := e.command(p, to)
	if err != nil {
		return nil, err
	}
	made := &program{log: &bytes.Buffer{}, cmd: cmd}
	cmd.Stderr = made.log
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		return nil, err
	}
	made.in, made.out = in, bufio.NewReaderSize(out, 1<<20)
	e.closes = append(e.closes, func() error {
		in.Close()
		if made.end != nil { // its cases told
			return nil
		}
		return cmd.Wait()
	})
	return made, nil
}

// command is that of a peer's program, which is built into the folder to; the tools
// of its language do nothing where it is up to date.
func (e *Env) command(p Peer, to string) (*exec.Cmd, error) {
	if p.Script != nil {
		return e.script(p, to)
	}
	path := filepath.Join(to, "peer")
	args := []string{"go", "build", "-o", path, "."}
	if p.Cargo {
		path = filepath.Join(to, "release", "peer")
		args = []string{"cargo", "build", "--release", "--locked", "--quiet", "--target-dir", to}
	}
	build := exec.CommandContext(e.Context, args[0], args[1:]...)
	build.Dir = filepath.Join(e.Source, "bench", "peers", p.Name)
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(args[:2], " "), err, oneLine(string(out)))
	}
	return exec.CommandContext(e.Context, path), nil
}

// script is the command of a program in Python, in an environment with the packages
// of its lock.
func (e *Env) script(p Peer, to string) (*exec.Cmd, error) {
	dir := filepath.Join(e.Source, "bench", "peers", "python")
	lock := python.Lock{Name: p.Name, Text: []byte("# no package: CPython alone, for " + p.Name + "\n"), Modules: p.Script.Modules}
	if p.Script.Lock != "" {
		text, err := os.ReadFile(filepath.Join(dir, p.Script.Lock))
		if err != nil {
			return nil, err
		}
		lock.Text = text
	}
	o := python.Options{Lock: lock}
	env, err := python.Ensure(e.Context, o)
	if err != nil {
		return nil, err
	}
	e.closes = append(e.closes, env.Close)
	if p.Script.Reads != nil {
		if err := p.Script.Reads().Keep(e.Context, env, o, to); err != nil {
			return nil, err
		}
	}
	cmd := env.Command(e.Context, filepath.Join(dir, "peer.py"), filepath.Join(dir, p.Script.File))
	cmd.Env = append(cmd.Env, "PEER_FILES="+to)
	return cmd, nil
}
