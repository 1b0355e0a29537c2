package bench

import (
	"fmt"
	"slices"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// The two ways in which the reference is timed: by itself, around the call of the
// library, and from here, with the protocol.
const (
	InProcess = "python/where=inproc"
	Through   = "python/where=ipc"
)

// The largest replies that the reference is asked to stream: its time grows with
// the square of what it holds, and a 1 MiB reply takes it a minute.
const pythonStream = 64 << 10

// References are the checkpoint's Python on the inputs of Default.
func References() (s Suite) {
	for _, in := range requestInputs() {
		for _, impl := range []string{InProcess, Through} {
			s = append(s, in.case_(impl, func(env *Env, in *RequestInput) (*Body, error) {
				request, err := in.Request()
				if err != nil {
					return nil, err
				}
				want, err := in.Want()
				if err != nil {
					return nil, err
				}
				return pythonRenderer(env, impl, request, want)
			}))
		}
	}
	for _, in := range replyInputs() {
		if in.Cut > 0 && in.Size > pythonStream {
			continue
		}
		for _, impl := range []string{InProcess, Through} {
			s = append(s, in.case_(impl, pythonReader(impl)))
		}
	}
	return slices.Concat(s, encodeReferences(), replyIDsReferences())
}

// replyIDsReferences read replies from ids, one at a time; each takes the library's
// decoder tens of microseconds.
func replyIDsReferences() (s Suite) {
	for _, size := range Sizes {
		if size > pythonStream/4 {
			continue
		}
		for _, impl := range []string{InProcess, Through} {
			s = append(s, Case{
				Family: "Decode", Impl: impl, Size: size, Why: replyIDsWhy, Labels: []Label{{"kind", "reply"}, {"size", SizeName(size)}},
				Prepare: func(env *Env) (*Body, error) {
					in, ids, want, err := replyIDs(size)
					if err != nil {
						return nil, err
					}
					list := make([]value.Value, len(ids))
					for i, id := range ids {
						list[i] = value.Int(int64(id))
					}
					request := value.NewObject(3)
					request.Set("reply_ids", value.List(list...))
					request.Set("prefix", value.String(""))
					request.Set("chunks", value.Int(1))
					return pythonBody(env, impl, engine.OpStream, request, len(in.Text()), checkTally(engine.OpStream, want))
				},
			})
		}
	}
	return s
}

// pythonRenderer renders; the right prompt is known.
func pythonRenderer(env *Env, impl string, request *value.Object, want string) (*Body, error) {
	return pythonBody(env, impl, engine.OpRender, request, len(want), func(v value.Value) error {
		if got, _ := v.AsString(); got != want {
			return fmt.Errorf("another prompt, %d bytes, not %d", len(got), len(want))
		}
		return nil
	})
}

// checkTally holds an answer of the reference against what a reply says.
func checkTally(op engine.Op, want Tally) func(value.Value) error {
	return func(v value.Value) error {
		if op == engine.OpStream {
			v = v.Get("message")
		}
		if got := Tallied(v); got != want {
			return fmt.Errorf("%+v, not %+v", got, want)
		}
		return nil
	}
}

// pythonReader parses whole replies and streams the others.
func pythonReader(impl string) func(*Env, *ReplyInput) (*Body, error) {
	return func(env *Env, in *ReplyInput) (*Body, error) {
		want, err := in.Want()
		if err != nil {
			return nil, err
		}
		request := value.NewObject(3)
		request.Set("reply", value.String(in.Text()))
		request.Set("prefix", value.String(""))
		op := engine.OpParse
		if in.Cut > 0 {
			op = engine.OpStream
			request.Set("chunks", value.Int(int64(in.Cut)))
		}
		return pythonBody(env, impl, op, request, len(in.Text()), checkTally(op, want))
	}
}

// ask gives the value that an engine answers.
func ask(env *Env, e engine.Engine, r engine.Request) (value.Value, error) {
	switch out := e.Do(env.Context, r); out.Kind {
	case corpus.OK:
		return out.Value, nil
	case corpus.Raised:
		return value.Value{}, fmt.Errorf("%s: %s", out.Class, out.Message)
	default:
		return value.Value{}, fmt.Errorf("%s%s", out.Why, out.Message)
	}
}

// pythonBody asks the worker. Its time is the sum of what the calls took.
func pythonBody(env *Env, impl string, op engine.Op, request *value.Object, bytes int, check func(value.Value) error) (*Body, error) {
	python, err := env.Python()
	if err != nil {
		return nil, err
	}
	if impl == Through {
		return &Body{Bytes: bytes, Time: func(n int) (time.Duration, error) {
			var took time.Duration
			for range n {
				start := time.Now()
				answer, err := ask(env, python, engine.Request{Op: op, Case: request})
				took += time.Since(start)
				if err == nil {
					err = check(answer)
				}
				if err != nil {
					return 0, err
				}
			}
			return took, nil
		}}, nil
	}
	return &Body{Bytes: bytes, Time: func(n int) (time.Duration, error) {
		in := value.NewObject(3)
		in.Set("op", value.String(string(op)))
		in.Set("case", request.Value())
		in.Set("calls", value.Int(int64(n)))
		answer, err := ask(env, python, engine.Request{Op: worker.OpTime, Case: in})
		if err != nil {
			return 0, err
		}
		list, ok := answer.Get("ns").AsArray()
		if !ok || list.Len() != n {
			return 0, fmt.Errorf("the worker did not time %d calls", n)
		}
		var took time.Duration
		for _, v := range list.All() {
			ns, _ := v.AsInt()
			took += time.Duration(ns)
		}
		return took, check(answer.Get("answer"))
	}}, nil
}
