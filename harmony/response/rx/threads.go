package rx

// threads is the automaton: one thread for each instruction that is alive, in
// order of preference. Threads of an earlier start come first, so the first
// match whose elders are all dead is the leftmost, and there the preferred one.
type threads struct {
	cur, next *list // the threads at a position, and those behind the next code point
	lists     [2]list
	matched   bool
	best      Match
	stack     []frame
	init      bool
	sole      int32 // the loop whose turn the threads are, -1 for none
}

type thread struct {
	pc    int32
	start int
	end   int // where the match ends, if looking ahead has begun, else -1
}

// list holds threads without repeating an instruction.
type list struct {
	dense  []thread
	slots  []int // one row of positions a thread
	seen   []uint32
	stamp  uint32
	nslots int
}

type frame struct {
	pc      int32
	slot    int32 // restore this slot to old, if ≥ 0
	old     int
	end     int
	restore bool
}

func (l *list) clear() {
	l.dense = l.dense[:0]
	l.slots = l.slots[:0]
	if l.stamp++; l.stamp == 0 {
		clear(l.seen)
		l.stamp = 1
	}
}

func (th *threads) prepare(p *prog) {
	if th.init {
		return
	}
	th.init = true
	th.cur, th.next = &th.lists[0], &th.lists[1]
	for i := range th.lists {
		l := &th.lists[i]
		l.seen = make([]uint32, len(p.insts))
		l.nslots = p.slots
		l.clear()
	}
	th.best.Groups = make([]int, p.slots)
}

func (th *threads) busy() bool {
	return th != nil && (th.init && len(th.cur.dense) > 0 || th.matched)
}

func (th *threads) live() int {
	if len(th.cur.dense) > 0 {
		return th.cur.dense[0].start
	}
	return th.best.Start
}

func (th *threads) reset() {
	if th == nil {
		return
	}
	if th.init {
		th.cur.clear()
	}
	th.matched = false
	th.sole = -1
}

// around is what assertions look at.
type around struct {
	before rune // -1 at the beginning of the text
	next   rune // -1 at the end of the text; unknown
	last   bool // next is the last code point of the text
}

const (
	atTextEnd rune = -1
	unknown   rune = -2
)

// add puts the threads that follow from pc on the list. row holds the positions
// of the thread that leads there. An assertion that needs a code point which is
// not known yet stays on the list itself.
func (th *threads) add(p *prog, l *list, t thread, row []int, at int, a around) {
	if p.closures != nil {
		l.follow(p.closures[t.pc], t, row, at)
		return
	}
	stack := append(th.stack[:0], frame{pc: t.pc, slot: -1, end: t.end})
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if f.restore {
			row[f.slot] = f.old
			continue
		}
		pc, end := f.pc, f.end
		for {
			if l.seen[pc] == l.stamp {
				break
			}
			l.seen[pc] = l.stamp
			in := &p.insts[pc]
			switch in.op {
			case iSplit:
				stack = append(stack, frame{pc: in.y, slot: -1, end: end})
				pc = in.x
				continue
			case iSave:
				stack = append(stack, frame{restore: true, slot: in.arg, old: row[in.arg]})
				row[in.arg] = at
				pc = in.x
				continue
			case iEnd:
				end = at
				pc = in.x
				continue
			case iAssert:
				holds, known := a.holds(assertion(in.arg))
				if known {
					if holds {
						pc = in.x
						continue
					}
					break
				}
				fallthrough
			default:
				l.dense = append(l.dense, thread{pc, t.start, end})
				l.slots = append(l.slots, row...)
			}
			break
		}
	}
	th.stack = stack[:0]
}

// follow is add for a program whose targets are known beforehand.
func (l *list) follow(targets []target, t thread, row []int, at int) {
	for i := range targets {
		to := &targets[i]
		if l.seen[to.pc] == l.stamp {
			continue
		}
		l.seen[to.pc] = l.stamp
		end := t.end
		if to.ends {
			end = at
		}
		l.dense = append(l.dense, thread{to.pc, t.start, end})
		n := len(l.slots)
		l.slots = append(l.slots, row...)
		for _, slot := range to.saves {
			l.slots[n+int(slot)] = at
		}
	}
}

// holds evaluates an assertion, if what it looks at is known.
func (a around) holds(k assertion) (holds, known bool) {
	switch k {
	case atStart:
		return a.before == -1, true
	case atStartOfLine:
		return a.before == -1 || a.before == '\n', true
	}
	if a.next == unknown {
		return false, false
	}
	switch k {
	case atEnd:
		return a.next == atTextEnd, true
	case atEndOrNewline:
		return a.next == atTextEnd || a.next == '\n' && a.last, true
	case atEndOfLine:
		return a.next == atTextEnd || a.next == '\n', true
	}
	edge := (a.before >= 0 && IsWord(a.before)) != (a.next >= 0 && IsWord(a.next))
	return edge == (k == atWordEdge), true
}

// settle evaluates the assertions that waited for the code point at position at.
func (th *threads) settle(p *prog, at int, a around) {
	th.next.clear()
	n := p.slots
	for i, t := range th.cur.dense {
		th.add(p, th.next, t, th.cur.slots[i*n:(i+1)*n], at, a)
	}
	th.cur, th.next = th.next, th.cur
}

// harvest notes the preferred match among the threads at position at, and drops
// those that it is preferred to.
func (th *threads) harvest(p *prog, at int) {
	for i := range th.cur.dense {
		t := &th.cur.dense[i]
		if p.insts[t.pc].op != iMatch {
			continue
		}
		end := t.end
		if end < 0 {
			end = at
		}
		n := p.slots
		th.matched = true
		th.best.Start, th.best.End = t.start, end
		copy(th.best.Groups, th.cur.slots[i*n:(i+1)*n])
		th.cur.dense = th.cur.dense[:i]
		th.cur.slots = th.cur.slots[:i*n]
		return
	}
}

// step consumes r, which ends at position at.
func (th *threads) step(p *prog, r rune, at int) {
	th.next.clear()
	n := p.slots
	a := around{before: r, next: unknown}
	th.sole = -1
	first := -1 // how many threads follow from the first that goes on
	for i, t := range th.cur.dense {
		in := &p.insts[t.pc]
		switch in.op {
		case iRune:
			if in.r != r {
				continue
			}
		case iSet:
			if !in.set.has(r) {
				continue
			}
		case iAny:
		default:
			continue
		}
		t.pc = in.x
		th.add(p, th.next, t, th.cur.slots[i*n:(i+1)*n], at, a)
		if first < 0 {
			first = len(th.next.dense)
			if p.into != nil {
				th.sole = p.into[in.x]
			}
		}
	}
	if first != len(th.next.dense) {
		th.sole = -1
	}
	th.cur, th.next = th.next, th.cur
}

// begin adds the threads of a match that begins at position at.
func (th *threads) begin(p *prog, at int, a around) {
	var fixed [16]int
	row := fixed[:0]
	for range p.slots {
		row = append(row, -1)
	}
	th.add(p, th.cur, thread{p.start, at, -1}, row, at, a)
}
