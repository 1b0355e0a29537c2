package harmony

import "crypto/rand"

// NewCallID makes a call's ID at random, in the form that OpenAI's have: call_
// and 24 characters, here capital letters and digits.
func NewCallID() string { return "call_" + rand.Text()[:24] }

// History is the reply as a message of the conversation that goes on, of the
// role assistant where the format names none. raw is the model's own text of the
// turn, all that stands behind the generation prompt; it is kept as
// [Message.Raw], so that the next prompt holds what the model wrote byte for
// byte. "" lets the renderer write the turn. The calls have no IDs yet, see [Message.GiveCallIDs].
//
// The error is a *[DecodeError]: the message is no object, as where values were
// discarded.
func (r *Reply) History(raw string) (Message, error) {
	m, err := DecodeMessage(r.Message, "reply")
	if err != nil {
		return Message{}, err
	}
	if m.Role == "" {
		m.Role = Assistant
	}
	m.Raw = raw
	return m, nil
}
