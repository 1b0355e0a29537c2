// Package schema holds the engine protocol as JSON schemas, two for each
// operation: OP.request.json and OP.response.json.
package schema

import "embed"

// Files are the schemas.
//
//go:embed *.json
var Files embed.FS
