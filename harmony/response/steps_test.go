package response

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// looking makes a template of a few fields whose anchors look around and refer to
// their groups, beside plain ones, over a small alphabet.
func looking(rng *rand.Rand) string {
	pick := func(of ...string) string { return of[rng.Intn(len(of))] }
	anchor := func(key string) string {
		if rng.Intn(3) == 0 {
			return fmt.Sprintf(`%q: %q`, key, pick("a", "b", "<", "<x>", "ab", "é", "aba", "!"))
		}
		return fmt.Sprintf(`%q: %q`, key+"_pattern",
			pick("", "", "ab", "(?<!c)", "(?<=a)", "(?!ab)", "(?=.*!)", "(?=a*b)")+
				pick("(?P<n>a+)", "(?P<n>[ab]{1,3})", "(?P<n>.)", "(?P<n>.+?)", "(?P<n>é?)b", "(?P<n>a|ab)")+
				pick("", "b", "-?", "[^<]*", "(?:a|b)*", ".*?", "(?!c)")+
				pick("(?P=n)", "(?P=n)!", "(?i:(?P=n))<", "(?=b).", "(?<!a)b", "(?P=n)(?!a)"))
	}
	var fields []string
	field := func(name string, parts ...string) {
		text := strings.Join(append(parts, `"repeats": true`), ", ")
		if strings.Contains(text, "_pattern") {
			text += `, "transform": {"v": "{content}"}`
		}
		fields = append(fields, fmt.Sprintf("%q: {%s}", name, text))
	}
	for i := range 1 + rng.Intn(3) {
		parts := []string{anchor("open")}
		if rng.Intn(5) > 0 {
			parts = append(parts, anchor("close"))
		}
		if rng.Intn(4) == 0 {
			parts = append(parts, `"content": "xml-inline", "content_args": {"tag_pattern": "(?P<key>[ab])(?P<value>.*?)(?P=key)"}`)
		}
		field(fmt.Sprintf("f%d", i), parts...)
	}
	switch rng.Intn(4) {
	case 0:
		field("rest")
	case 1:
		field("rest", anchor("close"))
	}
	return `{"start_anchor": "@", "fields": {` + strings.Join(fields, ", ") + `}}`
}

// A limit of steps depends on the text, never on the cut: message, events,
// problems and the error with its place are the same for every cut in two and for
// feeds of one size, also where the reply is not UTF-8 to its end.
func TestStepsOfEveryCut(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	spent, read := 0, 0
	for i := range 4000 {
		spec := looking(rng)
		tpl, err := Compile(loads(t, spec))
		if err != nil {
			t.Fatalf("%s: %v", spec, err)
		}
		pieces := 1 + rng.Intn(30)
		long := i%8 == 0 // all starts together run out of steps, not only one
		if long {
			pieces = 300
		}
		var b strings.Builder
		for range pieces {
			b.WriteString([]string{"a", "b", "a", "b", "<", "<x>", "!", "é", "c", "-", "aaaa", "abab"}[rng.Intn(12)])
			if rng.Intn(20*pieces) == 0 || !long && rng.Intn(80) == 0 {
				b.WriteString("\xff")
			}
		}
		reply, prefix := b.String(), ""
		if rng.Intn(6) == 0 {
			prefix = "@" + reply[:rng.Intn(min(len(reply), 8))]
		}
		if value.InvalidUTF8(prefix) >= 0 {
			prefix = ""
		}
		o := Options{Prefix: &prefix, Problems: rng.Intn(2) == 0, Lenient: rng.Intn(2) == 0, Limits: Limits{Steps: 1 + rng.Intn(50)}}
		whole := readWhole(tpl, o, reply)
		whole.events = readCut(tpl, o, reply, func(int) int { return len(reply) }).events
		same := func(what string, next func(at int) int) {
			if cut := readCut(tpl, o, reply, next); cut != whole && !t.Failed() {
				t.Errorf("%s\n%d steps, prefix %q, reply %q, %s\n%+v\nwhole\n%+v", spec, o.Limits.Steps, prefix, reply, what, cut, whole)
			}
		}
		for _, size := range []int{1, 2, 3, 4, len(reply)} {
			same(fmt.Sprintf("feeds of %d bytes", size), func(int) int { return size })
		}
		for first := 1; first < len(reply) && !long; first++ {
			same(fmt.Sprintf("cut at %d", first), func(at int) int {
				if at == 0 {
					return first
				}
				return len(reply)
			})
		}
		if strings.HasPrefix(whole.err, "LimitError") {
			spent++
		} else {
			read++
		}
	}
	if spent < 1000 || read < 1000 {
		t.Errorf("%d replies ran out of steps, %d did not", spent, read)
	}
}

// What made the outcome depend on the cut once, with every limit up to 400.
func TestStepsAtTheEdge(t *testing.T) {
	run := strings.Repeat("a", 100)
	for _, c := range []struct{ name, fields, reply string }{
		{"a reference to a group waits at what is not UTF-8", `"x":{"open_pattern":"(a+)b\\1c"},"c":{}`, run[:20] + "b" + run[:10] + "\xff"},
		{"an anchor is not tried behind the match of another", `"x":{"open_pattern":"(?<!c)a[^!<>]*!"},"y":{"open_pattern":"(?<!c)<y","close":">","repeats":true},"c":{"repeats":true}`, "<y" + run + ">" + run[:85] + "<y>"},
		{"two anchors run out of steps, the later one first", `"x":{"open_pattern":"(a+)b\\1c"},"y":{"open_pattern":"(?<!c)b","close_pattern":"(?<!c)!","repeats":true},"c":{"repeats":true}`, "b--aaaabaaaa!c" + run},
		{"an anchor runs out of steps where another begins for certain", `"x":{"open_pattern":"(?<!c)ab*c!"},"y":{"open_pattern":"a(?:bb)*"},"c":{}`, "zabbbbbbbbc\xff"},
		{"two anchors run out of steps at one place", `"x":{"open_pattern":"(?<!c)ab*c!"},"y":{"open_pattern":"(?<!c)(?<!d)a(?:b|bb)*!"},"c":{}`, "zabbbbbbbbbbbb"},
		{"a beginning of what all matches begin with", `"x":{"open_pattern":"abab(?=c)c"},"c":{}`, strings.Repeat("aba-", 60) + "ababd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tpl := compileJSON(t, `{"start_anchor":"@","fields":{`+c.fields+`}}`)
			for steps := 1; steps <= 400; steps++ {
				o := Options{Prefix: &noPrefix, Problems: true, Limits: Limits{Steps: steps}}
				sameForCuts(t, tpl, o, c.reply)
				p, err := tpl.NewParser(o)
				for i := 0; i < len(c.reply) && err == nil; i++ {
					_, err = p.Feed(c.reply[i : i+1])
				}
				_, _, err = p.Finalize(o.Stop)
				if _, whole := tpl.Parse(c.reply, o); fmt.Sprint(whole) != fmt.Sprint(err) || fieldOf(whole) != fieldOf(err) {
					t.Fatalf("%d steps: whole %v of %q, byte by byte %v of %q", steps, whole, fieldOf(whole), err, fieldOf(err))
				}
			}
		})
	}
}

func fieldOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Field
	}
	return ""
}
