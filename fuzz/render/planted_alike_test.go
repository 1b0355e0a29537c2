package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// For each way of saying the same there is a renderer that takes it for something
// else.
func TestPlantedFaultsInVariants(t *testing.T) {
	none := func(m *harmony.Message) bool {
		_, sent := m.Extra.Get("content")
		return m.Content == "" && m.Parts == nil && !sent
	}
	first := func(messages []harmony.Message, i int) bool {
		return !slices.ContainsFunc(messages[:i], func(m harmony.Message) bool { return !instruction(&m) })
	}
	faults := map[string]Subject{
		"ids are renamed": onMessages(func(messages []harmony.Message, i int) {
			if m := &messages[i]; strings.HasPrefix(m.ToolCallID, "call_") {
				m.Content, m.Parts = m.ToolCallID+m.Content, nil
			}
		}),
		"an instruction is split in two": onMessages(func(messages []harmony.Message, i int) {
			if i > 0 && instruction(&messages[i]) && first(messages, i) {
				messages[i] = harmony.Message{Role: harmony.System}
			}
		}),
		"two instructions are joined": onMessages(func(messages []harmony.Message, i int) {
			if i > 0 && instruction(&messages[i]) && first(messages, i) {
				messages[i] = harmony.Message{Role: harmony.System}
			}
		}),
		"system and developer change places": onMessages(func(messages []harmony.Message, i int) {
			if messages[i].Role == harmony.Developer {
				messages[i].Content += "!"
			}
		}),
		"late instructions are left out": onMessages(func(messages []harmony.Message, i int) {
			if instruction(&messages[i]) && !first(messages, i) {
				messages[i].Role = harmony.User
			}
		}),
		"no content is said otherwise": onMessages(func(messages []harmony.Message, i int) {
			if none(&messages[i]) {
				messages[i].Content = "None"
			}
		}),
		"a content is cut into parts": onMessages(func(messages []harmony.Message, i int) {
			messages[i].Parts = messages[i].Parts[:min(1, len(messages[i].Parts))]
		}),
		"a content's parts are joined": onMessages(func(messages []harmony.Message, i int) {
			if n := len(messages[i].Parts); n > 0 {
				messages[i].Parts = slices.Clone(messages[i].Parts)
				messages[i].Parts[n-1].Text += "\n"
			}
		}),
		"reasoning is under other names": onMessages(func(messages []harmony.Message, i int) {
			if messages[i].ThinkingKey == "reasoning" {
				messages[i].Thinking = ""
			}
		}),
		"no reasoning is said otherwise": onMessages(func(messages []harmony.Message, i int) {
			if v, sent := messages[i].Extra.Get("thinking"); sent && messages[i].Thinking == "" && v.Kind() == value.KindString {
				messages[i].Thinking = "-"
			}
		}),
		"no calls are said otherwise": onMessages(func(messages []harmony.Message, i int) {
			if m := &messages[i]; m.ToolCalls != nil && len(m.ToolCalls) == 0 {
				m.Thinking += "[]"
			}
		}),
		"keys are in another order": onJSON(func(request *value.Object) {
			for _, m := range messages(request) {
				if m.Len() > 0 && m.At(0).Name != "role" {
					m.Set("role", value.String(harmony.User))
				}
			}
		}),
		"there are more keys": onMessages(func(messages []harmony.Message, i int) {
			if _, sent := messages[i].Extra.Get("annotations"); sent {
				messages[i].Role = harmony.User
			}
		}),
		"calls are wrapped otherwise": onJSON(func(request *value.Object) {
			for _, m := range messages(request) {
				calls, _ := m.Get("tool_calls")
				list, _ := calls.AsArray()
				for i, call := range list.All() {
					if o, ok := call.AsObject(); ok && call.Get("function").IsNull() {
						o.Set("name", value.String(fmt.Sprint("call", i)))
					}
				}
			}
		}),
		"tools are wrapped otherwise": onRequest(func(req *beam.Request) {
			req.Tools = slices.DeleteFunc(slices.Clone(req.Tools), func(t harmony.ToolDef) bool { return t.Def.Get("function").IsNull() })
		}),
		"results are named": onMessages(func(messages []harmony.Message, i int) {
			if m := &messages[i]; m.Role == harmony.Tool && m.Name != "" {
				m.Name = "functions." + m.Name
			}
		}),
		"arguments of the template are said otherwise": onRequest(func(req *beam.Request) {
			if label, ok := req.Effort.Value().AsString(); ok && label == "low" {
				req.Effort = beam.EffortInt(33)
			}
		}),
		"no tools are said otherwise": onRequest(func(req *beam.Request) {
			if req.Tools != nil && len(req.Tools) == 0 {
				req.Identity = "You have no tools."
			}
		}),
	}
	for _, name := range Variants() {
		t.Run(name, func(t *testing.T) {
			sub, ok := faults[name]
			if !ok {
				t.Fatal("no fault is planted for it")
			}
			check := func(sub Subject, i int) *Violation {
				v := Check(sub, makeConversation(i), nil, CheckAlike)
				if v != nil && !strings.HasPrefix(v.Why, name+":") {
					return nil // another way of saying it shows the fault too
				}
				return v
			}
			seenWith(t, Alike, 2000, check, sub)
		})
	}
}
