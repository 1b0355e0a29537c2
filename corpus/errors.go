package corpus

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// CaseError says why a text is not a case.
type CaseError struct {
	File   string // the name that was given to Decode
	Path   string // JSON path of the fault, such as [2].want.error; "" is the whole text
	Offset int64  // of the fault, in bytes from the start of the file; -1 where it has no place
	Msg    string // what is wrong
	Advice string // what to do about it, "" where Msg says so
	// Err is the cause: a *value.SyntaxError (not JSON), a *harmony.UTF8Error,
	// an error of reading the file; nil where the case itself is wrong.
	Err error
}

func (e *CaseError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Offset >= 0 {
		fmt.Fprintf(&b, ": byte %d", e.Offset)
	}
	if e.Path != "" {
		b.WriteString(": " + e.Path)
	}
	b.WriteString(": " + e.Msg)
	if e.Advice != "" {
		b.WriteString(" (" + e.Advice + ")")
	}
	return b.String()
}

func (e *CaseError) Unwrap() error { return e.Err }

// path is a place in a JSON value: string names and int indexes.
type path []any

func (p path) with(steps ...any) path { return append(p[:len(p):len(p)], steps...) }

// String writes the path as people do: [2].want.error, messages[1]["a b"].
func (p path) String() string {
	var b strings.Builder
	for _, step := range p {
		switch s := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", s)
		case string:
			s = clip(s)
			if !isName(s) {
				b.WriteByte('[')
				b.Write(value.PyDumps.AppendString(nil, s))
				b.WriteByte(']')
				continue
			}
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s)
		}
	}
	return b.String()
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < 'a' || 'z' < c) && s[i] != '_' && (i == 0 || s[i] < '0' || '9' < s[i]) {
			return false
		}
	}
	return s != ""
}

// locate gives the byte at which the value at the path begins in a text that is
// known to be JSON. Where there is no such value, it is the last one on the way.
func locate(text string, p path) int64 {
	at := skipSpace(text, 0)
	for _, step := range p {
		next, ok := enter(text, at, step)
		if !ok {
			break
		}
		at = next
	}
	return int64(at)
}

// enter goes from the value at byte at into its item or member.
func enter(text string, at int, step any) (int, bool) {
	if text[at] != '{' && text[at] != '[' {
		return at, false
	}
	for i, pos := 0, skipSpace(text, at+1); text[pos] != '}' && text[pos] != ']'; i++ {
		found := step == i
		if text[at] == '{' {
			end := skipValue(text, pos)
			name, _ := value.Loads(text[pos:end])
			s, _ := name.AsString()
			found = step == s
			pos = skipSpace(text, skipSpace(text, end)+1) // over the colon
		}
		if found {
			return pos, true
		}
		if pos = skipSpace(text, skipValue(text, pos)); text[pos] == ',' {
			pos = skipSpace(text, pos+1)
		}
	}
	return at, false
}

// skipValue gives the end of the value that begins at byte at.
func skipValue(text string, at int) int {
	depth := 0
	for ; at < len(text); at++ {
		switch text[at] {
		case '"':
			for at++; text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default:
			if depth == 0 {
				return at + len(text[at:]) - len(strings.TrimLeft(text[at:], "-+.0123456789abcdefghijklmnopqrstuvwxyzE"))
			}
			continue
		}
		if depth == 0 {
			return at + 1
		}
	}
	return at
}

func skipSpace(text string, at int) int {
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	return at
}

// advise names the known word that is nearest to an unknown one, if any is near.
func advise(word string, known []string) string {
	best, at := 3, -1
	for i, k := range known {
		if len(word) >= len(k)+best {
			continue // and the distance of a long word is much work
		}
		if d := distance(strings.ToLower(word), k); d < best && d < len(k) {
			best, at = d, i
		}
	}
	if at >= 0 {
		return "did you mean " + strconv.Quote(known[at]) + "?"
	}
	return "known are: " + strings.Join(known, ", ")
}

// distance is the number of bytes to insert, drop or change between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, change)
		}
	}
	return row[len(b)]
}
