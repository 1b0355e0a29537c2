package response

import "github.com/beamdiff/beamdiff/harmony/response/rx"

// HeldBack names what keeps a stream of this template from showing text as it
// arrives, one line for each anchor; nil where nothing does.
func (t *Template) HeldBack() []string {
	var held []string
	t.patterns(func(where string, anchor bool, p *rx.Pattern) {
		if anchor && p.Greedy() {
			held = append(held, where+" may begin anywhere and run on to the end, so that text is shown only when it matched or the reply ended: "+p.String())
		}
	})
	return held
}

// Backtracks names the patterns that can only be tried one path after another,
// because they look around, refer to their groups or repeat what may be empty, one
// line for each; nil where there are none. What is promised of them:
//
//   - The answer is the same for every cut, and so is what it costs: a path goes on
//     where it waited for text.
//   - Text is shown as soon as no path that is tried asks for what follows it, and
//     never before it is certain. It may be later than certain where a path asks in
//     vain, as where two looks exclude each other.
//   - The cost is linear only up to Limits.Steps. Behind it reading ends with an
//     [Error] of KindLimit that tells the byte, with what was read before; in a
//     region's content, with the region's raw text.
func (t *Template) Backtracks() []string {
	var tried []string
	t.patterns(func(where string, _ bool, p *rx.Pattern) {
		if p.Backtracks() {
			tried = append(tried, where+" backtracks, under a limit of steps: "+p.String())
		}
	})
	return tried
}

// patterns calls yield for each pattern of a template, anchors first.
func (t *Template) patterns(yield func(where string, anchor bool, p *rx.Pattern)) {
	if t == nil {
		return
	}
	for _, f := range t.fields {
		if f.open != nil {
			yield("field "+f.name+": open_pattern", true, f.open)
		}
		if f.close != nil {
			yield("field "+f.name+": close_pattern", true, f.close)
		}
	}
	for _, f := range t.fields {
		for c := f.content; c != nil; c = c.sub {
			if c.xml != nil && c.xml.pattern != nil {
				yield("field "+f.name+": tag_pattern", false, c.xml.pattern)
			}
		}
	}
	if t.start != nil {
		yield("start_anchor_pattern", false, t.start)
	}
}
