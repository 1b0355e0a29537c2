package response

import "github.com/beamdiff/beamdiff/bench/replies"

// What the replies of the tests are made of.
const (
	openThinking = replies.OpenThinking
	openFinal    = replies.OpenFinal
	openCall     = replies.OpenCall
	parameter    = replies.Parameter
)
