package openai

import (
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Library writes conversations as OpenAI's own library does (openai-harmony 0.0.8),
// byte for byte. The zero Library drops analysis as the library does by default.
type Library struct {
	// KeepAnalysis is auto_drop_analysis=False. Else, where the last assistant
	// message is on the channel final, analysis before the first message on that
	// channel is dropped: none of later turns is, and while a later turn calls tools
	// what was dropped comes back.
	KeepAnalysis bool
	// NextRole is who is to write next, "" nobody.
	NextRole string
	// Training ends an answer that is the last message with <|return|>.
	Training bool
}

// Render gives the prompt of a conversation in the library's own form, as its
// Conversation.to_dict makes it. The error is an *[Error].
func (l Library) Render(conversation value.Value) (string, error) {
	list, ok := conversation.Get("messages").AsArray()
	if !ok {
		return "", template.ValueError("messages", "a conversation has a list of messages")
	}
	messages := slices.Collect(func(yield func(value.Value) bool) {
		for _, m := range list.All() {
			if !yield(m) {
				return
			}
		}
	})
	w := libraryWriter{functions: slices.ContainsFunc(messages, declares)}
	first := -1
	if !l.KeepAnalysis && answers(messages) {
		first = slices.IndexFunc(messages, func(m value.Value) bool { return has(m, "channel", Final) })
	}
	for i, m := range messages {
		if i < first && has(m, "channel", Analysis) {
			continue
		}
		if err := w.message(m, l.Training && i == len(messages)-1, template.At(i)); err != nil {
			if l.NextRole == "" { // the class of the other forms is another
				err.Class = "RuntimeError"
			}
			return "", err
		}
	}
	if l.NextRole != "" {
		w.add(MarkStart, l.NextRole)
	}
	return w.String(), nil
}

func has(m value.Value, key, want string) bool {
	s, ok := m.Get(key).AsString()
	return ok && s == want
}

// answers tells whether the last assistant message is on the channel final.
func answers(messages []value.Value) bool {
	for _, m := range slices.Backward(messages) {
		if has(m, "role", "assistant") {
			return has(m, "channel", Final)
		}
	}
	return false
}

// declares tells whether a message declares functions.
func declares(m value.Value) bool {
	list, _ := m.Get("content").AsArray()
	for _, c := range list.All() {
		tools, _ := c.Get("tools").Get("functions").Get("tools").AsArray()
		if has(c, "type", "developer_content") && tools.Len() > 0 {
			return true
		}
	}
	return false
}

type libraryWriter struct {
	strings.Builder
	functions bool // some message declares functions
}

func (w *libraryWriter) add(texts ...string) {
	for _, s := range texts {
		w.WriteString(s)
	}
}

// message writes one message. A recipient, all too, makes an assistant's message
// end as a call; a tool's message has no recipient but its own.
func (w *libraryWriter) message(m value.Value, last bool, path string) *Error {
	role, _ := m.Get("role").AsString()
	if !slices.Contains([]string{"system", "developer", "user", "assistant", "tool"}, role) {
		return template.ValueError(path, "role must be system, developer, user, assistant or tool, but is %q", role)
	}
	name, named := m.Get("name").AsString()
	w.add(MarkStart)
	switch {
	case role == "tool" && !named:
		return &Error{Class: "HarmonyError", Message: "Tools should have a name!", Path: path}
	case role == "tool":
		w.add(name)
	case named:
		w.add(role, ":", name)
	default:
		w.add(role)
	}
	recipient, called := m.Get("recipient").AsString()
	if called && recipient != "all" {
		w.add(" to=", recipient)
	}
	if channel, ok := m.Get("channel").AsString(); ok {
		w.add(MarkChannel, channel)
	}
	if kind, ok := m.Get("content_type").AsString(); ok {
		w.add(" ", kind)
	}
	w.add(MarkMessage)
	if text, ok := m.Get("content").AsString(); ok {
		w.add(text)
	}
	list, _ := m.Get("content").AsArray()
	for _, c := range list.All() {
		if err := w.content(c, role, path); err != nil {
			return err
		}
	}
	switch {
	case last && role == "assistant" && has(m, "channel", Final):
		w.add(MarkReturn)
	case called && role == "assistant":
		w.add(MarkCall)
	default:
		w.add(MarkEnd)
	}
	return nil
}

func (w *libraryWriter) content(c value.Value, role, path string) *Error {
	kind, _ := c.Get("type").AsString()
	refuse := func(what, where string) *Error {
		return &Error{Class: "HarmonyError", Message: what + " may only appear in " + where + " messages, found in " + strings.ToUpper(role[:1]) + role[1:], Path: path}
	}
	switch kind {
	case "system_content":
		if role != "system" {
			return refuse("SystemContent", "system")
		}
		w.system(c)
	case "developer_content":
		if role != "developer" {
			return refuse("DeveloperContent", "developer")
		}
		var sections []string
		if text, ok := c.Get("instructions").AsString(); ok {
			sections = append(sections, "# Instructions", text)
		}
		w.add(strings.Join(append(sections, librarySections(c)...), "\n\n"))
	default:
		text, _ := c.Get("text").AsString()
		w.add(text)
	}
	return nil
}

// system writes what a system message says; a part that is not given is not there.
func (w *libraryWriter) system(c value.Value) {
	var top, sections []string
	for _, line := range [...][2]string{{"model_identity", ""}, {"knowledge_cutoff", "Knowledge cutoff: "}, {"conversation_start_date", "Current date: "}} {
		if text, ok := c.Get(line[0]).AsString(); ok {
			top = append(top, line[1]+text)
		}
	}
	if len(top) > 0 {
		sections = append(sections, strings.Join(top, "\n"))
	}
	if effort, ok := c.Get("reasoning_effort").AsString(); ok {
		sections = append(sections, "Reasoning: "+strings.ToLower(effort))
	}
	sections = append(sections, librarySections(c)...)
	config := c.Get("channel_config")
	if list, _ := config.Get("valid_channels").AsArray(); list.Len() > 0 {
		var channels []string
		for _, v := range list.All() {
			s, _ := v.AsString()
			channels = append(channels, s)
		}
		text := "# Valid channels: " + strings.Join(channels, ", ") + "."
		if config.Get("channel_required").Truthy() {
			text += " Channel must be included for every message."
		}
		if w.functions {
			text += "\nCalls to these tools must go to the commentary channel: 'functions'."
		}
		sections = append(sections, text)
	}
	w.add(strings.Join(sections, "\n\n"))
}

// librarySections are the tools of a content, its namespaces in the order of their
// keys.
func librarySections(c value.Value) []string {
	spaces, _ := c.Get("tools").AsObject()
	if spaces.Len() == 0 {
		return nil
	}
	var keys []string
	for key := range spaces.All() {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	sections := []string{"# Tools"}
	for _, key := range keys {
		v, _ := spaces.Get(key)
		sections = append(sections, namespace(v))
	}
	return sections
}

// namespace declares the tools of one namespace.
func namespace(v value.Value) string {
	name, _ := v.Get("name").AsString()
	lines := []string{"## " + name, ""}
	tools, _ := v.Get("tools").AsArray()
	comment := func(v value.Value, with string) {
		text, _ := v.AsString()
		for line := range strings.Lines(text) {
			lines = append(lines, with+strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
		}
	}
	if tools.Len() == 0 {
		comment(v.Get("description"), "")
		return strings.Join(lines, "\n")
	}
	comment(v.Get("description"), "// ")
	lines = append(lines, "namespace "+name+" {", "")
	for _, tool := range tools.All() {
		comment(tool.Get("description"), "// ")
		called, _ := tool.Get("name").AsString()
		kind := "()"
		if p := tool.Get("parameters"); !p.IsNull() {
			kind = "(_: " + libraryType(p, "") + ")"
		}
		lines = append(lines, "type "+called+" = "+kind+" => any;", "")
	}
	return strings.Join(append(lines, "} // namespace "+name), "\n")
}
