package decide

// The choices of each decision; the first is the default checkpoint's.

// ContentParts: content as a list of text parts.
type ContentParts uint8

const (
	ContentPartsJoin  ContentParts = iota // the texts follow each other, nothing between
	ContentPartsLines                     // a line break between
	ContentPartsRefuse
)

// OtherParts: a part that is not text.
type OtherParts uint8

const (
	OtherPartsRefuse OtherParts = iota
	OtherPartsSkip
)

// EmptyInstructions: an instruction without text.
type EmptyInstructions uint8

const (
	EmptyInstructionsSkip EmptyInstructions = iota // it adds nothing
	EmptyInstructionsKeep                          // it takes its place between blank lines
)

// CallContent: text and tool calls in one turn.
type CallContent uint8

const (
	CallContentRefuse CallContent = iota
	CallContentDrop               // the text is not written
	CallContentFinal              // a final message before the calls
)

// EmptyTurn: neither text nor calls (also reasoning alone).
type EmptyTurn uint8

const (
	EmptyTurnFinal EmptyTurn = iota // an empty final message
	EmptyTurnNone                   // the turn ends after its reasoning
)

// StringArguments: arguments as JSON text.
type StringArguments uint8

const (
	StringArgumentsRefuse StringArguments = iota
	StringArgumentsParse                  // as the object that the text holds
)

// ClosingTag: a value that contains </rfl:parameter>.
type ClosingTag uint8

const (
	ClosingTagRefuse ClosingTag = iota
	ClosingTagWrite
)

// ArgumentName: an argument's name that is empty or has a quote or a line break.
type ArgumentName uint8

const (
	ArgumentNameRefuse ArgumentName = iota
	ArgumentNameWrite
)

// ToolName: a tool's name that is empty or has a space or a <.
type ToolName uint8

const (
	ToolNameRefuse ToolName = iota
	ToolNameWrite
)

// UnknownRole: a role other than the five, or none.
type UnknownRole uint8

const (
	UnknownRoleRefuse UnknownRole = iota
	UnknownRoleSkip               // the message is not written
	UnknownRoleWrite              // the role is the speaker
)

// RepeatedID: an id that two calls of one turn share.
type RepeatedID uint8

const (
	RepeatedIDRefuse RepeatedID = iota // when the calls are of different tools
	RepeatedIDFirst
	RepeatedIDLast
)

// ResultName: a tool message with a name and an id that say different things.
type ResultName uint8

const (
	ResultNameName ResultName = iota // the name wins
	ResultNameID                     // the call that the id matches wins
)

// ReasoningFields: the three reasoning fields hold different texts.
type ReasoningFields uint8

const (
	ReasoningFieldsRefuse ReasoningFields = iota
	ReasoningFieldsFirst                  // the first text of [harmony.ThinkingKeys]
)

// BlankReasoning: reasoning of white space alone, under the missing-reasoning check.
type BlankReasoning uint8

const (
	BlankReasoningMissing BlankReasoning = iota
	BlankReasoningPresent
)

// ChannelHeader: which text is refused as a channel header in reasoning and content.
type ChannelHeader uint8

const (
	ChannelHeaderMarker  ChannelHeader = iota // any <|channel|>
	ChannelHeaderHeaders                      // only the two headers that Beam writes
	ChannelHeaderWrite
)

// EffortType: a boolean or a float as effort.
type EffortType uint8

const (
	EffortTypeRefuse EffortType = iota
	EffortTypeWrite             // as Python prints it
)

// BuiltinAbsent: builtin_tools names a tool that is not in tools.
type BuiltinAbsent uint8

const (
	BuiltinAbsentIgnore BuiltinAbsent = iota
	BuiltinAbsentRefuse
)

// BashCommand: what makes command of a bash tool constrained.
type BashCommand uint8

const (
	BashCommandKeywords BashCommand = iota // any schema key besides type, description, title, examples
	BashCommandEnum                        // only enum
)

// StringDefault: a string default outside an enum.
type StringDefault uint8

const (
	StringDefaultJSON StringDefault = iota // in quotes
	StringDefaultBare                      // without, where it is one line
)

// NoParameters: a tool without parameters.
type NoParameters uint8

const (
	NoParametersParens NoParameters = iota // () => any
	NoParametersBraces                     // (_: {, a line break, }) => any
)

// SchemaRef: $ref.
type SchemaRef uint8

const (
	SchemaRefAny  SchemaRef = iota
	SchemaRefName           // the last part of the reference
)

// NestedClose: the brace that closes a nested object.
type NestedClose uint8

const (
	NestedCloseMembers NestedClose = iota // at the indent of the members
	NestedCloseParent                     // one level less
)

// PropertyName: a property name with a quote or a line break.
type PropertyName uint8

const (
	PropertyNameQuote PropertyName = iota // as a JSON string
	PropertyNameBare
)
