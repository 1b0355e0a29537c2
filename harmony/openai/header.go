package openai

import (
	"strings"
	"unicode"

	"github.com/beamdiff/beamdiff/harmony"
)

// header is what stands between <|start|> and <|message|>, read by the grammar of
// the notes:
//
//	header       := author [recipient] [channel] [content_type]
//	author       := role | role ":" name | tool_name
//	recipient    := " to=" recipient_name          also behind the channel
//	channel      := "<|channel|>" channel_name
//	content_type := " " plain_type | " <|constrain|>" constrained_type
type header struct {
	Message
	fault  string // the first thing that does not fit the grammar, "" for nothing
	at     int    // where it stands in the header
	broken bool   // it hides what the message is
	rest   int    // where in the header the words behind the channel's name begin
	plain  bool   // they are plain words: no recipient, no marker
}

// readHeader reads the text of a header. implied says that <|start|>assistant
// stands in the prompt: the author may be missing.
func readHeader(s string, implied bool) header {
	h := header{rest: len(s), plain: true}
	r := headerReader{h: &h, author: !implied}
	for i := 0; i < len(s); {
		if s[i] == '<' {
			if m, n := markAt(s[i:]); n > 0 {
				i = r.mark(m, s, i, n)
				continue
			}
		}
		end, size := wordEnd(s[i:])
		if end == 0 {
			i += size
			continue
		}
		r.word(s[i:i+end], i)
		i += end
	}
	r.finish(len(s))
	return h
}

// wordEnd is the length of the word at the start of s: it runs to white space or
// to a marker. Of white space it is 0, and size its length.
func wordEnd(s string) (end, size int) {
	for i, c := range s {
		if unicode.IsSpace(c) {
			return i, len(string(c))
		}
		if c == '<' && i > 0 {
			if _, n := markAt(s[i:]); n > 0 {
				return i, 0
			}
		}
	}
	return len(s), 0
}

// headerReader reads a header word by word.
type headerReader struct {
	h         *header
	author    bool // the author is still to come
	inChannel bool // behind a <|channel|>
	channels  int
	sent      bool   // a recipient was read
	bare      string // a word that is a recipient without to=, or the content type
	bareAt    int
	worded    bool // any word was read
}

func (r *headerReader) fault(at int, broken bool, what string) {
	if r.h.fault == "" {
		r.h.fault, r.h.at = what, at
	}
	r.h.broken = r.h.broken || broken
}

// mark reads the marker of n bytes at i and what belongs to it; it gives where the
// next word begins.
func (r *headerReader) mark(m mark, s string, i, n int) int {
	at := i
	i += n
	switch m {
	case channelMark:
		if r.author && !r.worded {
			r.fault(at, false, "the header names no author")
			r.setAuthor(harmony.Assistant, at)
		}
		r.channels++
		for i < len(s) && isSpace(s[i]) {
			r.fault(i, false, "white space stands before the channel's name")
			i++
		}
		end, _ := wordEnd(s[i:])
		if startsMark(s[i:]) {
			end = 0
		}
		name := s[i : i+end]
		if cut := strings.IndexByte(name, '<'); cut >= 0 {
			r.fault(i+cut, false, "a < stands in the channel's name")
			name, end = name[:cut], cut
		}
		switch {
		case name == "":
			r.fault(at, false, "the channel has no name")
		case r.h.Channel == "":
			r.h.Channel = name
			r.h.rest = i + end
		case r.h.Channel != name:
			r.fault(at, false, "the header has a second channel")
		}
		return i + end
	case constrainMark:
		if r.channels > 0 {
			r.h.plain = false
		}
		spaced := i
		for i < len(s) && isSpace(s[i]) {
			i++
		}
		end, _ := wordEnd(s[i:])
		if startsMark(s[i:]) {
			end = 0
		}
		if i > spaced {
			r.fault(spaced, false, "white space stands between <|constrain|> and the type")
		}
		r.contentType(MarkConstrain+s[i:i+end], at)
		return i + end
	}
	r.h.plain = false
	r.fault(at, false, "a marker has no place in a header")
	return i
}

// startsMark tells whether a marker begins s.
func startsMark(s string) bool {
	if s == "" || s[0] != '<' {
		return false
	}
	_, n := markAt(s)
	return n > 0
}

// isSpace tells whether c is white space of the header.
func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func (r *headerReader) word(w string, at int) {
	if name, is := strings.CutPrefix(w, "to="); is {
		if r.author && !r.worded {
			r.fault(at, false, "the header names no author")
			r.setAuthor(harmony.Assistant, at)
		}
		r.worded = true
		if r.channels > 0 {
			r.h.plain = false
		}
		switch {
		case name == "":
			r.fault(at, false, "the recipient has no name")
		case r.sent:
			r.fault(at, r.h.Recipient != name, "the header has a second recipient")
		default:
			if r.h.ContentType != "" || r.bare != "" {
				r.fault(at, false, "the recipient stands behind the content type")
			}
			r.h.Recipient, r.sent = name, true
		}
		return
	}
	first := !r.worded
	r.worded = true
	switch {
	case r.author && first:
		r.setAuthor(w, at)
	case first && r.channels == 0 && w == harmony.Assistant:
		// The prompt says it already.
	case r.h.ContentType != "":
		r.fault(at, false, "words follow the content type")
	case r.bare != "":
		r.second(w, at)
	default:
		r.bare, r.bareAt = w, at
	}
}

// second reads a word behind a bare one: that is then a recipient without to=, as
// the library has it, if it looks like the name of a tool.
func (r *headerReader) second(w string, at int) {
	if r.sent || !isToolName(r.bare) {
		r.fault(at, false, "words follow the content type")
		r.h.ContentType, r.bare = r.bare, ""
		return
	}
	r.h.Recipient, r.sent, r.bare = r.bare, true, ""
	r.h.ContentType = w
}

func (r *headerReader) contentType(t string, at int) {
	if r.bare != "" && !r.sent && isToolName(r.bare) {
		r.h.Recipient, r.sent, r.bare = r.bare, true, ""
	}
	switch {
	case t == MarkConstrain:
		r.fault(at, false, "<|constrain|> names no type")
	case r.h.ContentType != "" || r.bare != "":
		r.fault(at, false, "the header has a second content type")
	}
	if r.h.ContentType == "" {
		r.h.ContentType = t
	}
}

// isToolName tells whether a bare word is a tool's name and no content type: those
// have no namespace.
func isToolName(w string) bool {
	return w == "python" || strings.HasPrefix(w, "functions.") || strings.HasPrefix(w, "browser.")
}

func (r *headerReader) setAuthor(w string, at int) {
	r.author = false
	role, name, named := strings.Cut(w, ":")
	switch role {
	case harmony.System, harmony.Developer, harmony.User, harmony.Assistant, harmony.Tool:
		r.h.Author = Author{Role: role, Name: name}
		if named && name == "" {
			r.fault(at, false, "the author has no name")
		}
		return
	case Analysis, Commentary, Final:
		r.fault(at, true, "a channel stands where the author belongs")
		r.h.Author = Author{Role: harmony.Assistant}
		return
	}
	if strings.ReplaceAll(w, harmony.Assistant, "") == "" {
		r.fault(at, false, "the author is written more than once")
		r.h.Author = Author{Role: harmony.Assistant}
		return
	}
	r.h.Author = Author{Role: harmony.Tool, Name: w}
}

func (r *headerReader) finish(end int) {
	switch {
	case r.author:
		r.fault(end, true, "the header names no author")
		r.h.Author = Author{Role: harmony.Assistant}
	case r.h.Author.Role == "":
		r.h.Author = Author{Role: harmony.Assistant}
	case r.h.Author.Role == harmony.Tool && r.h.Recipient == "" && r.h.ContentType == "" && r.bare == "" && r.h.Author.Name != "":
		r.fault(0, true, "the author is no role, and of a tool the header says too little")
	}
	if r.bare == "" {
		return
	}
	if !r.sent && isToolName(r.bare) {
		r.h.Recipient = r.bare
	} else if r.h.ContentType == "" {
		r.h.ContentType = r.bare
	}
}
