package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// formVersion changes when a reader of the old form would go wrong.
const formVersion = 1

// document is a report as JSON has it.
type document struct {
	Findings int    `json:"findings_version"`
	Exit     int    `json:"exit"`
	Verdict  string `json:"verdict"`
	*Report
}

// WriteJSON writes the whole report, in the form of ci/schema/findings.schema.json.
// The same report gives the same bytes; what is not UTF-8 in it is written as
// [Visible] does.
func (r *Report) WriteJSON(w io.Writer) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(document{formVersion, r.ExitCode(), r.Verdict(), r.valid()}); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// ReadJSON reads what WriteJSON wrote.
func ReadJSON(data []byte) (*Report, error) {
	d := document{Report: &Report{}}
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	if d.Findings != formVersion {
		return nil, fmt.Errorf("report: findings_version is %d; this program reads %d", d.Findings, formVersion)
	}
	return d.Report, nil
}
