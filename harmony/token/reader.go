package token

import "github.com/beamdiff/beamdiff/harmony"

// Reader reads one reply from ids: it decodes them and gives the text to a
// harmony.Reader, whose events and reply are those of the decoded text, for every
// way of cutting the ids. It belongs to one goroutine.
//
// Special tokens are always part of the text: a reply without its markers is not
// a reply any more. For texts that somebody else decoded there is
// [Vocabulary.CheckText], and [Vocabulary.CheckReply] where only the text is left.
//
// The reply's prefix, where it comes as ids, is decoded apart, as the reference
// does: [Vocabulary.Decode] gives the text for the reader's options.
type Reader struct {
	reader  harmony.Reader
	decoder *Decoder
	events  []harmony.Event
	failed  error // an id that is not in the vocabulary
}

// ReaderOptions are what a reply is read from ids with.
type ReaderOptions struct {
	// SkipUnknown leaves ids out that the vocabulary does not have, as the
	// reference does. Else the first one is an error, and ends the reading.
	SkipUnknown bool
	// Eager gives characters that a vocabulary has in bytes only as they come: see
	// [DecodeOptions].
	Eager bool
}

func (o ReaderOptions) decode() DecodeOptions {
	return DecodeOptions{SkipUnknown: o.SkipUnknown, Eager: o.Eager}
}

// NewReader makes a Reader of a reply that r reads as text.
func NewReader(v *Vocabulary, r harmony.Reader, o ReaderOptions) *Reader {
	return &Reader{reader: r, decoder: v.NewDecoder(o.decode())}
}

// Reset prepares to read another reply, as NewReader does.
func (r *Reader) Reset(reader harmony.Reader, o ReaderOptions) {
	r.reader, r.failed = reader, nil
	r.decoder.Reset(o.decode())
}

// Feed reads the next ids, any number of them. The events are valid until the
// next call. The error is that of the harmony.Reader, with the events before it,
// or an *UnknownIDError, with the events of the ids before that one.
func (r *Reader) Feed(ids ...ID) ([]harmony.Event, error) {
	if r.failed != nil {
		return nil, r.failed
	}
	for _, id := range ids {
		if r.failed = r.decoder.push(id); r.failed != nil {
			break
		}
	}
	text := r.decoder.take()
	if text == "" {
		return nil, r.failed
	}
	events, err := r.reader.Feed(text)
	if err == nil {
		err = r.failed
	}
	return events, err
}

// Finalize ends the reply. [Vocabulary.Stop] makes the stop of an id. Where it
// fails, or an earlier call did, the reply is what was read so far.
func (r *Reader) Finalize(stop harmony.Stop) ([]harmony.Event, harmony.Reply, error) {
	r.events = r.events[:0]
	if rest := r.decoder.Flush(); rest != "" && r.failed == nil {
		events, _ := r.reader.Feed(rest) // Finalize gives the same error again
		r.events = append(r.events, events...)
	}
	events, reply, err := r.reader.Finalize(stop)
	if r.failed != nil {
		err = r.failed
	}
	if len(r.events) == 0 {
		return events, reply, err
	}
	r.events = append(r.events, events...)
	return r.events, reply, err
}

// Stop says that a reply ended with a token. The error is an *UnknownIDError.
func (v *Vocabulary) Stop(id ID) (harmony.Stop, error) {
	text, ok := v.Text(id)
	if !ok {
		return harmony.StopUnknown(), &UnknownIDError{ID: id}
	}
	return harmony.StopToken(text), nil
}
