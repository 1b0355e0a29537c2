package campaign

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

func TestJournal(t *testing.T) {
	record := func(n int) value.Value {
		return value.Members(value.Member{Name: "next", Value: value.Int(int64(n))})
	}
	whole := string(line(record(1))) + string(line(record(2))) + string(line(record(3)))
	end := len(whole) - len(line(record(3)))
	for _, tt := range []struct {
		name, text string
		records    int
		kept       int // bytes that stay
		damaged    int // line
	}{
		{"whole", whole, 3, len(whole), 0},
		{"empty", "", 0, 0, 0},
		{"without its last newline", whole[:len(whole)-1], 2, end, 0},
		{"broken off in the sum", whole[:end+4], 2, end, 0},
		{"broken off in the text", whole[:end+12], 2, end, 0},
		{"zeros at the end", whole[:end] + "\x00\x00\x00\x00", 2, end, 0},
		{"a wrong last line", whole[:end] + strings.Replace(whole[end:], "3", "4", 1), 2, end, 0},
		{"a wrong line", strings.Replace(whole, `"next": 2`, `"next": 7`, 1), 0, len(whole), 2},
		{"a short line", "x\n" + whole, 0, len(whole) + 2, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal")
			if err := os.WriteFile(path, []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			records, err := readJournal(path)
			var bad *JournalError
			if tt.damaged > 0 != errors.As(err, &bad) || bad != nil && bad.Line != tt.damaged || bad == nil && err != nil {
				t.Fatalf("%v, want damage in line %d", err, tt.damaged)
			}
			if len(records) != tt.records {
				t.Errorf("%d records, want %d", len(records), tt.records)
			}
			data, _ := os.ReadFile(path)
			if len(data) != tt.kept {
				t.Errorf("%d bytes are left, want %d", len(data), tt.kept)
			}
		})
	}
	if records, err := readJournal(filepath.Join(t.TempDir(), "none")); records != nil || err != nil {
		t.Errorf("%v %v", records, err)
	}
}

// A folder belongs to one campaign at a time.
func TestBusy(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if _, err := Open(dir); !errors.As(err, &busy) {
		t.Errorf("%v, want a *BusyError", err)
	}
	s.Close()
	if s, err = Open(dir); err != nil {
		t.Error(err)
	}
	s.Close()
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"": {1, 1}, "1/1": {1, 1}, "2/7": {2, 7}} {
		if got, err := ParseShard(text); got != want || err != nil {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	for _, text := range []string{"0/1", "3/2", "1", "a/b", "1/0", "-1/2", "1/2/3"} {
		if s, err := ParseShard(text); err == nil {
			t.Errorf("%q is taken for %v", text, s)
		}
	}
	seen := map[int]bool{}
	for i := range 3 {
		for k := range 10 {
			seen[Shard{i + 1, 3}.number(k)] = true
		}
	}
	for n := range 30 {
		if !seen[n] {
			t.Errorf("number %d is of no shard", n)
		}
	}
}

// Greedy choice leaves no set that the others make needless.
func TestCover(t *testing.T) {
	set := func(points string) map[Point]bool {
		m := map[Point]bool{}
		for _, p := range points {
			m[Point(p)] = true
		}
		return m
	}
	for _, tt := range []struct {
		sets []string
		want []int
	}{
		{nil, nil},
		{[]string{"a", "a"}, []int{0}},
		{[]string{"ab", "abc", "d"}, []int{1, 2}},
		{[]string{"abcd", "abe", "cdf"}, []int{1, 2}}, // the first, taken greedily, is needless in the end
		{[]string{"", "a"}, []int{1}},
	} {
		var sets []map[Point]bool
		for _, s := range tt.sets {
			sets = append(sets, set(s))
		}
		got := cover(sets, func(int) int { return 1 })
		if len(got) != len(tt.want) {
			t.Errorf("%q: %v, want %v", tt.sets, got, tt.want)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("%q: %v, want %v", tt.sets, got, tt.want)
			}
		}
	}
}
