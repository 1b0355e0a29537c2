package fuzz

import "testing"

// The targets are glue: an input of the fuzzer's bytes, an oracle, a verdict.

// seed adds the corpus, and for each template a reply of its own.
func seed(f *testing.F) {
	for i, pair := range Seeds() {
		f.Add(uint(i), pair[0], pair[1], []byte{byte(i % 7)})
		f.Add(uint(0), pair[0], pair[1], []byte{0})
	}
	for i, t := range Templates() {
		f.Add(uint(i), "0\xff", "", []byte{}) // text that waits for more, then none
		in := makeInput(t, i)
		f.Add(uint(i), in.Reply, in.Prefix, []byte{1, 0, 3})
	}
}

func judge(t *testing.T, in *Input, oracles ...Oracle) {
	for _, o := range oracles {
		if v := Guard(o)(Native, in, in.Cut); v != nil {
			t.Fatal(v)
		}
	}
}

// FuzzParseCuts: replies that the generators make of the fuzzer's choices.
func FuzzParseCuts(f *testing.F) {
	for i := range 2 * len(Templates()) {
		f.Add([]byte{byte(i), byte(i), 1, 2, 3, byte(7 * i), 5, 0, 1, 9, 200, 31, byte(i)})
	}
	f.Fuzz(func(t *testing.T, data []byte) { judge(t, Structured(data), Check) })
}

// FuzzParseBytes: any bytes for a reply, cut anywhere.
func FuzzParseBytes(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, template uint, reply, prefix string, cuts []byte) {
		judge(t, Raw(template, reply, prefix, cuts), CheckCuts, CheckErrors)
	})
}

// FuzzNothingLost: every byte of a reply is accounted for.
func FuzzNothingLost(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, template uint, reply, prefix string, cuts []byte) {
		judge(t, Raw(template, reply, prefix, cuts), CheckSpans, CheckLoss)
	})
}

// FuzzDelivery: what is certain is told at once. The oracle is slow, so that the
// seeds are few and short.
func FuzzDelivery(f *testing.F) {
	for i, t := range Templates() {
		f.Add(uint(i), makeInput(t, i).Reply, "")
	}
	f.Fuzz(func(t *testing.T, template uint, reply, prefix string) {
		judge(t, Raw(template, reply[:min(len(reply), 40)], prefix, nil), CheckDelivery)
	})
}

// FuzzLinearSteps: a longer reply costs no more a byte. The oracle reads each
// many times over, so that the seeds are few.
func FuzzLinearSteps(f *testing.F) {
	for i, t := range Templates() {
		f.Add(uint(i), makeInput(t, i).Reply, "")
		f.Add(uint(i), makeInput(t, i+1).Reply, "<|start|>assistant")
	}
	f.Fuzz(func(t *testing.T, template uint, reply, prefix string) {
		judge(t, Raw(template, reply[:min(len(reply), 400)], prefix, nil), CheckSteps)
	})
}
