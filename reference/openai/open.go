package openai

import (
	"context"
	_ "embed"
	"errors"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/recipe"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// Name is how the engine is named in verdicts.
const Name = "openai-harmony"

//go:embed worker.py
var source string

//go:embed openai-harmony.lock
var lock []byte

// Vocabulary is the file in which the library looks for its vocabulary, from the
// package that the recipe of its tokenizer takes it from.
func Vocabulary() recipe.Kept {
	return recipe.Kept{Source: reference.Recipes().Find("gpt-oss-tokens").Tokenizer,
		Name: "o200k_base.tiktoken", SHA256: "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"}
}

// Options bound the engine. The zero value is one process with the pool's limits.
type Options struct {
	Workers int           // the largest number of processes; 0 means 1
	Timeout time.Duration // bounds one case; 0 means ten seconds
	Memory  int64         // bounds each process, in bytes; 0 means no limit
	// Python is how the environment is set up; its lock is this package's.
	Python python.Options
}

// Open makes the engine, setting its environment up where that is needed. Processes
// start with the first request. The error is a *python.SetupError or a *recipe.Error.
func Open(ctx context.Context, o Options) (engine.Engine, error) {
	o.Python.Lock = python.Lock{Name: Name, Text: lock, Modules: []string{"openai_harmony"}}
	env, err := python.Ensure(ctx, o.Python)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(env.CacheDir(), "peers", Name)
	if err := Vocabulary().Keep(ctx, env, o.Python, dir); err != nil {
		return nil, errors.Join(err, env.Close())
	}
	command := func(ctx context.Context) *exec.Cmd {
		cmd := worker.Give(env.Command(ctx, worker.Args...), source)
		cmd.Env = append(cmd.Env, "TIKTOKEN_ENCODINGS_BASE="+dir)
		return cmd
	}
	pool := engine.NewPool(engine.Options{Name: Name, Command: command, Workers: o.Workers, CaseTimeout: o.Timeout, MemoryLimit: o.Memory})
	return &library{pool, env}, nil
}

// library is the pool and the environment that it runs in.
type library struct {
	*engine.Pool
	env *python.Env
}

func (l *library) Close() error { return errors.Join(l.Pool.Close(), l.env.Close()) }
