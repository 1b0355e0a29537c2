package harmony

import "github.com/beamdiff/beamdiff/harmony/value"

// Field is what a format says of one field of its messages before any reply is
// read: what views of the events need to make the message's text out of them.
type Field struct {
	Name string
	// Text tells that a region's value is its text: what the chunks hold.
	Text bool
	// Strip tells that the value is the text without the white space around it
	// (as [value.IsSpace] has it).
	Strip bool
	// Repeats tells that each region adds to the field's value. Else a later
	// region takes the place of an earlier one.
	Repeats bool
	// Join, of a field that repeats, is the text that stands between the texts of
	// its regions. Without it they become a list.
	Join *string
	// Default is what the message holds of the field before its first region.
	Default value.Value
}
