package fuzz

import "sync"

// InFlight runs n tasks, of which most are under way at once; 0 means 32. next
// makes task i; the tasks are made one after the other, in their order.
func InFlight(n, most int, next func(i int) func()) {
	if most == 0 {
		most = 32
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, most)
	for i := range n {
		task := next(i)
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			task()
		})
	}
	wg.Wait()
}
