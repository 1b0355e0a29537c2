package response

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// readEnd takes the rest of the reply.
func (p *Parser) readEnd(rest string) error {
	p.load(rest, true)
	if err := p.run(true); err != nil {
		return err
	}
	var missing []string
	for _, f := range p.t.fields {
		if _, ok := p.message().Get(f.name); !ok && !f.optional {
			missing = append(missing, "'"+f.name+"'")
		}
	}
	if missing != nil {
		return fail(KindValue, "the reply has no region of a required field: [%s]", strings.Join(missing, ", "))
	}
	if p.lenientErr != nil {
		return p.lenientErr
	}
	return nil
}

// finish makes the reply of what was read. It is called once.
func (p *Parser) finish(stop harmony.Stop) {
	p.ended = true
	if p.err != nil && p.opened { // what was read of the region in which it failed
		text, copied := p.body.text()
		p.steps += copied
		p.storeRaw(p.cur, text)
	}
	out := &value.Object{}
	for name, v := range p.message().All() {
		if _, isDefault := p.t.defaults.Get(name); !isDefault && empty(v) {
			continue
		}
		out.Set(name, v)
	}
	if !p.o.Discard {
		p.reply.Message = out.Value()
	}
	for i := range p.calls {
		if c := &p.calls[i]; stop.Length() {
			c.Runnable = c.Closed
		}
	}
	p.reply.Calls = p.calls
	if p.o.Problems {
		p.reply.Regions, p.reply.Problems = p.report(stop)
	}
}

func empty(v value.Value) bool {
	switch v.Kind() {
	case value.KindNull, value.KindString, value.KindArray, value.KindObject:
		return !v.Truthy()
	}
	return false
}
