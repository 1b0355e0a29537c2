package corpus

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Decode reads the cases of a file: one case object, or an array of them. name
// is the file's name, for errors and for the id of a case that stands alone
// without one; the cases of an array each need an id. Errors are *[CaseError].
func Decode(data []byte, name string) ([]Case, error) {
	d := &decoder{file: name, text: string(data)}
	return d.readFile()
}

func (d *decoder) readFile() ([]Case, error) {
	root, err := d.load()
	if err != nil {
		return nil, err
	}
	if root.Kind() != value.KindArray {
		c, err := d.readCase(root, nil, "")
		if err != nil {
			return nil, err
		}
		return []Case{c}, nil
	}
	d.needID = true
	list, _ := root.AsArray()
	cases := make([]Case, 0, list.Len())
	seen := make(map[string]int, list.Len())
	for i, v := range list.All() {
		c, err := d.readCase(v, path{i}, "")
		if err != nil {
			return nil, err
		}
		if first, has := seen[c.ID]; has {
			d.base = nil
			return nil, d.fail(path{i, "id"}, "the id "+quote(c.ID)+" is that of "+path{first}.String()+" too", "ids are unique")
		}
		seen[c.ID] = i
		cases = append(cases, c)
	}
	return cases, nil
}

// DecodeOne reads one case of a kind: a case, an array that holds just one, or
// the bare keys of the kind. Errors are *[CaseError]; one is a case that says to
// be of another kind.
func DecodeOne(data []byte, name string, kind Kind) (Case, error) {
	d := &decoder{file: name, text: string(data)}
	root, err := d.load()
	if err != nil {
		return Case{}, err
	}
	var at path
	if list, ok := root.AsArray(); ok {
		if list.Len() == 0 {
			return Case{}, d.fail(nil, "holds no case", "its list is empty")
		}
		if list.Len() != 1 {
			return Case{}, d.fail(nil, "must be one case, but is a list of "+count(list.Len(), "case"), "diff runs lists; this verb takes one")
		}
		root, at = list.At(0), path{0}
	}
	return d.readCase(root, at, kind)
}

// decoder reads the cases of one file.
type decoder struct {
	file, text string
	needID     bool // a case must say its id
	// base is where the case that is being read stands in the file.
	base path
}

func (d *decoder) load() (value.Value, error) {
	if err := harmony.CheckUTF8("the file", d.text); err != nil {
		return value.Value{}, &CaseError{File: d.file, Offset: err.(*harmony.UTF8Error).Offset,
			Msg: "is not valid UTF-8", Advice: "save it as UTF-8", Err: err}
	}
	root, err := value.LoadOptions{Strict: true}.Loads(d.text)
	if err != nil {
		e := &CaseError{File: d.file, Msg: "is not JSON: " + err.Error(), Err: err}
		switch err := err.(type) {
		case *value.SyntaxError:
			e.Offset = int64(err.Offset)
			if strings.HasPrefix(d.text, "\ufeff") {
				e.Advice = "save it as UTF-8 without a byte order mark"
			}
		case *value.DepthError:
			e.Offset = int64(err.Offset)
		case *value.DigitsError:
			e.Offset = int64(err.Offset)
		}
		return value.Value{}, e
	}
	return root, nil
}

// fail is an error at a path inside the case that is being read.
func (d *decoder) fail(at path, msg, advice string) error {
	at = d.base.with(at...)
	return &CaseError{File: d.file, Path: at.String(), Offset: locate(d.text, at), Msg: msg, Advice: advice}
}

// mustBe is the error of a value of the wrong type.
func (d *decoder) mustBe(at path, want string, got value.Value) error {
	return d.fail(at, "must be "+want+", but is "+describe(got), "")
}

// describe names what a value is; scalars are shown.
func describe(v value.Value) string {
	kind := v.Kind().String()
	switch v.Kind() {
	case value.KindNull:
		return kind
	case value.KindArray, value.KindObject, value.KindInt:
		kind = "an " + kind
	default:
		kind = "a " + kind
	}
	if text := value.Dumps(v); len(text) <= 40 {
		kind += ": " + text
	}
	return kind
}

// ownKeys are the keys of a case that are no input, in canonical order.
var ownKeys = []string{"id", "source", "why", "format", "domain", "decision", "kind", "checkpoint", "checkpoint_hash", "want"}

var (
	idPattern    = regexp.MustCompile(`^[A-Za-z0-9._~@+=:-]+(/[A-Za-z0-9._~@+=:-]+)*$`)
	classPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	namePattern  = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	hashPattern  = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// readCase reads one case. kind is what the caller asks for, "" where the case
// says it itself.
func (d *decoder) readCase(v value.Value, at path, kind Kind) (Case, error) {
	d.base = at
	o, ok := v.AsObject()
	if !ok {
		return Case{}, d.mustBe(nil, "a case (an object)", v)
	}
	c := Case{Kind: kind, Input: &value.Object{}}
	if err := d.readKind(&c, o); err != nil {
		return Case{}, err
	}
	for key, v := range o.All() {
		if err := d.readKey(&c, key, v); err != nil {
			return Case{}, err
		}
	}
	if err := d.complete(&c); err != nil {
		return Case{}, err
	}
	return c, nil
}

func (d *decoder) readKind(c *Case, o *value.Object) error {
	v, has := o.Get("kind")
	if !has {
		_, reply := o.Get(keyReply)
		if !reply {
			_, reply = o.Get(keyReplyIDs)
		}
		_, messages := o.Get("messages")
		switch {
		case c.Kind != "":
		case reply:
			c.Kind = Parse
		case messages:
			c.Kind = Render
		default:
			c.Kind = Render
			return d.checkKeys(o) // a misspelt key may be the one that tells the kind
		}
		return nil
	}
	s, ok := v.AsString()
	said := Kind(s)
	if !ok || said != Render && said != Parse && said != Mask && said != EncodeIDs {
		return d.mustBe(path{"kind"}, `"render", "parse", "mask" or "encode"`, v)
	}
	if c.Kind == EncodeIDs && said == Render { // with fewer keys
		return nil
	}
	if c.Kind != "" && said != c.Kind {
		verb := s
		if said == EncodeIDs {
			verb = "render --tokens"
		}
		return d.fail(path{"kind"}, "is "+quote(s)+", but a "+string(c.Kind)+" case is asked for", "use the verb "+verb)
	}
	c.Kind = said
	return nil
}

// readKey reads one key of a case into its field or into the input.
func (d *decoder) readKey(c *Case, key string, v value.Value) error {
	at := path{key}
	if read, is := inputKeys[c.Kind][key]; is {
		c.Input.Set(key, v)
		return read(d, at, v, c)
	}
	switch key {
	case "kind":
		return nil
	case "want":
		return d.readWant(c, v)
	}
	if !slices.Contains(ownKeys, key) {
		for _, kind := range []Kind{Render, Mask, EncodeIDs, Parse} {
			if _, is := inputKeys[kind][key]; is {
				return d.fail(at, "is a key of "+string(kind)+" cases, but this is a "+string(c.Kind)+" case", `set "kind", or leave the key out`)
			}
		}
		return d.fail(at, notAKey, advise(key, append(ownKeys[:len(ownKeys):len(ownKeys)], inputNames(c.Kind)...)))
	}
	s, ok := v.AsString()
	if !ok {
		return d.mustBe(at, "a string", v)
	}
	switch key {
	case "id":
		c.ID = s
		if !idPattern.MatchString(s) {
			return d.fail(at, "cannot be "+quote(s), "an id is names between slashes, of letters, digits and ._~@+=:-")
		}
	case "source":
		c.Source = s
	case "why":
		c.Why = s
	case "format":
		c.Format = s
		if !namePattern.MatchString(s) {
			return d.fail(at, "cannot be "+quote(s), "a format is a name like beam")
		}
	case "domain":
		c.Domain = Domain(s)
		if c.Domain != Documented && c.Domain != Undocumented {
			return d.mustBe(at, `"documented" or "undocumented"`, v)
		}
	case "decision":
		c.Decision = s
		if !namePattern.MatchString(s) {
			return d.fail(at, "cannot be "+quote(s), "a decision is a name like content-parts")
		}
	case "checkpoint":
		c.Checkpoint = s
		if s == "" {
			return d.fail(at, "cannot be empty", "leave it out for the run's checkpoint")
		}
	case "checkpoint_hash":
		c.CheckpointHash = s
		if !hashPattern.MatchString(s) {
			return d.fail(at, "must be a sha256 in 64 hex digits, but is "+quote(s), "")
		}
	}
	return nil
}

// complete checks what one key cannot tell, and gives a case that stands alone
// its id.
func (d *decoder) complete(c *Case) error {
	need := "messages"
	if c.Kind == Parse && !c.isIDs() {
		need = keyReply
	} else if c.Kind == Parse {
		need = keyReplyIDs
	}
	if _, has := c.Input.Get(need); !has {
		return d.fail(nil, "has no "+quote(need), "a "+string(c.Kind)+" case needs it")
	}
	if c.ID == "" {
		if d.needID {
			return d.fail(nil, `has no "id"`, "each case of a list or a folder needs one")
		}
		c.ID = idOf(d.file)
	}
	if c.Decision != "" && c.Domain != Undocumented {
		return d.fail(path{"decision"}, "belongs to an undocumented case", `set "domain": "undocumented"`)
	}
	if c.Domain == Undocumented && c.Want != nil && c.CheckpointHash == "" && c.Checkpoint == "" && !c.inline() {
		return d.fail(path{"want"}, "holds for one checkpoint, as the case is undocumented", `name it: "checkpoint_hash"`)
	}
	for _, check := range []func(*Case) error{d.checkReply, d.checkCuts, d.checkKwargs} {
		if err := check(c); err != nil {
			return err
		}
	}
	if !c.Stream.IsNull() {
		if _, has := c.Input.Get("chunks"); !has {
			return d.fail(path{"want", "stream"}, `needs "chunks"`, "it is what each feed gives")
		}
	}
	return nil
}

// inline tells whether the case carries the template that answers it.
func (c *Case) inline() bool {
	key := "chat_template"
	if c.Kind == Parse {
		key = "response_template"
	}
	_, has := c.Input.Get(key)
	return has
}

// idOf makes an id of a file's name.
func idOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	id := strings.Map(func(r rune) rune {
		if r < 0x80 && idPattern.MatchString(string(r)) {
			return r
		}
		return '-'
	}, name)
	if id == "" {
		return "case"
	}
	return id
}
