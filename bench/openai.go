package bench

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/beamdiff/beamdiff/bench/replies"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
)

// openAI is the public checkpoint of OpenAI Harmony's format: its templates come
// from a pinned package, so they are not here before they are fetched.
type openAI struct {
	checkpoint *checkpoint.Checkpoint
	template   *response.Template
}

// openAI gives it. The error is an *Unavailable.
func (e *Env) openAI() (*openAI, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gptOSS == nil {
		e.gptOSS = sync.OnceValues(func() (*openAI, error) {
			dir, err := reference.Assemble(e.Context, reference.Recipes().Find("gpt-oss"), python.Options{})
			if err != nil {
				return nil, &Unavailable{"the templates of gpt-oss", err.Error()}
			}
			c, err := checkpoint.Load(dir)
			if err != nil {
				return nil, &Unavailable{"the templates of gpt-oss", err.Error()}
			}
			tpl, err := response.Compile(c.ResponseTemplate)
			return &openAI{c, tpl}, err
		})
	}
	return e.gptOSS()
}

// openAIReply is a reply and how it is fed: the input of a Parse case.
type openAIReply struct {
	kind replies.OpenAIKind
	size int // bytes, about
	cut  int // characters a feed; 0 is whole

	text   string
	chunks []string
	want   replies.Message
}

// made is the input with its text. A case makes it when it is prepared, and does not
// keep it.
func (in openAIReply) made() *openAIReply {
	in.want = in.kind.Make(in.size)
	in.text = in.want.Reply()
	in.chunks = replies.Cut(in.text, in.cut)
	return &in
}

// tally is that of what it says.
func (in *openAIReply) tally() Tally {
	return Tally{len(in.want.Thinking), len(in.want.Content), len(in.want.Calls)}
}

func (in openAIReply) case_(impl string, prepare func(*Env, *openAIReply) (*Body, error)) Case {
	return Case{
		Family: "Parse", Impl: impl, Size: in.size, Why: in.kind.Why,
		Labels:  []Label{{"format", openAIFormat}, {"kind", in.kind.Name}, {"size", SizeName(in.size)}, {"cut", cutName(in.cut)}},
		Prepare: func(env *Env) (*Body, error) { return prepare(env, in.made()) },
	}
}

// openAICases are the native side, the limits, the reference and the peers on
// replies and conversations of OpenAI Harmony.
func openAICases() (s Suite) {
	for _, kind := range replies.OpenAI {
		for _, cut := range cuts {
			for _, size := range Sizes {
				if size < kind.Least || cut == 1 {
					continue
				}
				s = append(s, openAIReplyCases(openAIReply{kind: kind, size: size, cut: cut})...)
			}
		}
	}
	for _, kind := range openAIConversations {
		for _, size := range Sizes {
			s = append(s, openAIRequestCases(openAIRequest{kind: kind, size: size})...)
		}
	}
	return s
}

func openAIReplyCases(in openAIReply) (s Suite) {
	s = append(s, in.case_(Native, nativeOpenAI))
	if in.cut == 0 {
		s = append(s, in.case_("scan", func(_ *Env, in *openAIReply) (*Body, error) { return scanned([]byte(in.text)) }))
	}
	if in.kind.Plain {
		s = append(s, in.case_("splitter", func(_ *Env, in *openAIReply) (*Body, error) {
			return split(in.text, in.chunks, in.tally())
		}))
	}
	if in.cut == 0 || in.size <= pythonStream {
		for _, impl := range []string{InProcess, Through} {
			s = append(s, in.case_(impl, func(env *Env, in *openAIReply) (*Body, error) { return pythonOpenAI(env, in, impl) }))
		}
	}
	if !peerSizes[in.size] {
		return s
	}
	for _, p := range Peers {
		if p.parses(openAIFormat) {
			s = append(s, p.known(in.case_(p.Name, p.openAIReader)))
		}
	}
	return s
}

// nativeOpenAI reads with the engine, by the response template of the checkpoint.
func nativeOpenAI(env *Env, in *openAIReply) (*Body, error) {
	gpt, err := env.openAI()
	if err != nil {
		return nil, err
	}
	reply, err := gpt.template.Parse(in.text, response.Options{Prefix: &noPrefix})
	if err == nil {
		err = checkMessage(messageOf(reply.Message), in.want)
	}
	if err != nil {
		return nil, err
	}
	want := in.tally()
	return templateReader(gpt.template, in.text, in.chunks, func(reply harmony.Reply) error {
		if got := Tallied(reply.Message); got != want {
			return fmt.Errorf("%+v, not %+v", got, want)
		}
		return nil
	})
}

// pythonOpenAI gives the reference the template with the reply.
func pythonOpenAI(env *Env, in *openAIReply, impl string) (*Body, error) {
	gpt, err := env.openAI()
	if err != nil {
		return nil, err
	}
	request := value.NewObject(4)
	request.Set("reply", value.String(in.text))
	request.Set("prefix", value.String(""))
	request.Set("response_template", gpt.checkpoint.ResponseTemplate)
	op := engine.OpParse
	if in.cut > 0 {
		op = engine.OpStream
		request.Set("chunks", value.Int(int64(in.cut)))
	}
	return pythonBody(env, impl, op, request, len(in.text), func(v value.Value) error {
		if op == engine.OpStream {
			v = v.Get("message")
		}
		return checkMessage(messageOf(v), in.want)
	})
}

func (p Peer) openAIReader(env *Env, in *openAIReply) (*Body, error) {
	gpt, err := env.openAI()
	if err != nil {
		return nil, err
	}
	r := peerRequest{Reply: in.text, Cut: in.cut, ResponseTemplate: json.RawMessage(value.Dumps(gpt.checkpoint.ResponseTemplate))}
	return p.body(env, r, len(in.text), func(a peerAnswer) error { return checkMessage(a.Message, in.want) })
}
