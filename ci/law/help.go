package law

import (
	"embed"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
)

// help holds a page of why for each law, under its ID.
//
//go:embed help
var help embed.FS

// rule is a law's rule, with its page.
func rule(id string, level report.Level, title string) report.Rule {
	page, err := help.ReadFile("help/" + id + ".md")
	if err != nil {
		page = nil // a test holds that every law has one
	}
	return report.Rule{ID: id, Title: title, Level: level, Help: strings.TrimSpace(string(page))}
}
