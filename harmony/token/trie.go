package token

// trie finds texts: at a place the longest of them.
type trie struct {
	nodes []trieNode // 0 is the root
	first [256]bool  // the bytes that a text may begin with
}

type trieNode struct {
	edges []trieEdge
	id    ID
	ends  bool // a text ends here
}

type trieEdge struct {
	b    byte
	node int32
}

// add adds a text; an empty one is nowhere.
func (t *trie) add(text string, id ID) {
	if text == "" {
		return
	}
	if len(t.nodes) == 0 {
		t.nodes = make([]trieNode, 1)
	}
	t.first[text[0]] = true
	at := int32(0)
	for i := range len(text) {
		next := t.nodes[at].next(text[i])
		if next == 0 {
			next = int32(len(t.nodes))
			t.nodes = append(t.nodes, trieNode{})
			t.nodes[at].edges = append(t.nodes[at].edges, trieEdge{text[i], next})
		}
		at = next
	}
	t.nodes[at].id, t.nodes[at].ends = id, true
}

// next is the node behind a byte, 0 where there is none.
func (n *trieNode) next(b byte) int32 {
	for i := range n.edges {
		if n.edges[i].b == b {
			return n.edges[i].node
		}
	}
	return 0
}

// find gives the first place of any text, from a place on; there the longest.
func (t *trie) find(text string, from int) (start, end int, id ID, ok bool) {
	if len(t.nodes) == 0 {
		return 0, 0, 0, false
	}
	for start = from; start < len(text); start++ {
		if !t.first[text[start]] {
			continue
		}
		at := int32(0)
		for i := start; i < len(text); i++ {
			if at = t.nodes[at].next(text[i]); at == 0 {
				break
			}
			if t.nodes[at].ends {
				end, id, ok = i+1, t.nodes[at].id, true
			}
		}
		if ok {
			return start, end, id, true
		}
	}
	return 0, 0, 0, false
}
