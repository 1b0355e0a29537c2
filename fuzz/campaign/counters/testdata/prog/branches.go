package main

func branches(n int) int {
	switch {
	case n == 0:
		return 7
	case n == 1:
		return 8
	}
	for i := range n {
		n += i
	}
	return n
}
