package response

import (
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// discardRegion ends a region whose text was not kept. That the field occurred
// is noted: it may be a required one.
func (m *machine) discardRegion(closed bool) {
	f := m.cur
	if _, has := m.message().Get(f.name); !has {
		m.message().Set(f.name, value.Null())
	}
	m.emit(harmony.Event{Type: harmony.RegionClose, Field: f.name, Closed: closed})
	m.reset()
}
