package reference

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/recipe"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// Options say which checkpoint is opened and within which limits. The zero value
// is the default checkpoint.
type Options struct {
	// Name is what verdicts call the engine; "" means reference, and for another
	// release of Transformers reference@VERSION.
	Name string
	// Checkpoint is a directory; where there is no such directory the name of a
	// public checkpoint (see [Recipes]), or the id of a repository on the hub
	// (organisation/name); "" is the default checkpoint. Only a hub id lets the
	// worker use the network.
	Checkpoint string
	// Date is the time that templates see where a case does not say, an ISO date
	// or date and time; "" is the day of Open, in UTC.
	Date string
	// Workers is the largest number of processes; 0 means one a processor.
	Workers int
	// Timeout bounds one case; 0 means ten seconds.
	Timeout time.Duration
	// Memory bounds each process, in bytes; 0 means 2 GiB, a negative number no
	// limit.
	Memory int64
	// Coverage makes the engine an [engine.Measurer] that tells what of the
	// checkpoint's templates and of the library's parser is reached.
	Coverage bool
	// Python is how its environment is set up: cache folder, packages or release,
	// progress.
	Python python.Options
}

// DefaultMemory is the memory limit of a worker, in bytes. One takes some 150 MB
// before its first case.
const DefaultMemory = 2 << 30

// CheckpointError is a checkpoint that was named and is not there.
type CheckpointError struct{ Name string }

func (e *CheckpointError) Error() string {
	return fmt.Sprintf("checkpoint %q is neither a directory, nor the name of a public checkpoint (list --checkpoints shows them), nor the id of a repository on the hub (organisation/name)", e.Name)
}

// HubError is a name that was taken for the id of a repository on the hub, as no
// directory has it, and that could not be opened there either.
type HubError struct {
	Name string
	Err  error // a *engine.StartError
}

func (e *HubError) Error() string {
	return fmt.Sprintf("checkpoint %q: there is no such directory, and as the id of a repository on the hub it could not be opened: %v", e.Name, e.Err)
}

func (e *HubError) Unwrap() error { return e.Err }

// Open makes the reference engine: the checkpoint's own Python. It sets up Python
// where that is needed, which takes 10 to 20 seconds the first time; processes start
// with the first request. The error is a *python.SetupError, a
// *python.VersionError, a *CheckpointError, a *recipe.Error or one of the file
// system.
func Open(ctx context.Context, o Options) (engine.Engine, error) {
	if o.Name == "" {
		o.Name = "reference"
		if o.Python.Release != "" {
			o.Name += "@" + o.Python.Release
		}
	}
	if o.Workers <= 0 {
		o.Workers = runtime.NumCPU()
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if o.Date == "" {
		o.Date = time.Now().UTC().Format(time.DateOnly)
	}
	where, public, err := locate(o.Checkpoint)
	if err != nil {
		return nil, err
	}
	env, err := python.Ensure(ctx, o.Python)
	if err != nil {
		return nil, err
	}
	shown := ""
	if where.Name == "" {
		where.Name = "directory"
		where.Value, shown, err = directory(ctx, env, o, public)
		if err != nil {
			env.Close()
			return nil, err
		}
	}
	open := &value.Object{}
	open.Set(where.Name, where.Value)
	open.Set("date", value.String(o.Date))
	if o.Coverage {
		open.Set("coverage", value.Bool(true))
	}
	command := env.Command
	start := time.Duration(0)
	if where.Name == "hub" {
		command, start = env.NetworkCommand, 30*time.Minute
	}
	r := &reference{env: env, shown: shown}
	r.hub, _ = open.Value().Get("hub").AsString()
	r.Pool = engine.NewPool(engine.Options{
		Name:         o.Name,
		Command:      func(ctx context.Context) *exec.Cmd { return worker.Equip(command(ctx, worker.Args...)) },
		Open:         open,
		Workers:      o.Workers,
		StartTimeout: start,
		CaseTimeout:  o.Timeout,
		MemoryLimit:  max(o.Memory, 0),
	})
	return r, nil
}

// reference is the pool and the environment that it runs in.
type reference struct {
	*engine.Pool
	env   *python.Env
	shown string // the checkpoint's name, "" where its directory or id says it
	hub   string // its id on the hub, "" where it is a directory
}

// Info gives a checkpoint in the cache its name: its directory says nothing. The
// error may be a *HubError.
func (r *reference) Info(ctx context.Context) (engine.Info, error) {
	in, err := r.Pool.Info(ctx)
	var start *engine.StartError
	if r.hub != "" && errors.As(err, &start) {
		err = &HubError{r.hub, err}
	}
	if r.shown != "" && err == nil {
		in.Checkpoint = r.shown
	}
	return in, err
}

func (r *reference) Close() error {
	return errors.Join(r.Pool.Close(), r.env.Close())
}

var hubID = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*$`)

// IsHubID tells whether a name has the form of a repository's id on the hub.
func IsHubID(name string) bool { return hubID.MatchString(name) }

// locate gives the member of an open request that names the checkpoint; without
// a name for one that is made in the cache: a public or a shipped one.
func locate(name string) (where value.Member, public *recipe.Recipe, err error) {
	if name == "" {
		return where, nil, nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		dir, err := filepath.Abs(name)
		return value.Member{Name: "directory", Value: value.String(dir)}, nil, err
	}
	if r := Recipes().Find(name); r != nil || checkpoint.Named(name) != nil {
		return where, r, nil
	}
	if !IsHubID(name) {
		return where, nil, &CheckpointError{name}
	}
	return value.Member{Name: "hub", Value: value.String(name)}, nil, nil
}

// directory makes a checkpoint in the cache: that of a recipe, or a shipped one.
// It gives its path and how reports name it.
func directory(ctx context.Context, env *python.Env, o Options, r *recipe.Recipe) (path value.Value, shown string, err error) {
	if r == nil {
		c := shipped(o.Checkpoint)
		path, err = shippedDirectory(env.CacheDir(), c)
		return path, c.Name, err
	}
	dir, err := Assemble(ctx, r, o.Python)
	return value.String(dir), r.Title(), err
}

// ShippedDirectory puts a shipped checkpoint into the cache folder, for engines
// that need a directory, and gives its path. "" names the default one.
func ShippedDirectory(name string) (string, error) {
	cache, err := python.CacheDir()
	if err != nil {
		return "", err
	}
	v, err := shippedDirectory(cache, shipped(name))
	dir, _ := v.AsString()
	return dir, err
}

// shipped is the shipped checkpoint of a name; the default one for "".
func shipped(name string) *checkpoint.Checkpoint {
	if c := checkpoint.Named(name); c != nil {
		return c
	}
	return checkpoint.Default()
}

// shippedDirectory puts a shipped checkpoint into the cache, whole or not at
// all, and gives its path. The error is a *python.SetupError.
func shippedDirectory(cache string, c *checkpoint.Checkpoint) (value.Value, error) {
	hash := c.Hash()
	home := shippedHome(cache)
	dir := filepath.Join(home, shippedFolder(c))
	whole := func() bool {
		there, err := checkpoint.Load(dir)
		return err == nil && there.Hash() == hash
	}
	if whole() {
		return value.String(dir), nil
	}
	failed := func(err error) (value.Value, error) {
		return value.Null(), python.Failure(python.StepCache, home, err)
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return failed(err)
	}
	temp, err := os.MkdirTemp(home, newPrefix)
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(temp)
	made := filepath.Join(temp, "made")
	if err := c.Write(made); err != nil {
		return failed(err)
	}
	os.Rename(dir, filepath.Join(temp, "damaged")) // where one is there
	if err := os.Rename(made, dir); err != nil && !whole() {
		return failed(err) // not even another run's
	}
	return value.String(dir), nil
}
