package render

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// CheckPure renders a conversation twice: the two are the same, the request is
// not changed, and an error names what is wrong, as each warning does.
func CheckPure(sub Subject, c *conversation.Conversation, tally Tally) *Violation {
	req := sub.decode(c)
	if req == nil {
		return &Violation{Pure, c, "the request is not taken"}
	}
	before := c.String()
	for _, w := range sub.Warn(req) {
		if w.Kind.String() == "" || w.Detail == "" || !names(c.Input.Value(), w.Path) {
			return &Violation{RightPath, c, fmt.Sprintf("the warning %v: there is no %s", w, w.Path)}
		}
		tally("warning=" + w.Kind.String())
	}
	first, err := sub.Render(req)
	second, err2 := sub.Render(req)
	switch {
	case first != second || fmt.Sprint(err) != fmt.Sprint(err2):
		return &Violation{Pure, c, fmt.Sprintf("%q, %v, then %q, %v", first, err, second, err2)}
	case c.String() != before:
		return &Violation{Pure, c, "the request has changed from " + before}
	case err != nil && first != "":
		return &Violation{Pure, c, fmt.Sprintf("%v, and the text %q", err, first)}
	}
	if err == nil {
		tally("accepted")
		return nil
	}
	tally("refused")
	var e *beam.Error
	switch {
	case !errors.As(err, &e) || e.Class == "" || e.Message == "":
		return &Violation{RightPath, c, fmt.Sprintf("an error without a class or a text: %#v", err)}
	case !names(c.Input.Value(), e.Path):
		return &Violation{RightPath, c, fmt.Sprintf("%v: there is no %s", err, e.Path)}
	}
	return nil
}

// names tells whether a JSON path names something in a request: a value, or a
// member that an object lacks. The function of a call or a tool that stands
// without "function" around it may be named with it, as the template does; and an
// argument of the template may stand in template_kwargs.
func names(v value.Value, path string) bool {
	for path != "" {
		if rest, ok := strings.CutPrefix(path, "["); ok {
			number, after, ok := strings.Cut(rest, "]")
			i, err := strconv.Atoi(number)
			list, isList := v.AsArray()
			if !ok || err != nil || !isList || i >= list.Len() {
				return false
			}
			v, path = list.At(i), after
			continue
		}
		o, ok := v.AsObject()
		if !ok {
			return false
		}
		path = strings.TrimPrefix(path, ".")
		longest, found := "", false
		for name := range o.All() {
			rest, ok := strings.CutPrefix(path, name)
			if ok && (rest == "" || rest[0] == '.' || rest[0] == '[') && len(name) >= len(longest) {
				longest, found = name, true
			}
		}
		if !found {
			if rest, ok := strings.CutPrefix(path, "function"); ok {
				path = rest
				continue
			}
			return !strings.ContainsAny(path, "[")
		}
		v, _ = o.Get(longest)
		path = path[len(longest):]
	}
	return true
}
