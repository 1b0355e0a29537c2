package openai

import "github.com/beamdiff/beamdiff/harmony/value"

// arg is an argument of the template: a field of the request, else what Args keeps.
func (w *writer) arg(name, field string) dynamic {
	w.place = place{field: name}
	if field != "" {
		return defined(value.String(field))
	}
	if v, has := w.req.Args.Get(name); has {
		return defined(v)
	}
	return dynamic{gap: noArgument, name: name}
}

// system writes the system message.
func (w *writer) system() error {
	w.text(MarkStart + "system" + MarkMessage)
	if identity := w.arg(argIdentity, w.req.Identity); !identity.isDefined() {
		w.text("You are ChatGPT, a large language model trained by OpenAI.")
	} else if err := w.addTo(identity); err != nil {
		return err
	}
	w.text("\nKnowledge cutoff: 2024-06\nCurrent date: ")
	w.text(w.req.Date)
	w.text("\n\nReasoning: ")
	if effort := w.arg(argEffort, w.req.Effort); !effort.isDefined() {
		w.text("medium")
	} else if err := w.add(effort); err != nil {
		return err
	}
	w.text("\n\n")
	if err := w.builtin(); err != nil {
		return err
	}
	w.text("# Valid channels: analysis, commentary, final. Channel must be included for every message.")
	if len(w.req.Tools) > 0 {
		w.text("\nCalls to these tools must go to the commentary channel: 'functions'.")
	}
	w.text(MarkEnd)
	return nil
}

// builtin writes the built-in tools that are asked for, under a heading that is
// also there where none of them is known.
func (w *writer) builtin() error {
	var browser, python bool
	some := len(w.req.BuiltinTools) > 0
	for _, name := range w.req.BuiltinTools {
		browser = browser || name == "browser"
		python = python || name == "python"
	}
	if asked := w.arg(argBuiltin, ""); !some && asked.truthy() {
		some = true
		list, err := w.iterate(asked)
		if err != nil {
			return err
		}
		for name, ok := list.next(); ok; name, ok = list.next() {
			browser = browser || name.is("browser")
			python = python || name.is("python")
		}
	}
	if some {
		w.text("# Tools\n\n")
	}
	if browser {
		w.text(browserTool)
	}
	if python {
		w.text(pythonTool)
	}
	return nil
}
