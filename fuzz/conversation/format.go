package conversation

import "github.com/beamdiff/beamdiff/fuzz"

// formats are those that conversations are made for, and what fits one for each.
var formats = map[string]func(*fuzz.Source, *Conversation) *Conversation{
	"beam": func(_ *fuzz.Source, c *Conversation) *Conversation { return c },
	"gpt-oss": func(s *fuzz.Source, c *Conversation) *Conversation {
		if s.OneIn(8) {
			return c
		}
		return Tame(s, c)
	},
}

// Of gives what makes conversations for a format, of many constructs or of one,
// and whether there is such a thing.
func Of(format string) (made func(s *fuzz.Source) *Conversation, ok bool) {
	fit, ok := formats[format]
	return func(s *fuzz.Source) *Conversation {
		made := Generate
		if s.OneIn(3) {
			made = GenerateOne
		}
		c := fit(s, made(s))
		c.format = format
		return c
	}, ok
}
