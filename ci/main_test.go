package ci

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"beamdiff": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ())) },
		"engine":   serveNative,
	})
}

// The behaviour of the command, one script each. No script needs Python: the
// engines are the native one and programs that answer as it does.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":             exits,
			"holds":             holds,
			"validate":          validates(t),
			"validate-findings": validatesFindings(t),
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("CI", "")
			env.Setenv("BEAM_MODEL_ID", "")
			env.Setenv("BEAMDIFF_CACHE", filepath.Join(env.WorkDir, "no-cache"))
			return nil
		},
	})
}

// exits CODE runs beamdiff with the rest of its arguments and holds the exit
// code; - before the code gives it the file "stdin".
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE VERB...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("beamdiff", args[1:]...)
	got := 0
	if err != nil {
		_, text, ok := strings.Cut(err.Error(), "exit status ")
		if !ok {
			ts.Fatalf("no exit status: %v", err)
		}
		got, err = strconv.Atoi(text)
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// holds FILE TEXT checks that the last standard output (stdout), error (stderr)
// or a file is exactly the text, a Go string without its quotes.
func holds(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: holds FILE TEXT")
	}
	want, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
	ts.Check(err)
	if got := ts.ReadFile(args[0]); (got == want) == neg {
		ts.Fatalf("%s is %q, want %q", args[0], got, want)
	}
}

// validatesFindings checks a JSON report of findings against its schema.
func validatesFindings(t *testing.T) func(*testscript.TestScript, bool, []string) {
	schema := schemaOf(t, FindingsSchema)
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if err := validate(t, schema, []byte(ts.ReadFile(args[0]))); (err == nil) == neg {
			ts.Fatalf("%v", err)
		}
	}
}

// validates FILE checks a JSON report against its schema.
func validates(t *testing.T) func(*testscript.TestScript, bool, []string) {
	schema := reportSchema(t)
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if err := validate(t, schema, []byte(ts.ReadFile(args[0]))); (err == nil) == neg {
			ts.Fatalf("%v", err)
		}
	}
}

// hungVariable names a file that gets the process id of an engine that hangs.
const hungVariable = "BEAMDIFF_TEST_HUNG"

// serveNative is an engine outside the process: the native one behind the
// protocol, with a fault that its argument names.
func serveNative() {
	fault := ""
	if len(os.Args) > 1 {
		fault = os.Args[1]
	}
	if fault == "dead" {
		os.Exit(1)
	}
	n := native()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		request, err := value.Loads(in.Text())
		if err != nil {
			os.Exit(1)
		}
		id, _ := request.Get("id").AsInt()
		name, _ := request.Get("op").AsString()
		op := engine.Op(name)
		if op == "info" || op == "open" {
			more := ""
			if fault == "tokens" {
				more = `, "encode", "tokens", "ids"`
			}
			fmt.Printf(`{"id": %d, "ok": {"name": "native behind the protocol", "formats": ["beam"], "abilities": ["render", "parse", "stream", "mask"%s]}}`+"\n", id, more)
			continue
		}
		switch {
		case op == "close":
			return
		case fault == "crash" && op == engine.OpRender:
			fmt.Fprintln(os.Stderr, "out of luck")
			os.Exit(7)
		case fault == "hang" && op == engine.OpRender:
			if path := os.Getenv(hungVariable); path != "" {
				os.WriteFile(path, fmt.Append(nil, os.Getpid()), 0o600)
			}
			time.Sleep(time.Hour)
		case fault == "garbage" && op == engine.OpRender:
			fmt.Println("hello")
			continue
		}
		input, _ := request.Get("case").AsObject()
		o := n.Do(context.Background(), engine.Request{Op: op, Case: input})
		fmt.Println(answerLine(id, damaged(fault, op, input, o)))
	}
}

// damaged is an outcome with the fault in it.
func damaged(fault string, op engine.Op, input *value.Object, o corpus.Outcome) corpus.Outcome {
	if o.Kind != corpus.OK {
		return o
	}
	chunks, _ := input.Get("chunks")
	if op == engine.OpMask || op == engine.OpEncode {
		o.Value = twoTokens(o.Value, fault == "tokens")
	}
	text := value.Dumps(o.Value)
	switch {
	case fault == "effort" && op == engine.OpRender:
		text = strings.Replace(text, "effort: 512", "effort: 500", 1)
	case fault == "cuts" && op == engine.OpStream && !chunks.IsNull():
		text = strings.Replace(text, `"content": "4"`, `"content": "5"`, 1)
	case fault == "refuses":
		return corpus.Outcome{Kind: corpus.Cannot, Why: "not today"}
	}
	v, err := value.Loads(text)
	if err != nil {
		os.Exit(1)
	}
	return okValue(v)
}

// twoTokens is an answer to mask or encode with two tokens, or none, whatever the
// native engine made of the text.
func twoTokens(v value.Value, some bool) value.Value {
	v = textValue(v)
	if !some {
		return v
	}
	text, _ := v.Get("text").AsString()
	end := int64(value.Len(text))
	spans, masked := pairs(v.Get("spans"))
	cut := end / 2
	if len(spans) > 0 {
		cut = spans[0][0]
	}
	o, _ := v.AsObject()
	o.Set("input_ids", list([]int64{1, 2}, value.Int))
	o.Set("offsets", spansValue([][2]int64{{0, cut}, {cut, end}}))
	if masked {
		o.Set("assistant_masks", list([]int64{0, 1}, value.Int))
	}
	return v
}

func answerLine(id int64, o corpus.Outcome) string {
	answer := object("id", value.Int(id))
	members, _ := answer.AsObject()
	switch o.Kind {
	case corpus.OK:
		members.Set("ok", o.Value)
	case corpus.Raised:
		members.Set("error", object("class", value.String(o.Class), "message", value.String(o.Message)))
	default:
		members.Set("cannot", value.String(o.Why))
	}
	return value.Dumps(answer)
}
