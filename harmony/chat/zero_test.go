package chat_test

import (
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/chat"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// A view and a stream that nothing has made show what those of no fields do.
func TestZero(t *testing.T) {
	call, err := value.Loads(`{"function":{"name":"f","arguments":{"a":1}}}`)
	if err != nil {
		t.Fatal(err)
	}
	events := []harmony.Event{
		{Type: harmony.RegionOpen, Field: "thinking"}, {Type: harmony.RegionChunk, Field: "thinking", Text: "hm"}, {Type: harmony.RegionClose, Field: "thinking", Value: value.String("hm")},
		{Type: harmony.RegionOpen, Field: "content"}, {Type: harmony.RegionChunk, Field: "content", Text: "hi"}, {Type: harmony.RegionClose, Field: "content", Value: value.String("hi")},
	}
	reply := harmony.Reply{
		Message: value.Members(value.Member{Name: "thinking", Value: value.String("hm")}, value.Member{Name: "content", Value: value.String("hi there")}),
		Calls:   []harmony.Call{{Field: "tool_calls", Value: call}},
	}
	show := func(v *chat.View, s *chat.Stream) (out []string) {
		for _, d := range slices.Concat(slices.Clone(s.Add(events)), s.Finish(nil, reply, harmony.StopLength())) {
			out = append(out, string(v.AppendChunk(nil, d)))
		}
		c := v.Completion(reply, harmony.StopLength())
		return append(out, string(v.AppendChoice(nil, c)), value.Dumps(c.Withheld[0].Value))
	}
	made := chat.NewView(nil, chat.Options{})
	want := show(made, made.Stream())
	for name, v := range map[string]*chat.View{"zero": {}, "nil": nil} {
		for _, s := range []*chat.Stream{v.Stream(), {}} {
			if got := show(v, s); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		if v.Unused() != nil {
			t.Errorf("%s: %q", name, v.Unused())
		}
		for _, err := range v.Deltas(nil, nil, nil) {
			if err != harmony.ErrNoReader {
				t.Errorf("%s, without a reader: %v", name, err)
			}
		}
	}
	finished := new(chat.Stream).Finish(nil, harmony.Reply{}, harmony.StopUnknown())
	if len(finished) != 1 || finished[0].FinishReason != chat.Stop {
		t.Errorf("a stream that only ends: %+v", finished)
	}
}
