// The peer gonja renders prompts with the checkpoint's chat template in gonja. See
// ../README.md.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/nikolalohinski/gonja/v2"
	"github.com/nikolalohinski/gonja/v2/builtins"
	"github.com/nikolalohinski/gonja/v2/config"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/loaders"
)

type request struct {
	Calls        int            `json:"calls"`
	Request      map[string]any `json:"request"`
	ChatTemplate string         `json:"chat_template"`
}

type answer struct {
	NS     int64  `json:"ns"`
	Text   string `json:"text"`
	Cannot string `json:"cannot,omitempty"`
}

func main() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), json.NewEncoder(os.Stdout)
	known := map[string]*exec.Template{}
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		a, err := render(line, known)
		if err != nil {
			a = answer{Cannot: err.Error()}
		}
		if out.Encode(a) != nil {
			return
		}
	}
}

func render(line []byte, known map[string]*exec.Template) (a answer, err error) {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return a, err
	}
	t := known[r.ChatTemplate]
	if t == nil {
		if t, err = template(r.ChatTemplate); err != nil {
			return a, err
		}
		known[r.ChatTemplate] = t
	}
	r.Request["raise_exception"] = func(text string) (string, error) { return "", errors.New(text) }
	date := r.Request["date"]
	r.Request["strftime_now"] = func(string) any { return date }
	in := exec.NewContext(r.Request)
	start := time.Now()
	for range r.Calls {
		if a.Text, err = t.ExecuteToString(in); err != nil {
			return a, err
		}
	}
	a.NS = time.Since(start).Nanoseconds()
	return a, nil
}

// template reads a chat template. gonja has no tag for spans, which writes nothing:
// it is left out.
func template(text string) (*exec.Template, error) {
	text = strings.NewReplacer("{%- generation -%}", "{#- -#}", "{%- endgeneration -%}", "{#- -#}", "{% generation %}", "", "{% endgeneration %}", "").Replace(text)
	c := config.New()
	c.TrimBlocks, c.LeftStripBlocks = true, true
	loader, err := loaders.NewShiftedLoader("/chat", strings.NewReader(text), gonja.DefaultLoader)
	if err != nil {
		return nil, err
	}
	return exec.NewTemplate("/chat", c, loader, &exec.Environment{
		Context: gonja.DefaultContext, Filters: builtins.Filters, Tests: builtins.Tests,
		ControlStructures: builtins.ControlStructures, Methods: builtins.Methods,
	})
}
