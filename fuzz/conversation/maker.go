package conversation

import (
	"fmt"
	"maps"
	"slices"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// maker makes the parts of one conversation.
type maker struct {
	s *fuzz.Source
	// careless: there may be faults. Most conversations have none, so that they
	// are rendered to their end.
	careless bool
	// thinking: each assistant turn has its reasoning.
	thinking bool
	// plain: schemas are of one type each, and calls keep to them.
	plain    bool
	tools    []tool
	messages []value.Value
	rest     *value.Object // the other keys
	ids      int           // calls so far
	traits   map[string]bool
}

func newMaker(s *fuzz.Source) *maker {
	return &maker{s: s, rest: &value.Object{}, traits: map[string]bool{}}
}

func (m *maker) seen(trait string) { m.traits[trait] = true }

// wrong is true once in n times of a careless conversation.
func (m *maker) wrong(n int) bool { return m.careless && m.s.OneIn(n) }

// conversation is all that was made.
func (m *maker) conversation() *Conversation {
	if len(m.messages) == 0 && !m.wrong(2) {
		m.user()
	}
	in := value.NewObject(2 + m.rest.Len())
	in.Set("messages", value.List(m.messages...))
	for name, v := range m.rest.All() {
		in.Set(name, v)
	}
	if m.careless {
		m.seen("careless")
	}
	return &Conversation{Input: in, Traits: slices.Sorted(maps.Keys(m.traits))}
}

// add ends a message. Its keys may come in any order.
func (m *maker) add(members ...value.Member) {
	m.messages = append(m.messages, m.object(members))
}

// object is an object of members, now and then in another order.
func (m *maker) object(members []value.Member) value.Value {
	if m.s.OneIn(6) {
		for i := range members {
			j := i + m.s.N(len(members)-i)
			members[i], members[j] = members[j], members[i]
		}
	}
	return value.Members(members...)
}

// member is a member of an object.
func member(name string, v value.Value) value.Member { return value.Member{Name: name, Value: v} }

func str(name, text string) value.Member { return member(name, value.String(text)) }

// parse reads JSON that stands in this package.
func parse(text string) value.Value {
	v, err := value.Loads(text)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
	return v
}
