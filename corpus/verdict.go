package corpus

// Verdict is what came of comparing two outcomes of a case. It is a closed set.
type Verdict string

// The verdicts.
const (
	Same         Verdict = "same"
	ValueDiffers Verdict = "value differs"
	ErrorDiffers Verdict = "error differs" // also where only one side raised
	EngineFailed Verdict = "engine failed"
	CannotSay    Verdict = "cannot"
	Unstable     Verdict = "unstable" // one engine answers differently for other cuts, or on a second try
	Known        Verdict = "known difference"
)

// listable are those that an entry of the known differences may have.
var listable = []Verdict{ValueDiffers, ErrorDiffers, EngineFailed, CannotSay, Unstable}
