package ci

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// The reference reads its whole buffer again at each feed, so a long reply fed
// one character at a time takes minutes: replies above longReply characters are
// fed in at most maxFeeds pieces.
const (
	longReply  = 4000
	maxFeeds   = 2000
	randomCuts = 3
)

// Cut is one way of cutting a reply into chunks.
type Cut struct {
	// Name says it in words.
	Name string
	// Chunks is the case's key: a number of characters at a time, or a list of
	// positions in characters; of a reply in ids, of ids.
	Chunks value.Value
	// BytesOnly: only an engine that takes bytes can be fed so ({"bytes": [...]}).
	BytesOnly bool
	// Limited: the pieces are larger than asked for, because the reply is long.
	Limited bool
}

// Cuts are the ways in which the reply of a case is fed: the case's own, one
// character (or id) at a time, three at random that depend on seed and id alone, and for
// engines that take bytes one at random that cuts characters too.
func Cuts(c corpus.Case, seed uint64) []Cut {
	var cuts []Cut
	if own, ok := c.Input.Get("chunks"); ok && !own.IsNull() {
		cuts = append(cuts, Cut{Name: "as the case cuts it", Chunks: own, BytesOnly: own.Kind() == value.KindObject})
	}
	v, _ := c.Input.Get("reply")
	reply, _ := v.AsString()
	n, unit := value.Len(reply), "character"
	if v, is := c.Input.Get("reply_ids"); is {
		ids, _ := v.AsArray()
		n, unit = ids.Len(), "id"
	}
	if n < 2 {
		return cuts
	}
	each := Cut{Name: "one " + unit + " at a time", Chunks: value.Int(1)}
	if n > longReply {
		size := (n + maxFeeds - 1) / maxFeeds
		each = Cut{Name: fmt.Sprintf("%d %ss at a time", size, unit), Chunks: value.Int(int64(size)), Limited: true}
	}
	cuts = append(cuts, each)
	h := fnv.New64a()
	h.Write([]byte(c.ID))
	rng := rand.New(rand.NewPCG(seed, h.Sum64()))
	for i := range randomCuts {
		// Few cuts, one in eight characters, one in two.
		k := []int{1 + rng.IntN(3), n / 8, n / 2}[i]
		cuts = append(cuts, randomCut(rng, unit, n, min(max(k, 1), n-1, maxFeeds-1)))
	}
	if len(reply) > n { // some characters have several bytes
		cut := randomCut(rng, "byte", len(reply), min(len(reply)/2, maxFeeds-1))
		cut.Chunks = value.Members(value.Member{Name: "bytes", Value: cut.Chunks})
		cut.BytesOnly = true
		cuts = append(cuts, cut)
	}
	return cuts
}

// randomCut cuts n units at k places.
func randomCut(rng *rand.Rand, unit string, n, k int) Cut {
	at := rng.Perm(n - 1)[:k]
	slices.Sort(at)
	items := make([]value.Value, k)
	words := make([]string, 0, 8)
	for i, p := range at {
		items[i] = value.Int(int64(p + 1))
		if i < 8 {
			words = append(words, strconv.Itoa(p+1))
		}
	}
	name := "cut at " + unit + " " + strings.Join(words, ", ")
	if k > 8 {
		name += fmt.Sprintf(" and %d more", k-8)
	}
	return Cut{Name: name, Chunks: value.List(items...)}
}
