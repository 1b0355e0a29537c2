package response

import (
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// endings are the ways in which a reading ends, the error cases among them.
var endings = map[string]func(o *Options, reply string){
	"strict":  func(*Options, string) {},
	"lenient": func(o *Options, _ string) { o.Lenient = true },
	"limit":   func(o *Options, reply string) { o.Lenient, o.Limits.Bytes = true, max(1, len(reply)/2) },
	"regions": func(o *Options, _ string) { o.Limits.Regions = 1 },
}

// Over the templates suite, however a reading ends and whatever the cut: no
// problem is told twice, what could not be read stands in the message once, and
// the stop that is given, no other, decides what is told of the end.
func TestEndsOnce(t *testing.T) {
	failed := map[string]int{}
	cases := 0
	for _, c := range corpus.Embedded() {
		def, _ := c.Input.Get("response_template")
		reply, prefix := textOf(c.Input, "reply"), textOf(c.Input, "prefix")
		if c.Suite != "templates" || c.Kind != corpus.Parse || reply == "" {
			continue
		}
		tpl, err := Compile(def)
		if err != nil {
			continue // one that is to be refused
		}
		cases++
		for name, set := range endings {
			o := Options{Prefix: &prefix, Problems: true, Reasoning: true, OneCall: true}
			set(&o, reply)
			var messages []string
			for _, stop := range []harmony.Stop{harmony.StopUnknown(), harmony.StopLength(), harmony.StopToken("<|none|>")} {
				o.Stop = stop
				if a := sameForCuts(t, tpl, o, reply); a.err != "" {
					failed[name]++
				}
				r, err := tpl.Parse(reply, o)
				messages = append(messages, value.Dumps(r.Message))
				for _, fault := range faultsOfEnd(tpl, r, o, len(reply), err == nil || name == "lenient") {
					t.Errorf("%s, %s, stop %+v: %s\n%s\n%v", c.ID, name, stop, fault, value.Dumps(r.Message), r.Problems)
				}
			}
			if messages = slices.Compact(messages); len(messages) != 1 {
				t.Errorf("%s, %s: the stop changes the message: %s", c.ID, name, messages)
			}
		}
	}
	t.Logf("%d cases; of the readings failed: %v", cases, failed)
	if cases < 150 || failed["strict"] < 20 || failed["lenient"] < 20 || failed["limit"] < 100 || failed["regions"] < 20 {
		t.Errorf("too few: %d cases, failed %v", cases, failed)
	}
}

// faultsOfEnd gives what is wrong with the end of a reply of so many bytes.
// whole tells that the reply was read to its end.
func faultsOfEnd(tpl *Template, r harmony.Reply, o Options, size int, whole bool) (faults []string) {
	count := map[harmony.ProblemKind]int{}
	for i, p := range r.Problems {
		count[p.Kind]++
		if slices.Contains(r.Problems[:i], p) {
			faults = append(faults, "twice: "+p.String())
		}
	}
	want := func(kind harmony.ProblemKind, n int) {
		if count[kind] != n {
			faults = append(faults, "the wrong number of "+kind.String())
		}
	}
	open := false // the reply ended in a region that has a close
	if n := len(r.Regions); n > 0 && whole {
		last := r.Regions[n-1]
		open = !last.Closed && last.Span.End == int64(size) && tpl.field(last.Field).close != nil
	}
	cut, unclosed := 0, 0
	if o.Stop.Length() {
		cut = 1
	} else if _, token := o.Stop.Token(); open && !token {
		unclosed = 1
	}
	want(harmony.CutOff, cut)
	if whole {
		want(harmony.Unclosed, unclosed)
	}
	for _, c := range r.Calls {
		if o.Stop.Length() && c.Runnable != c.Closed {
			faults = append(faults, "a call that was cut may run, or one that was closed may not")
		}
	}
	for _, f := range tpl.fields {
		if list, ok := r.Message.Get(f.name).AsArray(); ok && whole && f.repeats && f.join == nil {
			n := 0
			if before, has := tpl.defaults.Get(f.name); has {
				n = 1
				if a, ok := before.AsArray(); ok {
					n = a.Len()
				}
			}
			for _, region := range r.Regions {
				if region.Field == f.name {
					n++
				}
			}
			if list.Len() != n {
				faults = append(faults, f.name+" has more or fewer values than regions")
			}
		}
	}
	return faults
}

func textOf(o *value.Object, key string) string {
	v, _ := o.Get(key)
	s, _ := v.AsString()
	return s
}

// A reading that failed in a feed is ended by the stop of Finalize, once; a
// second Finalize gives the same, whatever its stop.
func TestStopBehindAnError(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor":"@","fields":{"x":{"open":"<x>","close":"</x>","content":"json","repeats":true}}}`)
	for _, lenient := range []bool{false, true} {
		p, err := tpl.NewParser(Options{Prefix: &noPrefix, Problems: true, Lenient: lenient})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Feed("<x>1</x><x>{</x>"); (err == nil) != lenient {
			t.Fatal(err)
		}
		_, first, err := p.Finalize(harmony.StopLength())
		_, second, again := p.Finalize(harmony.StopUnknown())
		if err == nil || err != again || describe(first) != describe(second) {
			t.Errorf("%v, %s\nthen %v, %s", err, describe(first), again, describe(second))
		}
		if got := value.Dumps(first.Message); got != `{"x": [1, "{"]}` {
			t.Errorf("%s", got)
		}
		kinds := []harmony.ProblemKind{}
		for _, p := range first.Problems {
			kinds = append(kinds, p.Kind)
		}
		slices.Sort(kinds)
		if !slices.Equal(kinds, []harmony.ProblemKind{harmony.BadSyntax, harmony.CutOff}) {
			t.Errorf("lenient %v: %v", lenient, first.Problems)
		}
	}
}

// A parser whose reset was refused has nothing to end.
func TestEndOfRefused(t *testing.T) {
	p, err := beamTemplate(t).NewParser(Options{Prefix: &noPrefix, Problems: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Feed(openFinal + "of the reply before"); err != nil {
		t.Fatal(err)
	}
	refused := p.Reset(Options{Prefix: &noPrefix, Limits: Limits{Bytes: -1}})
	events, reply, err := p.Finalize(harmony.StopLength())
	if refused == nil || err != refused || len(events) > 0 || !reply.Message.IsNull() || reply.Problems != nil || reply.Regions != nil {
		t.Errorf("%v, then %v with %d events, %s, %s", refused, err, len(events), value.Dumps(reply.Message), describe(reply))
	}
}
