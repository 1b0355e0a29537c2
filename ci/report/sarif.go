package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// The parts of SARIF 2.1.0 (OASIS, errata 01) that a report fills; the sections in
// the comments are the standard's.
type (
	sarifLog struct { // 3.13
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // 3.14
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct { // 3.19
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct { // 3.49
		ID      string       `json:"id"`
		Short   sarifMessage `json:"shortDescription"`
		Help    *sarifHelp   `json:"help,omitempty"`
		Default struct {
			Level Level `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifInvocation struct { // 3.20
		Successful    bool                `json:"executionSuccessful"`
		ExitCode      int                 `json:"exitCode"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct { // 3.58
		Level   Level        `json:"level"`
		Message sarifMessage `json:"message"`
	}
	sarifResult struct { // 3.27
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Kind         string             `json:"kind"`
		Level        Level              `json:"level"`
		Message      sarifMessage       `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Related      []sarifLocation    `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Baseline     string             `json:"baselineState,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		Properties   map[string]any     `json:"properties,omitempty"`
	}
	sarifLocation struct { // 3.28
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct { // 3.30
		StartLine int           `json:"startLine"`
		Snippet   *sarifMessage `json:"snippet,omitempty"`
	}
	sarifLogical struct { // 3.33
		Name string `json:"name"`
		Kind string `json:"kind"`
	}
	sarifSuppression struct { // 3.35
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// WriteSARIF writes the report as SARIF 2.1.0. A result's location is the line of
// the template; its fingerprint is made of the finding's signature, so that an edit
// elsewhere in the template leaves it the same.
func (r *Report) WriteSARIF(w io.Writer) error {
	p := r.printable()
	rules := make([]sarifRule, len(p.Rules))
	for i, u := range p.Rules {
		rules[i] = sarifRule{ID: u.ID, Short: sarifMessage{cmp.Or(u.Title, u.ID)}}
		rules[i].Default.Level = u.Level
		if u.Help != "" {
			rules[i].Help = &sarifHelp{u.Help, u.Help}
		}
	}
	done := sarifInvocation{Successful: p.ExitCode() != ExitBroken, ExitCode: p.ExitCode()}
	for _, why := range p.NotChecked {
		done.Notifications = append(done.Notifications, sarifNotification{Error, sarifMessage{"not checked: " + why}})
	}
	if p.Interrupted {
		done.Notifications = append(done.Notifications, sarifNotification{Error, sarifMessage{"interrupted"}})
	}
	for _, note := range p.Notes {
		done.Notifications = append(done.Notifications, sarifNotification{Note, sarifMessage{note}})
	}
	results := []sarifResult{}
	for i, f := range p.Findings {
		// the fingerprint is of the signature as it is, not as it is printed
		results = append(results, p.sarif(f, fingerprint(r.Findings[i])))
	}
	out := sarifLog{sarifSchema, "2.1.0", []sarifRun{{
		Tool: sarifTool{sarifDriver{"beamdiff", p.Version, rules}}, Invocations: []sarifInvocation{done},
		ColumnKind: "unicodeCodePoints", Results: results,
	}}}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// fingerprint is a hash of what a finding is of.
func fingerprint(f Finding) string {
	sum := sha256.Sum256([]byte(f.Subject + "\n" + f.Rule + "\n" + f.Signature))
	return hex.EncodeToString(sum[:])
}

// sarif is one finding as a result. What a comparison says of one result is told of
// every one (3.27.24).
func (r *Report) sarif(f Finding, print string) sarifResult {
	text := f.Message
	if f.Advice != "" {
		text += "\n" + f.Advice
	}
	out := sarifResult{
		RuleID: f.Rule, RuleIndex: slices.IndexFunc(r.Rules, func(u Rule) bool { return u.ID == f.Rule }),
		Kind: "fail", Level: f.Level, Message: sarifMessage{text}, Locations: []sarifLocation{},
		Fingerprints: map[string]string{"beamdiffCause/v1": print},
	}
	if f.Status == Known {
		out.Suppressions = []sarifSuppression{{"external", cmp.Or(f.Known, "known")}}
	}
	switch {
	case r.Compared && f.Status == New:
		out.Baseline = "new"
	case r.Compared:
		out.Baseline = "unchanged"
	}
	for i, p := range f.Places {
		if i == 0 {
			out.Locations = append(out.Locations, r.sarifPlace(p))
			continue
		}
		out.Related = append(out.Related, r.sarifPlace(p))
	}
	if len(f.Places) == 0 { // the whole template: code scanning shows no result without a file
		for _, s := range r.Subjects {
			if path := s.Files["chat_template"]; path != "" && (s.Role == f.Subject || f.Subject == "" && s.Role == "candidate") {
				out.Locations = append(out.Locations, r.sarifPlace(Place{Role: s.Role, File: "chat_template"}))
			}
		}
	}
	if len(out.Locations) == 0 && len(f.Cases) > 0 {
		out.Locations = append(out.Locations, sarifLocation{Logical: []sarifLogical{{f.Cases[0], "resource"}}})
	}
	if s := f.Smallest; s != nil {
		out.Properties = map[string]any{"case": s.Case, "input": oneLine(s.Input), "at": s.At, "cases": len(f.Cases)}
	}
	return out
}

// sarifPlace is a place as a location: a file of the repository, or, where nothing
// is known of its path, a name.
func (r *Report) sarifPlace(p Place) sarifLocation {
	path := ""
	for _, s := range r.Subjects {
		if s.Role == p.Role {
			path = s.Files[p.File]
		}
	}
	if path == "" {
		name := p.File
		if p.Line > 0 {
			name += fmt.Sprintf(", line %d", p.Line)
		}
		return sarifLocation{Logical: []sarifLogical{{name, "resource"}}}
	}
	at := &sarifPhysical{}
	at.Artifact.URI = uri(path)
	if p.Line > 0 {
		at.Region = &sarifRegion{StartLine: p.Line}
		if p.Text != "" {
			at.Region.Snippet = &sarifMessage{p.Text}
		}
	}
	return sarifLocation{Physical: at}
}

// uri is a path as a URI: relative to the root of the repository, or file:.
func uri(path string) string {
	path = filepath.ToSlash(path)
	u := url.URL{Path: path}
	if strings.HasPrefix(path, "/") {
		u.Scheme = "file"
	}
	return u.String()
}
