package fuzz

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// CheckCuts reads the reply whole, in one feed, and as it is cut: message, merged
// events, regions, calls, problems and the error with its place must be the same.
func CheckCuts(sub Subject, in *Input, cuts ...Cut) *Violation {
	o := in.Options()
	one := sub.Read(in, o, Cut{Name: "one feed"})
	whole := one
	if opened := len(one.Feeds) > 0; opened {
		reply, err := sub.Whole(in.Template, in.Reply, o)
		whole = Reading{Reply: reply, Err: err, Message: value.Dumps(reply.Message), Events: one.Events}
	}
	if why := unlike(whole, one); why != "" {
		return &Violation{SameCuts, in, Cut{Name: "one feed"}, why}
	}
	for _, cut := range cuts {
		if why := unlike(whole, sub.Read(in, o, cut)); why != "" {
			return &Violation{SameCuts, in, cut, why}
		}
	}
	return nil
}

// unlike says how two readings of one reply differ; "" where they do not.
func unlike(whole, cut Reading) string {
	wantClass, wantAt := ErrorOf(whole.Err)
	class, at := ErrorOf(cut.Err)
	for _, x := range []struct{ what, want, got string }{
		{"error", fmt.Sprintf("%s at %d", wantClass, wantAt), fmt.Sprintf("%s at %d", class, at)},
		{"message", whole.Message, cut.Message},
		{"events", Merged(whole.Events), Merged(cut.Events)},
		{"regions, calls and problems", told(whole.Reply), told(cut.Reply)},
	} {
		if x.want != x.got {
			return fmt.Sprintf("the %s differ\nwhole %s\n cut  %s", x.what, x.want, x.got)
		}
	}
	return ""
}
