package gate

import (
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/campaign"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// cases are all that both sides are asked, each input once.
func (r *run) cases() []corpus.Case {
	list := r.Cases
	if list == nil {
		list = r.shipped()
	}
	list = append(slices.Clone(list), r.generated()...)
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(c corpus.Case) bool {
		key := string(c.Kind) + value.Dumps(c.Input.Value())
		again := seen[key]
		seen[key] = true
		return again
	})
}

// shipped are the cases of the corpus that bring no template, and the shapes. A
// conversation is of no format; a want is, and so is a reply.
func (r *run) shipped() []corpus.Case {
	var list []corpus.Case
	for _, c := range corpus.Embedded() {
		_, chat := c.Input.Get("chat_template")
		_, response := c.Input.Get("response_template")
		other := c.Format != r.Format
		if chat || response || c.Checkpoint != "" || c.Kind == corpus.EncodeIDs || c.Kind == corpus.Parse && other {
			continue
		}
		if ids, _ := c.Input.Get("reply_ids"); !ids.IsNull() {
			continue // they are of one vocabulary
		}
		c.Input = plain(c)
		if other || c.Domain != corpus.Documented {
			c.Want = nil
		}
		list = append(list, c)
	}
	for _, s := range law.Shapes() {
		for _, step := range s.Steps {
			list = append(list, step.Prompt, step.Closed, step.Mask)
		}
	}
	return list
}

// plain is the input without what is asked of tokens, and without a cut: what is
// compared is the text, the spans and the message of the whole reply.
func plain(c corpus.Case) *value.Object {
	out := value.NewObject(c.Input.Len())
	for name, v := range c.Input.All() {
		if !slices.Contains([]string{"chunks", "truncation", "max_length", "padding", "sanitize_control_tokens"}, name) {
			out.Set(name, v)
		}
	}
	return out
}

// conversations makes conversations of a kind, of many turns or around one
// construct, half of them such that a strict template takes them. What they say is
// of no format.
func conversations(kind corpus.Kind, weight int) campaign.Generator {
	return campaign.Generator{Weight: weight, Make: func(s *fuzz.Source) corpus.Case {
		made := conversation.Generate
		if s.OneIn(3) {
			made = conversation.GenerateOne
		}
		c := made(s)
		if s.OneIn(2) {
			c = conversation.Tame(s, c)
		}
		return corpus.Case{Kind: kind, Input: c.Input}
	}}
}

// generated are Count cases of the seed: conversations, and replies to the
// response template of either side.
func (r *run) generated() []corpus.Case {
	generators := []campaign.Generator{conversations(corpus.Render, 6), conversations(corpus.Mask, 1)}
	var before value.Value
	for _, s := range []*side{r.base, r.cand} {
		spec := s.Checkpoint.ResponseTemplate
		if spec.IsNull() || s == r.cand && value.Equal(spec, before) {
			continue
		}
		before = spec
		t, err := fuzz.NewTemplate(s.role, spec)
		if err != nil {
			r.report.Notes = append(r.report.Notes, fmt.Sprintf("no replies are made for the response template of the %s, which native Go cannot compile: %v", s.role, err))
			continue
		}
		generators = append(generators, campaign.CheckpointReplies(t))
	}
	weights := 0
	for _, g := range generators {
		weights += g.Weight
	}
	var list []corpus.Case
	for i := range r.Count {
		at := i % weights
		for _, g := range generators {
			if at -= g.Weight; at >= 0 {
				continue
			}
			c := g.Make(fuzz.FromSeed(r.Seed<<32 + uint64(i)))
			c.Input = plain(c)
			if c = finding.Name(c); finding.Valid(c) {
				list = append(list, c)
			}
			break
		}
	}
	return list
}
