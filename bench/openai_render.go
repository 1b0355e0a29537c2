package bench

import (
	"encoding/json"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/openai"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// openAIConversations are kinds of conversations of OpenAI Harmony. The right
// prompt is what the checkpoint's own chat template writes.
var openAIConversations = []Conversation{
	{Name: "chat", Why: "words alone, of which the packages for OpenAI Harmony make ids, too", Make: func(n int) string {
		return openAIRequestText("", n)
	}},
	{Name: "tool", Why: "the same with one tool, whose schema is written as a type", Make: func(n int) string {
		return openAIRequestText(weatherTool, n)
	}},
}

// openAIDate is the day that the prompts say.
const openAIDate = "2026-12-01"

func openAIRequestText(tools string, n int) string {
	const turn = `{"role":"user","content":"Compare the ways from London to Paris, please."},{"role":"assistant","content":"` + words + `"},`
	text := `{"messages":[` + strings.Repeat(turn, max(1, n/240)) + `{"role":"user","content":"Thank you."}],"add_generation_prompt":true,"date":"` + openAIDate + `"`
	if tools != "" {
		text += `,"tools":[` + tools + `]`
	}
	return text + "}"
}

// openAIRequest is a conversation: the input of a Render case.
type openAIRequest struct {
	kind Conversation
	size int
}

func (in openAIRequest) case_(impl string, prepare func(*Env, *openAIRequest) (*Body, error)) Case {
	return Case{
		Family: "Render", Impl: impl, Size: in.size, Why: in.kind.Why,
		Labels:  []Label{{"format", openAIFormat}, {"kind", in.kind.Name}, {"size", SizeName(in.size)}},
		Prepare: func(env *Env) (*Body, error) { return prepare(env, &in) },
	}
}

func openAIRequestCases(in openAIRequest) (s Suite) {
	s = append(s, in.case_(Native, nativeOpenAIRenderer))
	for _, impl := range []string{InProcess, Through} {
		s = append(s, in.case_(impl, func(env *Env, in *openAIRequest) (*Body, error) {
			request, want, err := in.prompt(env)
			if err != nil {
				return nil, err
			}
			return pythonRenderer(env, impl, request, want)
		}))
	}
	s = append(s, in.case_("copy", func(env *Env, in *openAIRequest) (*Body, error) {
		_, want, err := in.prompt(env)
		if err != nil {
			return nil, err
		}
		return copied(want), nil
	}))
	if !peerSizes[in.size] {
		return s
	}
	for _, p := range Peers {
		if p.renders(openAIFormat) {
			s = append(s, p.known(in.case_(p.Name, p.openAIRenderer)))
		}
	}
	return s
}

// prompt is the request for the reference, and its answer.
func (in *openAIRequest) prompt(env *Env) (request *value.Object, want string, err error) {
	gpt, err := env.openAI()
	if err != nil {
		return nil, "", err
	}
	v, err := value.Loads(in.kind.Make(in.size))
	if err != nil {
		return nil, "", err
	}
	request, _ = v.AsObject()
	request.Set("chat_template", value.String(gpt.checkpoint.Templates[0].Text))
	python, err := env.Python()
	if err != nil {
		return nil, "", err
	}
	answer, err := ask(env, python, engine.Request{Op: engine.OpRender, Case: request})
	want, _ = answer.AsString()
	return request, want, err
}

// nativeOpenAIRenderer appends the prompt of a request in Go to a buffer.
func nativeOpenAIRenderer(env *Env, in *openAIRequest) (*Body, error) {
	_, want, err := in.prompt(env)
	if err != nil {
		return nil, err
	}
	req, err := openai.ParseRequest(in.kind.Make(in.size))
	if err != nil {
		return nil, err
	}
	req.Date = openAIDate
	var buf []byte
	return promptBody(want, func() ([]byte, error) {
		var err error
		buf, err = openai.AppendRender(buf[:0], req)
		return buf, err
	})
}

func (p Peer) openAIRenderer(env *Env, in *openAIRequest) (*Body, error) {
	gpt, err := env.openAI()
	if err != nil {
		return nil, err
	}
	_, want, err := in.prompt(env)
	if err != nil {
		return nil, err
	}
	r := peerRequest{Request: json.RawMessage(in.kind.Make(in.size)), ChatTemplate: gpt.checkpoint.Templates[0].Text}
	return p.body(env, r, len(want), checkPrompt(want))
}
