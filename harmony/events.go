package harmony

import "iter"

// Ending is how one reply ends, for the forms that finalize by themselves:
// [Events] and [Writer].
type Ending struct {
	// Stop is read when the text is over; until then it may be set.
	Stop Stop
	// Reply is set at the end; where reading failed, to what was read so far.
	Reply Reply
}

// Events reads a reply from chunks and gives its events, one by one: those of
// the prefix first, where the reader has any (method InitialEvents), those of
// the end last. An error is the last pair, behind the events before it. The
// reader is finalized when the chunks are over or reading fails, not when the
// loop is left early. The sequence can be walked once, as the reader can.
//
// chunks may be nil, for none. end, which may be nil, says why the reply ended and
// takes the Reply.
func Events(r Reader, chunks iter.Seq[string], end *Ending) iter.Seq2[Event, error] {
	if end == nil {
		end = &Ending{}
	}
	if chunks == nil {
		chunks = func(func(string) bool) {}
	}
	return func(yield func(Event, error) bool) {
		if r == nil {
			yield(Event{}, ErrNoReader)
			return
		}
		each := func(events []Event) bool {
			for _, e := range events {
				if !yield(e, nil) {
					return false
				}
			}
			return true
		}
		if !each(initial(r)) {
			return
		}
		for chunk := range chunks {
			events, err := r.Feed(chunk)
			if !each(events) {
				return
			}
			if err != nil {
				break // Finalize gives the same error, with what was read
			}
		}
		events, reply, err := r.Finalize(end.Stop)
		end.Reply = reply
		if each(events) && err != nil {
			yield(Event{}, err)
		}
	}
}

// initial are the events of the part of the turn that the prompt holds.
func initial(r Reader) []Event {
	if p, ok := r.(interface{ InitialEvents() []Event }); ok {
		return p.InitialEvents()
	}
	return nil
}
