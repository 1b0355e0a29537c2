package python

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

var sample = &manifest{
	python: "3.14.6", platform: "linux/amd64", lockHash: zeros, lockName: "a name",
	packages: []Package{{"alpha", "1.0"}, {"beta", "2.0"}},
	files: []file{
		{path: "python/bin/python3", size: 29, executable: true, sha256: zeros},
		{path: "site/a b.py", size: 0, sha256: zeros},
	},
}

const sampleText = `beamdiff environment 1
python 3.14.6
platform linux/amd64
lock 0000000000000000000000000000000000000000000000000000000000000000 a name
package alpha 1.0
package beta 2.0
file x 29 0000000000000000000000000000000000000000000000000000000000000000 python/bin/python3
file - 0 0000000000000000000000000000000000000000000000000000000000000000 site/a b.py
end `

func TestManifestText(t *testing.T) {
	text := sample.encode()
	if !strings.HasPrefix(string(text), sampleText) {
		t.Errorf("got\n%s", text)
	}
	got, err := decodeManifest(text)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, sample) {
		t.Errorf("got %+v", got)
	}
}

// A manifest that is cut anywhere, or has any byte changed, is refused.
func TestManifestDamage(t *testing.T) {
	text := sample.encode()
	for i := range text {
		refuses(t, text[:i])
		changed := bytes.Clone(text)
		changed[i] ^= 1
		refuses(t, changed)
	}
}

func refuses(t *testing.T, text []byte) {
	t.Helper()
	var damage *DamageError
	if _, err := decodeManifest(text); !errors.As(err, &damage) {
		t.Errorf("got %v for %q", err, text)
	}
}
