package beam

import (
	"errors"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

func TestDecodeRequest(t *testing.T) {
	req := parse(t, `{"model":"m","temperature":0.5,"messages":[`+hello+`],"tools":null,"reasoning_effort":"low","chat_template_kwargs":{"allow_missing_thinking":false,"reasoning_effort":"low","x":1},
		"template_kwargs":null,"model_identity":"i","builtin_tools":["search"],"continue_final_message":1,"add_generation_prompt":0}`)
	if req.Effort != Low || req.Identity != "i" || len(req.BuiltinTools) != 1 || !req.RequireThinking || req.Continue != "content" || req.GenerationPrompt != Off || req.Tools != nil {
		t.Errorf("%+v", req)
	}
	if got := value.Dumps(req.Extra.Value()); got != `{"model": "m", "temperature": 0.5}` {
		t.Errorf("Extra is %s", got)
	}
	if got := value.Dumps(req.Args.Value()); got != `{"x": 1}` {
		t.Errorf("Args is %s", got)
	}
	req = parse(t, `{"messages":[],"model_identity":"","builtin_tools":[1],"allow_missing_thinking":2,"reasoning_effort":[]}`)
	if got := value.Dumps(req.Args.Value()); got != `{"model_identity": "", "builtin_tools": [1], "allow_missing_thinking": 2}` {
		t.Errorf("Args is %s", got)
	}
}

func TestDecodeRequestErrors(t *testing.T) {
	for _, tt := range []struct{ request, want string }{
		{`[]`, "request must be an object, but is array"},
		{`{}`, "messages must be a list, but is null"},
		{`{"messages":"x"}`, "messages must be a list, but is string"},
		{`{"messages":[{},null]}`, "messages[1] must be an object, but is null"},
		{`{"messages":[],"tools":{}}`, "tools must be a list, but is object"},
		{`{"messages":[],"tools":[1]}`, "tools[0] must be an object, but is integer"},
		{`{"messages":[],"template_kwargs":[]}`, "template_kwargs must be an object, but is array"},
		{`{"messages":[],"template_kwargs":{"tools":[]}}`, "template_kwargs.tools must be beside the kwargs, not in them, but is array"},
		{`{"messages":[],"reasoning_effort":1,"chat_template_kwargs":{"reasoning_effort":1.0}}`, "chat_template_kwargs.reasoning_effort must be the same wherever it is given, but is 1.0"},
	} {
		_, err := ParseRequest(tt.request)
		var e *harmony.DecodeError
		if !errors.As(err, &e) || err.Error() != tt.want {
			t.Errorf("%s: %v", tt.request, err)
		}
	}
	var e *value.SyntaxError
	if _, err := ParseRequest(`{"messages":[`); !errors.As(err, &e) {
		t.Errorf("%v", err)
	}
	if _, err := ParseRequest("{\"messages\":\"\xff\"}"); !errors.As(err, &e) || e.Offset != 13 {
		t.Errorf("%v", err)
	}
}
