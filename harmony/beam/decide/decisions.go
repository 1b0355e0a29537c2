// Package decide names what the documentation of Beam Harmony leaves open, and
// the choices that there are: one type a decision, of which the zero value is
// the default checkpoint's choice. [Decisions] holds them for a renderer (package
// beam); [Decisions.Set] takes them by name, and [All] lists them.
//
// The reason of each default is in reference/checkpoint/README.md.
package decide

import (
	"fmt"
	"slices"
	"strings"
)

// Decisions settles what the documentation leaves open. The zero value decides as the
// default checkpoint does; its README gives the reason of each. Names and
// choices are those of that README.
type Decisions struct {
	ContentParts      ContentParts
	OtherParts        OtherParts
	EmptyInstructions EmptyInstructions
	CallContent       CallContent
	EmptyTurn         EmptyTurn
	StringArguments   StringArguments
	ClosingTag        ClosingTag
	ArgumentName      ArgumentName
	ToolName          ToolName
	UnknownRole       UnknownRole
	RepeatedID        RepeatedID
	ResultName        ResultName
	ReasoningFields   ReasoningFields
	BlankReasoning    BlankReasoning
	ChannelHeader     ChannelHeader
	EffortType        EffortType
	BuiltinAbsent     BuiltinAbsent
	BashCommand       BashCommand
	StringDefault     StringDefault
	NoParameters      NoParameters
	SchemaRef         SchemaRef
	NestedClose       NestedClose
	PropertyName      PropertyName
}

// Decision is one question that the page leaves open.
type Decision struct {
	Name     string
	Question string
	Choices  []string // the default checkpoint's first
}

type decisionRow struct {
	Decision
	field func(*Decisions) *uint8
}

// choice gives the name of the choice that d makes.
func (row *decisionRow) choice(d *Decisions) string {
	k := int(*row.field(d))
	if k >= len(row.Choices) {
		return fmt.Sprintf("%d", k)
	}
	return row.Choices[k]
}

// decisions is the table that everything here reads: one row a decision, with
// its field.
var decisions = [...]decisionRow{
	{Decision{"content-parts", "content as a list of text parts", []string{"join", "lines", "refuse"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.ContentParts) }},
	{Decision{"other-parts", "a part that is not text", []string{"refuse", "skip"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.OtherParts) }},
	{Decision{"empty-instructions", "an instruction without text", []string{"skip", "keep"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.EmptyInstructions) }},
	{Decision{"call-content", "text and tool calls in one turn", []string{"refuse", "drop", "final"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.CallContent) }},
	{Decision{"empty-turn", "neither text nor calls (also reasoning alone)", []string{"final", "none"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.EmptyTurn) }},
	{Decision{"string-arguments", "arguments as JSON text", []string{"refuse", "parse"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.StringArguments) }},
	{Decision{"closing-tag", "a value that contains `</rfl:parameter>`", []string{"refuse", "write"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.ClosingTag) }},
	{Decision{"argument-name", "an argument's name that is empty or has a quote or a line break", []string{"refuse", "write"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.ArgumentName) }},
	{Decision{"tool-name", "a tool's name that is empty or has a space or a `<`", []string{"refuse", "write"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.ToolName) }},
	{Decision{"unknown-role", "a role other than the five, or none", []string{"refuse", "skip", "write"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.UnknownRole) }},
	{Decision{"repeated-id", "an id that two calls of one turn share", []string{"refuse", "first", "last"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.RepeatedID) }},
	{Decision{"result-name", "a tool message with a name and an id that say different things", []string{"name", "id"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.ResultName) }},
	{Decision{"reasoning-fields", "the three reasoning fields hold different texts", []string{"refuse", "first"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.ReasoningFields) }},
	{Decision{"blank-reasoning", "reasoning of white space alone, under the missing-reasoning check", []string{"missing", "present"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.BlankReasoning) }},
	{Decision{"channel-header", "which text is refused as a channel header in reasoning and content", []string{"marker", "headers", "write"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.ChannelHeader) }},
	{Decision{"effort-type", "a boolean or a float as effort", []string{"refuse", "write"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.EffortType) }},
	{Decision{"builtin-absent", "`builtin_tools` names a tool that is not in `tools`", []string{"ignore", "refuse"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.BuiltinAbsent) }},
	{Decision{"bash-command", "what makes `command` of a bash tool constrained", []string{"keywords", "enum"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.BashCommand) }},
	{Decision{"string-default", "a string default outside an enum", []string{"json", "bare"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.StringDefault) }},
	{Decision{"no-parameters", "a tool without parameters", []string{"parens", "braces"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.NoParameters) }},
	{Decision{"schema-ref", "`$ref`", []string{"any", "name"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.SchemaRef) }},
	{Decision{"nested-close", "the brace that closes a nested object", []string{"members", "parent"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.NestedClose) }},
	{Decision{"property-name", "a property name with a quote or a line break", []string{"quote", "bare"}},
		func(d *Decisions) *uint8 { return (*uint8)(&d.PropertyName) }},
}

// All gives the table of decisions, in the order of the README.
func All() []Decision {
	list := make([]Decision, len(decisions))
	for i, d := range decisions {
		list[i] = d.Decision
		list[i].Choices = slices.Clone(d.Choices)
	}
	return list
}

// Set makes a choice by name, the form NAME=CHOICE. It fails with a
// *[Error].
func (d *Decisions) Set(setting string) error {
	name, choice, _ := strings.Cut(setting, "=")
	var names []string
	for _, row := range decisions {
		if row.Name == name {
			k := slices.Index(row.Choices, choice)
			if k < 0 {
				return &Error{Setting: setting, Name: name, Known: slices.Clone(row.Choices)}
			}
			*row.field(d) = uint8(k)
			return nil
		}
		names = append(names, row.Name)
	}
	return &Error{Setting: setting, Known: names}
}

// Choice gives the choice that was made for a decision, "" where there is no
// decision of that name.
func (d *Decisions) Choice(name string) string {
	for _, row := range decisions {
		if row.Name == name {
			return row.choice(d)
		}
	}
	return ""
}

// Settings gives each choice that is not the default checkpoint's, as Set reads
// it.
func (d *Decisions) Settings() []string {
	var list []string
	for _, row := range decisions {
		if choice := row.choice(d); choice != row.Choices[0] {
			list = append(list, row.Name+"="+choice)
		}
	}
	return list
}

// Error is a setting that names no decision, or no choice of it.
type Error struct {
	Setting string
	Name    string   // the decision, "" where there is none of that name
	Known   []string // its choices; or the names of all decisions
}

func (e *Error) Error() string {
	known := strings.Join(e.Known, ", ")
	if e.Name == "" {
		return fmt.Sprintf("%s: no such decision; use NAME=CHOICE with one of: %s", e.Setting, known)
	}
	return fmt.Sprintf("%s: no such choice; %s is one of: %s", e.Setting, e.Name, known)
}
