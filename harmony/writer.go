package harmony

// Writer is a Reader in the form of an io.WriteCloser: a reply is written to it
// in chunks, and its events go to a function.
type Writer struct {
	Ending // Stop may be set until Close; Reply is there after it

	reader  Reader
	each    func(Event) error
	err     error
	started bool
	closed  bool
}

// NewWriter makes a Writer that gives the events of r to each, one by one: those
// of the prefix with the first write, where the reader has any (method
// InitialEvents). An error of each ends the reading, as one of r does: every
// later call returns it. Where each is nil, only Reply is of interest.
func NewWriter(r Reader, each func(Event) error) *Writer {
	return &Writer{reader: r, each: each}
}

// Write reads the next chunk, cut anywhere. It keeps a copy. Of a chunk that
// fails no byte counts as written.
func (w *Writer) Write(chunk []byte) (int, error) { return w.WriteString(string(chunk)) }

// WriteString is Write without a copy.
func (w *Writer) WriteString(chunk string) (int, error) {
	w.start()
	if w.err != nil {
		return 0, w.err
	}
	events, err := w.reader.Feed(chunk)
	w.give(events)
	if w.fail(err); w.err != nil {
		return 0, w.err
	}
	return len(chunk), nil
}

// Close ends the reply and gives the events of its end, then Reply is set. Only
// the first call does; all return the error that reading ended with, nil for
// none.
func (w *Writer) Close() error {
	w.start()
	if w.closed {
		return w.err
	}
	w.closed = true
	if w.reader == nil {
		return w.err
	}
	events, reply, err := w.reader.Finalize(w.Stop)
	w.Reply = reply
	if w.err == nil {
		w.give(events)
		w.fail(err)
	}
	return w.err
}

func (w *Writer) start() {
	if w.started {
		return
	}
	w.started = true
	if w.reader == nil {
		w.err = ErrNoReader
		return
	}
	w.give(initial(w.reader))
}

func (w *Writer) give(events []Event) {
	if w.each == nil {
		return
	}
	for _, e := range events {
		if w.err != nil {
			return
		}
		w.err = w.each(e)
	}
}

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}
