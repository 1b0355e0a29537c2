package typing

import "github.com/beamdiff/beamdiff/harmony/value"

// Property is what a tool's schema says of one argument.
type Property struct {
	types Types
	open  bool  // some part of the schema allows what types does not tell
	enum  *enum // nil for any value

	// What the reference makes of the schema: fewer keywords, and an order.
	declared []string
	err      error
}

// SchemaError is a schema at which the reference raises an exception once the
// argument is given.
type SchemaError struct{ Msg string }

func (e *SchemaError) Error() string { return e.Msg }

// Class is the name of the exception.
func (e *SchemaError) Class() string { return "TypeError" }

// Types are the types that the schema allows: those of type, enum, const, anyOf,
// oneOf, allOf, nullable and a $ref into the same schema. None: it tells none.
func (p *Property) Types() Types { return p.types }

// Fits tells whether the schema allows a value, as far as its types and its own
// enum or const say.
func (p *Property) Fits(v value.Value) bool { return p.fault(v) == "" }

// fault says why the schema does not allow a value.
func (p *Property) fault(v value.Value) string {
	switch {
	case !p.open && p.types != 0 && !p.types.Fits(v):
		return "is not of type " + p.types.String()
	case p.enum != nil && !p.enum.has(v):
		return "is none of the values it may have"
	}
	return ""
}
