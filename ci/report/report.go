package report

// Report is all that one run has to say. The order of everything in it is fixed
// by what was asked, never by which answer came first. Its JSON is
// that of [Report.WriteJSON].
type Report struct {
	// Verb is what was run: check, gate or diff.
	Verb string `json:"verb"`
	// Version is that of the program.
	Version string `json:"version"`
	// Policy says what fails the run.
	Policy Policy `json:"policy"`
	// Subjects are the checkpoints that were looked at: one or several of a check,
	// the base and the candidate of a gate.
	Subjects []Subject `json:"subjects"`
	// Rules are those that were asked, in their order.
	Rules []Rule `json:"rules"`
	// Findings are in the order of their subjects, of their rules, and within a rule
	// the gravest and the most frequent first.
	Findings []Finding `json:"findings"`
	// NotChecked says, a line each, what could not be looked at and why. A run that
	// could not look has not passed.
	NotChecked []string `json:"not_checked"`
	// Notes are further lines for the reader that fail nothing.
	Notes []string `json:"notes"`
	// Interrupted: the run ended before it had looked at everything.
	Interrupted bool `json:"interrupted"`
	// Compared: the statuses New and Old are those of a comparison, with a baseline or
	// with a gate's base.
	Compared bool `json:"-"`
	// Verbose tells of every finding in the text, also of a run over many subjects.
	Verbose bool `json:"-"`
}

// Policy says which findings fail a run. The zero Policy fails on errors.
type Policy struct {
	// Strict fails on warnings too.
	Strict bool `json:"strict"`
	// NewOnly fails on findings only that no baseline has.
	NewOnly bool `json:"new_only"`
}

// Subject is one checkpoint.
type Subject struct {
	// Role is base or candidate in a gate; where a check looks at several
	// checkpoints, the name of each, and "" where there is only one.
	Role string `json:"role"`
	// Name is how the caller named it: a directory, a recipe, a revision and path.
	Name string `json:"name"`
	// Hash is the checkpoint's, in hexadecimal; "" where nothing could be loaded.
	Hash string `json:"hash"`
	// Files are the paths of its templates as a reader of the repository knows
	// them, by what they are: "chat_template", "response_template".
	Files map[string]string `json:"files,omitempty"`
}

// Rule is one thing that is asked of a checkpoint or of a change.
type Rule struct {
	// ID is stable: lower case words joined by hyphens, after the part that they are
	// of and a slash, such as render/null-content.
	ID string `json:"id"`
	// Title is a short sentence that says what holds where all is well.
	Title string `json:"title"`
	// Level is what breaking it amounts to, unless a finding says less.
	Level Level `json:"level"`
	// Help is the page of why, as Markdown: what goes wrong for whom, how to mend it.
	Help string `json:"help"`
	// Asked and Held count the cases for which the rule was asked, and held.
	Asked int `json:"asked"`
	Held  int `json:"held"`
}

// Level is how grave a finding is. Errors fail a run.
type Level string

// The levels.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

// Status is what a baseline or a list of known differences says of a finding. The
// zero Status is that of a finding which no list was asked about; it counts as New.
type Status string

// The statuses.
const (
	New   Status = "new"   // no list has it
	Old   Status = "old"   // the baseline has it: fails nothing that asks for new findings alone
	Known Status = "known" // a list of known findings explains it: fails nothing
)

// Finding is one cause of trouble, however many cases met it.
type Finding struct {
	// Subject is the Role of the subject that it is of: "" where there is only one,
	// and in a gate that of the candidate unless it says another.
	Subject string `json:"subject"`
	// Rule is the ID of the rule that was broken.
	Rule string `json:"rule"`
	// Level is the rule's or less.
	Level Level `json:"level"`
	// Signature names the cause: the same cause has the same one in every run, so
	// that lists can hold it. It holds no line number of a template, which any edit
	// above would change.
	Signature string `json:"signature"`
	// Message is one line: what is wrong, in the words of the reader's own templates
	// and fields.
	Message string `json:"message"`
	// Advice is one line: what to do. "" where the rule's help says all.
	Advice string `json:"advice"`
	// Places are where in the subject's files it comes from, the likeliest first.
	Places []Place `json:"places"`
	// Cases are the ids of the cases that met it, in their order; Smallest is the
	// witness to look at.
	Cases    []string `json:"cases"`
	Smallest *Witness `json:"smallest"`
	Status   Status   `json:"status"`
	// Known says what a list has to say of it, such as the reason and until when; ""
	// where none has.
	Known string `json:"known"`
}

// Place is a line of one of a subject's files.
type Place struct {
	// Role is the subject's; File is the key of Subject.Files.
	Role string `json:"role"`
	File string `json:"file"`
	// Line counts from 1; 0 is the file as a whole. Text is what stands there.
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Witness is the smallest case that shows a finding, and what came of it.
type Witness struct {
	// Case is the id, Input the case as one line of JSON that `diff`, `render` and
	// `parse` read; Command runs it again, as a shell reads it.
	Case    string `json:"case"`
	Input   string `json:"input"`
	Command string `json:"command"`
	// At says where, as a reader finds it: "the prompt, byte 98".
	At string `json:"at"`
	// Sides are what was read or written there, with invisible characters shown.
	Sides []Side `json:"sides"`
}

// Side is one of the texts that a witness sets against each other.
type Side struct {
	// Name is base, candidate, native, want, or what else wrote the text.
	Name string `json:"name"`
	Text string `json:"text"`
}
