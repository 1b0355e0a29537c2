package report

// Report is all that one run has to say. The order of everything in it is fixed
// by what was asked, never by which answer came first.
type Report struct {
	// Verb is what was run: check, gate or diff.
	Verb string
	// Version is that of the program.
	Version string
	// Subjects are the checkpoints that were looked at: one of a check, the base
	// and the candidate of a gate.
	Subjects []Subject
	// Rules are those that were asked, in their order.
	Rules []Rule
	// Findings are in the order of their rules, and within a rule the gravest and
	// the most frequent first.
	Findings []Finding
	// NotChecked says, a line each, what could not be looked at and why. A run that
	// could not look has not passed.
	NotChecked []string
	// Notes are further lines for the reader that fail nothing.
	Notes []string
}

// Subject is one checkpoint.
type Subject struct {
	// Role is base, candidate, or "" where there is only one.
	Role string
	// Name is how the caller named it: a directory, a recipe, a revision and path.
	Name string
	// Hash is the checkpoint's, in hexadecimal; "" where nothing could be loaded.
	Hash string
	// Files are the paths of its templates as a reader of the repository knows
	// them, by what they are: "chat_template", "response_template".
	Files map[string]string
}

// Rule is one thing that is asked of a checkpoint or of a change.
type Rule struct {
	// ID is stable: lower case words joined by hyphens, after the part that they are
	// of and a slash, such as render/null-content.
	ID string
	// Title is a short sentence that says what holds where all is well.
	Title string
	// Level is what breaking it amounts to, unless a finding says less.
	Level Level
	// Help is the page of why, as Markdown: what goes wrong for whom, how to mend it.
	Help string
	// Asked and Held count the cases for which the rule was asked, and held.
	Asked, Held int
}

// Level is how grave a finding is. Errors fail a run.
type Level string

// The levels.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

// Status is what a baseline or a list of known differences says of a finding.
type Status string

// The statuses. Only what is new fails a run that asks for new findings alone.
const (
	New   Status = "new"   // no list has it
	Old   Status = "old"   // the baseline has it
	Known Status = "known" // a known difference explains it
)

// Finding is one cause of trouble, however many cases met it.
type Finding struct {
	// Rule is the ID of the rule that was broken.
	Rule string
	// Level is the rule's or less.
	Level Level
	// Signature names the cause: the same cause has the same one in every run, so
	// that lists can hold it. It holds no line number of a template, which any edit
	// above would change.
	Signature string
	// Message is one line: what is wrong, in the words of the reader's own templates
	// and fields.
	Message string
	// Advice is one line: what to do. "" where the rule's help says all.
	Advice string
	// Places are where in the subject's files it comes from, the likeliest first.
	Places []Place
	// Cases are the ids of the cases that met it, in their order; Smallest is the
	// witness to look at.
	Cases    []string
	Smallest *Witness
	Status   Status
}

// Place is a line of one of a subject's files.
type Place struct {
	// Role is the subject's; File is the key of Subject.Files.
	Role, File string
	// Line counts from 1; 0 is the file as a whole. Text is what stands there.
	Line int
	Text string
}

// Witness is the smallest case that shows a finding, and what came of it.
type Witness struct {
	// Case is the id, Input the case as one line of JSON that `diff`, `render` and
	// `parse` read.
	Case  string
	Input string
	// At says where, as a reader finds it: "the prompt, byte 98".
	At string
	// Sides are what was read or written there, with invisible characters shown.
	Sides []Side
}

// Side is one of the texts that a witness sets against each other.
type Side struct {
	// Name is base, candidate, native, want, or what else wrote the text.
	Name string
	Text string
}
