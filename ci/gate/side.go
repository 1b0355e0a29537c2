package gate

import (
	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// The roles of the two sides.
const (
	Base      = "base"
	Candidate = "candidate"
)

// Side is the base or the candidate.
type Side struct {
	// Name is how the caller names it.
	Name string
	// Engine is the checkpoint's own Python. The caller closes it.
	Engine engine.Engine
	// Checkpoint is the same as Go reads it.
	Checkpoint *checkpoint.Checkpoint
	// Dir is its directory, "" where it has none: lines of its configuration are then
	// not told.
	Dir string
	// Files are those of report.Subject.
	Files map[string]string
}

// side is a Side at work.
type side struct {
	Side
	role    string
	source  string // the chat template; "" where there is none
	answers *law.Answers
}

func newSide(role string, s Side) *side {
	out := &side{Side: s, role: role, answers: law.NewAnswers(s.Engine, nil)}
	for i, t := range s.Checkpoint.Templates {
		if i == 0 || t.Name == "default" {
			out.source = t.Text
		}
	}
	return out
}

// subject is the side in a report.
func (s *side) subject() report.Subject {
	return report.Subject{Role: s.role, Name: s.Name, Hash: s.Checkpoint.Hash(), Files: s.Files}
}
