package reference_test

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/recipe"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// publics are the public checkpoints, made in the cache that everything shares.
func publics(t *testing.T) (env *python.Env, list *recipe.List, dirs []string) {
	t.Helper()
	env, err := python.Ensure(t.Context(), python.Options{})
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	t.Cleanup(func() { env.Close() })
	list = reference.Recipes()
	dirs, err = recipe.Ensure(t.Context(), env, python.Options{Progress: func(e python.Event) { t.Log(e.Text) }}, list.Recipes...)
	if err != nil {
		t.Fatalf("NOT RUN: the public checkpoints are not there: %v", err)
	}
	return env, list, dirs
}

// Every template in the packages is in a recipe: each chat template of trl in
// one, and all response templates of trl and of transformers.
func TestPublicCheckpointsAreAll(t *testing.T) {
	env, list, _ := publics(t)
	chat, responses := map[string]int{}, map[string]bool{}
	served := 0
	families := map[string]bool{}
	for _, r := range list.Recipes {
		if r.ResponseTemplate.Package != nil && r.ResponseTemplate.Package.Name == "transformers" {
			if r.Of == "" {
				served++
			}
			continue // its chat template is that of another recipe
		}
		if r.Tokenizer.Package != nil {
			continue // its templates are those of another recipe
		}
		chat[r.ChatTemplate.File]++
		if r.ResponseTemplate.Variable != "" {
			responses[r.ResponseTemplate.Variable] = true
		}
		if r.Of == "" {
			families[r.Name] = true
		}
	}
	trl := list.Find("gpt-oss").ChatTemplate.Package
	wheels, err := filepath.Glob(filepath.Join(env.CacheDir(), "checkpoints", "wheels", "trl-"+trl.Version+"-"+trl.SHA256[:12]+".whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatalf("wheels %q, %v", wheels, err)
	}
	files, err := zip.OpenReader(wheels[0])
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	templates := 0
	for _, f := range files.File {
		if strings.HasSuffix(f.Name, ".jinja") {
			templates++
			if chat[f.Name] != 1 {
				t.Errorf("%s is in %d recipes", f.Name, chat[f.Name])
			}
		}
	}
	text, err := files.Open("trl/chat_template_utils.py")
	if err != nil {
		t.Fatal(err)
	}
	source, err := io.ReadAll(text)
	if err != nil {
		t.Fatal(err)
	}
	dicts := regexp.MustCompile(`(?m)^(\w+_template) = \{`).FindAllSubmatch(source, -1)
	for _, d := range dicts {
		if !responses[string(d[1])] {
			t.Errorf("%s is in no recipe", d[1])
		}
	}
	utils, err := env.PackageFile("transformers/cli/serving/utils.py")
	if err != nil {
		t.Fatal(err)
	}
	fallbacks := strings.Count(string(utils), `"start_anchor":`)
	if len(families) != 41 || templates != 72 || len(dicts) != 9 || len(responses) != 9 || served != fallbacks || fallbacks != 3 {
		t.Errorf("%d families, %d chat templates, %d response templates of %d, %d of %d fallbacks",
			len(families), templates, len(responses), len(dicts), served, fallbacks)
	}
}

// talk is one worker that opens checkpoint after checkpoint: a process for each
// would take minutes.
type talk struct {
	t       *testing.T
	in      io.Writer
	answers *bufio.Reader
	id      int64
}

func newTalk(t *testing.T, env *python.Env) *talk {
	t.Helper()
	cmd := worker.Equip(env.Command(t.Context(), worker.Args...))
	cmd.WaitDelay = 5 * time.Second
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); io.Copy(io.Discard, out); cmd.Wait() })
	return &talk{t: t, in: in, answers: bufio.NewReader(out)}
}

// ask sends one request, whose input is named key, and gives its outcome.
func (w *talk) ask(op, key string, input value.Value) corpus.Outcome {
	w.t.Helper()
	w.id++
	request := value.Members(value.Member{Name: "v", Value: value.Int(1)}, value.Member{Name: "id", Value: value.Int(w.id)},
		value.Member{Name: "op", Value: value.String(op)}, value.Member{Name: key, Value: input})
	if _, err := fmt.Fprintln(w.in, value.Dumps(request)); err != nil {
		w.t.Fatal(err)
	}
	line, err := w.answers.ReadString('\n')
	if err != nil {
		w.t.Fatalf("the worker is gone: %v", err)
	}
	answer, err := value.Loads(line)
	if err != nil {
		w.t.Fatal(err)
	}
	if o, _ := answer.AsObject(); has(o, "ok") {
		return corpus.Outcome{Kind: corpus.OK, Value: answer.Get("ok"), Offset: -1}
	}
	class, _ := answer.Get("error").Get("class").AsString()
	message, _ := answer.Get("error").Get("message").AsString()
	why, _ := answer.Get("cannot").AsString()
	if why != "" {
		return corpus.Outcome{Kind: corpus.Cannot, Why: why, Offset: -1}
	}
	return corpus.Outcome{Kind: corpus.Raised, Class: class, Message: message, Offset: -1}
}

// renders tells whether the open checkpoint's prompt of one message has its text.
func (w *talk) renders(content string) bool {
	input, err := value.Loads(`{"messages": [{"role": "user", "content": ` + content + `}]}`)
	if err != nil {
		w.t.Fatal(err)
	}
	prompt, _ := w.ask("render", "case", input).Value.AsString()
	return strings.Contains(prompt, "Hello there")
}

// Each public checkpoint opens in Python and in Go, with the same hash. Each
// response template is read by the native engine, and reads every reply that the
// suite has for that template as Python does. The wants of the suite hold; -update
// writes them, for a person to look at.
func TestPublicCheckpoints(t *testing.T) {
	env, list, dirs := publics(t)
	w := newTalk(t, env)
	var suite []corpus.Case
	byTemplate := map[string][]corpus.Case{} // replies, by response template
	for _, c := range corpus.Embedded() {
		if c.Checkpoint == "" || checkpoint.Named(c.Checkpoint) != nil {
			continue
		}
		suite = append(suite, c)
		r := list.Find(c.Checkpoint)
		if r == nil {
			t.Fatalf("%s: no recipe is called %s", c.ID, c.Checkpoint)
		}
		if c.Kind == corpus.Parse {
			byTemplate[place(r.ResponseTemplate)] = append(byTemplate[place(r.ResponseTemplate)], c)
		}
	}
	wanted := map[string]corpus.Case{} // cases with the reference's want, by id
	compared := 0
	var partsOnly []string
	for i, r := range list.Recipes {
		native, err := checkpoint.Load(dirs[i])
		if err != nil {
			t.Error(err)
			continue
		}
		info := w.ask("open", "open", value.Members(value.Member{Name: "directory", Value: value.String(dirs[i])}, value.Member{Name: "date", Value: value.String("2026-01-31")}))
		if hash, _ := info.Value.Get("checkpoint_hash").AsString(); hash != native.Hash() {
			t.Errorf("%s: the hash is %s in Go, %s in Python: %s", r.Name, native.Hash(), hash, say(info))
			continue
		}
		if !w.renders(`"Hello there"`) { // some know a list of parts alone, and lose a text
			partsOnly = append(partsOnly, r.Name)
			if !w.renders(`[{"type": "text", "text": "Hello there"}]`) {
				t.Errorf("%s: no prompt", r.Name)
			}
		}
		for j, c := range suite {
			if c.Checkpoint == r.Name {
				got := w.ask(string(c.Kind), "case", c.Input.Value())
				if c.Kind == corpus.Parse {
					got.Message = ""
				}
				suite[j].Want, suite[j].CheckpointHash = &got, native.Hash()
				wanted[c.ID] = suite[j]
				if c.Want == nil || say(*c.Want) != say(got) || c.CheckpointHash != native.Hash() {
					t.Errorf("%s: the want or its hash is not the reference's: %s", c.ID, say(got))
				}
			}
		}
		if r.ResponseTemplate.Package == nil {
			continue
		}
		if _, err := response.Compile(native.ResponseTemplate); err != nil {
			t.Errorf("%s: the native engine refuses the response template: %v", r.Name, err)
			continue
		}
		cases := byTemplate[place(r.ResponseTemplate)]
		if len(cases) < 12 {
			t.Errorf("%s: only %d replies", r.Name, len(cases))
		}
		n := engine.NewNative(native, engine.NativeOptions{Format: r.Format})
		for _, c := range cases {
			compared++
			got, want := n.Do(t.Context(), engine.Request{Op: engine.OpParse, Case: c.Input}), w.ask("parse", "case", c.Input.Value())
			got.Message, want.Message = "", "" // parse errors compare by class
			if say(got) != say(want) {
				t.Errorf("%s with the checkpoint %s:\nnative    %s\nreference %s", c.ID, r.Name, say(got), say(want))
			}
		}
	}
	if want := []string{"idefics3", "idefics3-training", "llava-next", "llava-next-training", "smolvlm", "smolvlm-training"}; !slices.Equal(partsOnly, want) {
		t.Errorf("these lose a text that is no list of parts: %q", partsOnly)
	}
	t.Logf("%d checkpoints, %d replies compared, %d cases of the suite", len(dirs), compared, len(suite))
	if compared < 790 || len(suite) < 200 {
		t.Errorf("only %d replies were compared, and %d cases looked at", compared, len(suite))
	}
	if *update {
		writeSuite(t, wanted)
	}
}

// place names a place in a package.
func place(s recipe.Source) string { return s.File + " " + s.Variable + " " + s.Key }

// writeSuite writes the cases into their files, in the order that they have
// there.
func writeSuite(t *testing.T, wanted map[string]corpus.Case) {
	files, err := filepath.Glob("../corpus/checkpoints/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		cases, err := corpus.Load(nil, name)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range cases {
			if done, has := wanted[c.ID]; has {
				cases[i] = done
			}
		}
		text, err := corpus.Encode(cases)
		if err == nil {
			err = os.WriteFile(name, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func has(o *value.Object, key string) bool {
	_, ok := o.Get(key)
	return ok
}
