package enginetest

import (
	"context"
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// testTokens holds an engine to what it says of token ids: encode and mask give
// them with the ability tokens and not without it, the same for one text; and
// with the ability ids what encode gave can be read again.
func testTokens(ctx context.Context, t *testing.T, e engine.Engine, info engine.Info) {
	able := func(ability string) bool { return slices.Contains(info.Abilities, ability) }
	var encoded []value.Value
	for _, op := range []engine.Op{engine.OpEncode, engine.OpMask} {
		if !able(string(op)) {
			continue
		}
		out := e.Do(ctx, engine.Request{Op: op, Case: Render("Hello!", value.Member{Name: "add_generation_prompt", Value: value.Bool(false)}).Case})
		ids := out.Value.Get("input_ids")
		if ids.IsNull() == able(engine.AbleTokens) {
			t.Errorf("%s: the ability tokens is %t, and the answer %s", op, able(engine.AbleTokens), show(out))
		}
		encoded = append(encoded, ids)
	}
	if len(encoded) == 2 && !value.Equal(encoded[0], encoded[1]) {
		t.Errorf("encode and mask differ on the ids of one text: %s, %s", value.Dumps(encoded[0]), value.Dumps(encoded[1]))
	}
	if !able(engine.AbleIDs) {
		return
	}
	ids := value.List(value.Int(0))
	if len(encoded) > 0 && !encoded[0].IsNull() {
		ids = encoded[0]
	}
	for _, r := range []engine.Request{
		ask(engine.OpParse, value.Member{Name: "reply_ids", Value: ids}, value.Member{Name: "prefix_ids", Value: value.List()}),
		ask(engine.OpStream, value.Member{Name: "reply_ids", Value: ids}, value.Member{Name: "prefix", Value: value.String("")}, value.Member{Name: "chunks", Value: value.Int(1)}),
	} {
		if out := e.Do(ctx, r); able(string(r.Op)) && out.Kind != corpus.OK {
			t.Errorf("%s of ids: %s", r.Op, show(out))
		}
	}
	if out := e.Do(ctx, ask(engine.OpParse, value.Member{Name: "reply_ids", Value: value.String("x")})); able("parse") && out.Kind != corpus.Raised {
		t.Errorf("ids that are a text: %s", show(out))
	}
}
