package beam

import (
	"slices"

	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// The declarations that Beam was trained with (the page, "Built-in tools").
const (
	bashDeclaration = `// Execute a bash command. The output contains the command's stdout and stderr.
// Commands time out after 10 minutes. You can set a shorter timeout within the bash command.
type bash = (_: {
// The command to execute
command: string,
}) => any;`

	searchDeclaration = `// Search for content on the internet using a search engine. The search results include the website title, address (URL), and description.
type search = (_: {
// The search query.
query: string,
}) => any;`

	browseDeclaration = `// Visit a webpage and inspect its content. Pass only a URL to fetch/cache the page and return an approximately 8000-token preview; include a regex pattern to search the full cached page content without a sandbox. Search results are also capped around 8000 tokens.
type browse = (_: {
// The website address (URL) of the content to be obtained, which can usually be obtained from search results. The page is cached by URL for later searches on this tool instance.
url: string,
// Optional regular expression pattern. If omitted, the tool fetches and caches the page while returning a capped preview; if provided, it searches the full cached page text.
pattern?: string,
// Search output mode: content returns matching lines; count returns only the number of matching lines.
output_mode?: "content" | "count", // default: content
// Search without matching letter case.
ignore_case?: boolean, // default: false
// Number of lines before and after each matching line.
context_lines?: number, // default: 0
// Allow the regular expression to match across line breaks.
multiline?: boolean, // default: false
// Maximum search output lines to return after offset. Pass 0 for unlimited lines up to output caps.
max_lines?: number, // default: 250
// Skip first N search output lines before applying max_lines.
offset?: number, // default: 0
}) => any;`
)

// bashKeys are the keys that leave a command unconstrained.
var bashKeys = []string{"type", "description", "title", "examples"}

// replacesBash tells whether a function is a bash tool whose only parameter is a
// command string without constraints, which the trained definition replaces.
func replacesBash(f *value.Object, decision decide.BashCommand) bool {
	if name, _ := f.Value().Get("name").AsString(); name != "bash" {
		return false
	}
	properties, _ := f.Value().Get("parameters").Get("properties").AsObject()
	if properties.Len() != 1 || properties.At(0).Name != "command" {
		return false
	}
	command, _ := properties.At(0).Value.AsObject()
	if kind, _ := command.Value().Get("type").AsString(); kind != "string" {
		return false
	}
	for key := range command.All() {
		if decision == decide.BashCommandEnum && key != "enum" {
			continue
		}
		if !slices.Contains(bashKeys, key) {
			return false
		}
	}
	return true
}
