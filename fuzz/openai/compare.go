package openai

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/openai"
)

// Message is a message as the library gives it; "" is what it does not have.
type Message struct{ Role, Name, Recipient, Channel, ContentType, Content string }

// Difference is how the library's strict reading differs from this project's.
type Difference uint8

// The first two are no differences that need a reason; each other but the last is a
// class of harmony/openai/DIFFERENCES.md.
const (
	Same            Difference = iota
	BothRefuse                 // an error of both
	MarkerInText               // it keeps a marker as text, or takes one for a name or a type
	WordIsRecipient            // it takes a word without to= for a recipient
	NamedAuthor                // it does not know role:name
	NamelessRefused            // it takes a recipient, a channel or a type without a name, or an author twice
	Unexplained                // none of these: a fault of one of the two
)

var differenceNames = [...]string{"same", "both refuse", "marker in text", "word is recipient",
	"named author", "nameless", "unexplained"}

func (d Difference) String() string { return differenceNames[d] }

// Compare reads a reply strictly, and compares it with what the library made of it:
// its messages, or that it refused it.
func Compare(reply string, library []Message, refused bool) Difference {
	r, err := openai.Parse(reply, openai.ReadOptions{Strict: true})
	switch {
	case err != nil && refused:
		return BothRefuse
	case err == nil && refused:
		return newlyRead(r)
	case err != nil:
		return whyRefused(err.(*openai.ReadError), library)
	case len(r.Messages) != len(library):
		return Unexplained
	}
	for i, m := range r.Messages {
		l := library[i]
		own := Message{m.Author.Role, m.Author.Name, m.Recipient, m.Channel, m.ContentType, m.Content}
		switch {
		case own == l:
		case hasMarker(l):
			return MarkerInText
		case own.ContentType != "" && own.Recipient == "" && own == (Message{l.Role, l.Name, "", l.Channel, l.Recipient, l.Content}) && l.ContentType == "":
			return WordIsRecipient
		case strings.Contains(l.Name, ":"):
			return NamedAuthor
		default:
			return Unexplained
		}
	}
	return Same
}

// newlyRead says why this project reads what the library refuses.
func newlyRead(r openai.Reply) Difference {
	for _, m := range r.Messages {
		if m.Author.Name != "" && m.Author.Role != harmony.Tool {
			return NamedAuthor
		}
	}
	return Unexplained
}

// whyRefused says why the library reads what this project refuses.
func whyRefused(err *openai.ReadError, library []Message) Difference {
	for _, m := range library {
		switch {
		case hasMarker(m):
			return MarkerInText
		case m.Recipient == "" && strings.Contains(err.Msg, "has no name"), strings.Contains(err.Msg, "more than once"):
			return NamelessRefused
		}
	}
	for _, m := range library {
		if m.Recipient != "" && m.ContentType != "" && strings.Contains(err.Msg, "content type") ||
			strings.Contains(m.Recipient, "<") && strings.Contains(err.Msg, "a < stands") {
			return WordIsRecipient
		}
		if strings.HasPrefix(m.Name, "to=") {
			return NamelessRefused
		}
	}
	return Unexplained
}

// hasMarker tells whether a marker stands in the text of a message, or is in a name.
func hasMarker(m Message) bool {
	if m.ContentType == openai.MarkConstrain {
		return true
	}
	for _, mark := range append(openai.Markers(), "<|reserved_", "<|refusal|>", "<|endoftext|>") {
		for _, text := range [...]string{m.Name, m.Recipient, m.Channel, m.Content, strings.TrimPrefix(m.ContentType, openai.MarkConstrain)} {
			if strings.Contains(text, mark) {
				return true
			}
		}
	}
	return false
}
