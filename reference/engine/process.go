package engine

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// process is one running process of an engine.
//
// Three goroutines serve it: one writes requests, one reads answers, one keeps
// the end of standard error. They end when the process does; end waits for them.
type process struct {
	cmd     *exec.Cmd
	in      *os.File // the process' standard input
	out     *os.File // its standard output
	err     *os.File // its standard error
	tail    tail
	send    chan []byte   // lines to write, nil to close; never full, as a pool holds fewer
	answers chan answer   // lines read, in order
	broken  chan error    // the first thing that went wrong with the pipes or the memory
	gone    chan struct{} // closed when the process is to be left alone
	waited  chan struct{} // closed when it has been reaped
	status  error         // of Wait; valid once waited is closed
	killed  bool          // by end, since it did not end by itself
	limit   int64
	noLimit error // why the limit does not hold, nil where it does
	wg      sync.WaitGroup
}

// exitGrace is how long a process may take to end by itself once it has closed
// its output or was told to close.
const exitGrace = time.Second

func startProcess(cmd *exec.Cmd, o Options) (*process, error) {
	p := &process{
		cmd:     cmd,
		send:    make(chan []byte, o.Pipeline+2),
		answers: make(chan answer),
		broken:  make(chan error, 4),
		gone:    make(chan struct{}),
		waited:  make(chan struct{}),
		limit:   o.MemoryLimit,
	}
	var theirs [3]*os.File
	var err error
	for _, open := range []func() error{
		func() (err error) { theirs[0], p.in, err = os.Pipe(); return },
		func() (err error) { p.out, theirs[1], err = os.Pipe(); return },
		func() (err error) { p.err, theirs[2], err = os.Pipe(); return },
	} {
		if err = open(); err != nil {
			break
		}
	}
	if err == nil {
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
		ownGroup(p.cmd)
		err = running.start(p)
	}
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		p.in.Close()
		p.out.Close()
		p.err.Close()
		return nil, err
	}
	p.wg.Add(3)
	go p.write()
	go p.read(o.LineLimit)
	go p.listen()
	go func() { // not waited for by end where the process cannot be killed
		p.status = p.cmd.Wait()
		close(p.waited)
	}()
	if p.limit > 0 {
		p.noLimit = p.limitMemory()
	}
	return p, nil
}

// told is what the process says of itself, with what this side has to add.
func (p *process) told(in Info) Info {
	if p.noLimit != nil {
		in.Notes = append(in.Notes, fmt.Sprintf("its memory is not limited to %d MiB: %v", p.limit>>20, p.noLimit))
	}
	return in
}

func (p *process) fail(err error) {
	select {
	case p.broken <- err:
	default:
	}
}

func (p *process) write() {
	defer p.wg.Done()
	for {
		select {
		case b := <-p.send:
			if b == nil {
				p.in.Close()
				return
			}
			if _, err := p.in.Write(b); err != nil {
				p.fail(errClosed)
				return
			}
		case <-p.gone:
			return
		}
	}
}

// errClosed stands for an end of the pipes; the exit status then says more.
var errClosed = errors.New("closed its standard input or output")

func (p *process) read(limit int) {
	defer p.wg.Done()
	r := bufio.NewReaderSize(p.out, 64<<10)
	for {
		b, err := readLine(r, limit)
		if err == nil {
			var a answer
			if a, err = decode(b); err == nil {
				select {
				case p.answers <- a:
					continue
				case <-p.gone:
					return
				}
			}
			err = &protocolError{what: err.Error()}
		}
		p.fail(err)
		// What follows is not looked at, but a process that writes must not block.
		io.Copy(io.Discard, r)
		return
	}
}

// protocolError is an answer that the protocol does not know.
type protocolError struct {
	what string
	err  error // errClosed where the answer broke off
}

func (e *protocolError) Error() string { return "broken protocol: " + e.what }
func (e *protocolError) Unwrap() error { return e.err }

// readLine reads up to a newline, which it leaves out.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var long []byte
	for {
		b, err := r.ReadSlice('\n')
		if len(long)+len(b) > limit {
			return nil, &protocolError{what: fmt.Sprintf("a line is longer than %d bytes", limit)}
		}
		switch {
		case err == nil && long == nil:
			return b[:len(b)-1], nil
		case err == nil:
			long = append(long, b...)
			return long[:len(long)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, b...)
		case len(long)+len(b) > 0 && errors.Is(err, io.EOF):
			return nil, &protocolError{"the last line has no newline: " + excerpt(append(long, b...)), errClosed}
		default:
			return nil, errClosed
		}
	}
}

func (p *process) listen() {
	defer p.wg.Done()
	io.Copy(&p.tail, p.err)
}

// end makes sure that the process, its children and the goroutines have ended,
// within grace where it ends by itself.
func (p *process) end(grace time.Duration) {
	if grace > 0 {
		select {
		case p.send <- nil:
		default:
		}
		timer := time.NewTimer(grace)
		select {
		case <-p.waited:
		case <-timer.C:
			p.killed = true
		}
		timer.Stop()
	}
	killGroup(p.cmd)
	running.ended(p)
	close(p.gone)
	p.in.Close()
	<-p.waited
	// A grandchild that left the group may still hold the pipes.
	done := make(chan struct{})
	go func() { p.wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(50 * time.Millisecond):
	}
	p.out.Close()
	p.err.Close()
	<-done
}

// explain turns what broke into words, once the process has ended: a crash is
// told by its exit status, memory that ran out by what is known of it.
func (p *process) explain(err error) string {
	var known *protocolError
	switch {
	case !errors.Is(err, errClosed):
		return err.Error()
	case p.killed:
		return "broken protocol: it " + errClosed.Error() + " and went on running"
	case p.limit > 0 && p.outOfMemory():
		return fmt.Sprintf("out of memory, with a limit of %d MiB: %s", p.limit>>20, p.exit())
	case errors.As(err, &known) && p.status == nil:
		return err.Error()
	}
	return "crashed: " + p.exit()
}

// exit gives the exit status in words.
func (p *process) exit() string {
	if p.status == nil {
		return "exit status 0, before its work was done"
	}
	return p.status.Error()
}

func (p *process) outOfMemory() bool {
	return p.tail.outOfMemory() || peakMemory(p.cmd.ProcessState) >= p.limit-p.limit/10
}

// lastWords gives the last line of standard error, as the end of a sentence.
func (p *process) lastWords() string {
	s := strings.TrimRight(p.tail.String(), "\r\n")
	if s == "" {
		return ""
	}
	return "; its standard error ends: " + s[strings.LastIndexByte(s, '\n')+1:]
}
