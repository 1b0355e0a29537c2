package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
	"go.uber.org/goleak"
)

// This test binary is also the engines that the tests break: with faultKey set
// it speaks the protocol, renders "role: content" and, asked for the content
// "bad", does what its fault says.
const (
	faultKey = "BEAMDIFF_TEST_FAULT"
	stateKey = "BEAMDIFF_TEST_STATE" // a file that exists once a fault has struck
)

func TestMain(m *testing.M) {
	if fault := os.Getenv(faultKey); fault != "" {
		runEngine(fault)
	}
	goleak.VerifyTestMain(m)
}

// command runs the test binary as an engine.
func command(fault, state string) func(context.Context) *exec.Cmd {
	return func(context.Context) *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), faultKey+"="+fault, stateKey+"="+state, "GORACE=atexit_sleep_ms=0")
		return cmd
	}
}

const infoText = `{"name": "test", "formats": ["*"], "abilities": ["render"]%s}`

func runEngine(fault string) {
	switch fault {
	case "dies at start":
		fmt.Fprintln(os.Stderr, "no luck today")
		os.Exit(3)
	case "killed at start", "killed at start once":
		if !struck() || fault == "killed at start" {
			self, _ := os.FindProcess(os.Getpid())
			self.Kill()
			time.Sleep(time.Hour)
		}
	case "never ready":
		time.Sleep(time.Hour)
	case "is killed":
		time.AfterFunc(100*time.Millisecond, func() {
			self, _ := os.FindProcess(os.Getpid())
			self.Kill()
		})
	case "greets":
		fmt.Println("Welcome to the engine!")
	}
	if strings.HasPrefix(fault, "child") {
		child := exec.Command("sleep", "1000")
		child.Stdout = os.Stdout // holds the pipe
		child.Start()
		os.WriteFile(os.Getenv(stateKey), fmt.Append(nil, child.Process.Pid), 0o600)
	}
	say := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	var late []string
	for {
		text, err := in.ReadString('\n')
		if err == io.EOF {
			if fault == "ignores the end" {
				time.Sleep(time.Hour)
			}
			os.Exit(0)
		}
		v, err := value.Loads(text)
		if err != nil {
			say(`{"id": null, "error": {"class": "ValueError", "message": "not JSON"}}`)
			continue
		}
		id, _ := v.Get("id").AsInt()
		op, _ := v.Get("op").AsString()
		messages, _ := v.Get("case").Get("messages").AsArray()
		switch {
		case op == "info":
			more := ""
			if fault == "other checkpoint" {
				more = fmt.Sprintf(`, "checkpoint_hash": "%064d"`, os.Getpid())
			}
			say(`{"id": %d, "ok": `+infoText+`}`, id, more)
		case op == "close" && fault == "ignores the end":
		case op == "close":
			say(`{"id": %d, "ok": null}`, id)
			os.Exit(0)
		case op != "render":
			say(`{"id": %d, "cannot": "only render"}`, id)
		case messages.Len() == 0 || messages.At(0).Kind() != value.KindObject:
			say(`{"id": %d, "error": {"class": "TypeError", "message": "messages"}}`, id)
		default:
			role, _ := messages.At(0).Get("role").AsString()
			content, _ := messages.At(0).Get("content").AsString()
			answer := fmt.Sprintf(`{"id": %d, "ok": %s}`, id, value.Dumps(value.String(role+": "+content)))
			switch {
			case content == "bad" && !(strings.HasSuffix(fault, "once") && struck()):
				breakDown(strings.TrimSuffix(fault, " once"), id, answer)
			case fault == "answers backwards":
				// Nothing more comes for a moment: what is there is answered, last first.
				late = append(late, answer)
				if in.Buffered() == 0 {
					for i := len(late) - 1; i >= 0; i-- {
						say("%s", late[i])
					}
					late = nil
				}
			default:
				say("%s", answer)
			}
		}
	}
}

// struck tells whether a fault has struck before, and notes that it has now.
func struck() bool {
	name := os.Getenv(stateKey)
	_, err := os.Stat(name)
	os.WriteFile(name, nil, 0o600)
	return err == nil
}

func breakDown(fault string, id int64, answer string) {
	switch fault {
	case "exits 3":
		fmt.Fprintln(os.Stderr, "first line\nTraceback: it broke")
		os.Exit(3)
	case "exits 0", "other checkpoint":
		os.Exit(0)
	case "hangs", "child hangs":
		time.Sleep(time.Hour)
	case "prints":
		fmt.Println("DEBUG: here I am\n" + answer)
	case "wrong id":
		fmt.Println(strings.Replace(answer, fmt.Sprint(id), "987654", 1))
	case "answers twice":
		fmt.Println(answer + "\n" + answer)
	case "half a line, then exits 3":
		fmt.Print(answer[:len(answer)-5])
		os.Exit(3)
	case "half a line":
		fmt.Print(answer[:len(answer)-5])
		os.Exit(0)
	case "invalid UTF-8":
		fmt.Println(strings.Replace(answer, "bad", "b\xffd", 1))
	case "no answer in it":
		fmt.Printf("{\"id\": %d}\n", id)
	case "two answers in it":
		fmt.Printf("{\"id\": %d, \"ok\": \"\", \"cannot\": \"\"}\n", id)
	case "wrong shape":
		fmt.Printf("{\"id\": %d, \"ok\": {}}\n", id)
	case "huge line":
		for range 64 {
			fmt.Print(strings.Repeat("x", 1<<20))
		}
		fmt.Println()
	case "eats memory":
		var keep [][]byte
		for {
			b := make([]byte, 16<<20)
			for i := range b {
				b[i] = 1
			}
			keep = append(keep, b)
		}
	case "closes its output":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	default:
		fmt.Println(answer)
	}
}

// pool is a pool over an engine with the fault, with limits fit for tests.
func pool(t *testing.T, fault string, set ...func(*engine.Options)) *engine.Pool {
	o := engine.Options{Name: "test", Command: command(fault, t.TempDir()+"/state"), CaseTimeout: time.Second, StartTimeout: 20 * time.Second, LineLimit: 4 << 20}
	for _, f := range set {
		f(&o)
	}
	p := engine.NewPool(o)
	t.Cleanup(func() { p.Close() })
	return p
}
