package python

import (
	"archive/zip"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeWheel makes a wheel with nothing but its metadata and gives its sha256.
func writeWheel(t *testing.T, folder, name, version, tag string, requires ...string) string {
	t.Helper()
	info := fmt.Sprintf("%s-%s.dist-info/", name, version)
	metadata := fmt.Sprintf("Metadata-Version: 2.1\nName: %s\nVersion: %s\n", name, version)
	for _, r := range requires {
		metadata += "Requires-Dist: " + r + "\n"
	}
	path := filepath.Join(folder, fmt.Sprintf("%s-%s-%s.whl", name, version, tag))
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, part := range [][2]string{
		{name + ".py", "version = '" + version + "'\n"},
		{info + "METADATA", metadata},
		{info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: " + tag + "\n"},
		{info + "RECORD", fmt.Sprintf("%s.py,,\n%sMETADATA,,\n%sWHEEL,,\n%sRECORD,,\n", name, info, info, info)},
	} {
		w, err := z.Create(part[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(part[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// onlyWheels makes pip look for packages in one folder and nowhere else.
func onlyWheels(t *testing.T, folder string) {
	t.Setenv("PIP_NO_INDEX", "1")
	t.Setenv("PIP_FIND_LINKS", folder)
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
}

// alpha is compiled and needs beta everywhere, gamma on Windows, delta on Linux
// for aarch64, and epsilon for an older Python. The machine that resolves is only
// one of these.
func TestResolveEverywhere(t *testing.T) {
	wheels := t.TempDir()
	onlyWheels(t, wheels)
	needs := []string{"beta>=1", `gamma; platform_system == "Windows"`, `delta; sys_platform == "linux" and platform_machine == "aarch64"`,
		`epsilon; python_version < "3.9"`, `epsilon; extra == "more"`}
	hash := map[string]string{}
	for _, tag := range []string{
		"cp314-cp314-manylinux_2_17_x86_64", "cp314-cp314-manylinux_2_34_x86_64", "cp314-cp314-manylinux2014_aarch64",
		"cp310-abi3-macosx_11_0_arm64", "cp310-abi3-macosx_10_12_x86_64", "cp314-cp314-win_amd64",
	} {
		hash[tag] = writeWheel(t, wheels, "alpha", "1.5", tag, needs...)
	}
	writeWheel(t, wheels, "alpha", "1.0", "py3-none-any")
	for _, name := range []string{"beta", "gamma", "delta", "epsilon"} {
		hash[name] = writeWheel(t, wheels, name, "1.0", "py3-none-any")
	}
	lock, err := Resolve(t.Context(), Options{CacheDir: t.TempDir()}, "more", []byte("# asked\nalpha>=1.2\n"), Everywhere)
	if err != nil {
		t.Fatal(err)
	}
	requirements, err := lock.Requirements()
	if err != nil {
		t.Fatalf("%v in\n%s", err, lock.Text)
	}
	want := []struct {
		id, marker string
		hashes     []string
	}{
		{"alpha==1.5", "", []string{hash["cp314-cp314-manylinux_2_17_x86_64"], hash["cp314-cp314-manylinux_2_34_x86_64"], hash["cp314-cp314-manylinux2014_aarch64"],
			hash["cp310-abi3-macosx_11_0_arm64"], hash["cp310-abi3-macosx_10_12_x86_64"], hash["cp314-cp314-win_amd64"]}},
		{"beta==1.0", "", []string{hash["beta"]}},
		{"delta==1.0", `(sys_platform == "linux" and platform_machine == "aarch64")`, []string{hash["delta"]}},
		{"gamma==1.0", `sys_platform == "win32"`, []string{hash["gamma"]}},
	}
	if len(requirements) != len(want) || lock.Name != "more" {
		t.Fatalf("got\n%s", lock.Text)
	}
	for i, w := range want {
		r := requirements[i]
		if r.Name+"=="+r.Version != w.id || r.Marker != w.marker || len(r.Hashes) != len(w.hashes) {
			t.Errorf("got %+v, want %+v", r, w)
		}
		for _, h := range w.hashes {
			if !strings.Contains(strings.Join(r.Hashes, " "), h) {
				t.Errorf("%s lacks the hash %s", w.id, h)
			}
		}
	}
}

func TestResolveFailsTyped(t *testing.T) {
	onlyWheels(t, t.TempDir())
	_, err := Resolve(t.Context(), Options{CacheDir: t.TempDir()}, "x", []byte("alpha\n"), Here)
	var setup *SetupError
	if !errors.As(err, &setup) || setup.Kind != NoNetwork || setup.Step != StepResolve || !strings.Contains(setup.Output, "alpha") {
		t.Fatalf("got %v", err)
	}
}

// The real pip, on wheels made here: it installs what the lock names, refuses
// other bytes, and is not led astray by the user's settings.
func TestInstallFromWheels(t *testing.T) {
	wheels, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "elsewhere")
	onlyWheels(t, wheels)
	config := filepath.Join(t.TempDir(), "pip.conf")
	if err := os.WriteFile(config, []byte("[global]\nrequire-virtualenv = true\n[install]\nuser = true\ntarget = "+elsewhere+"\nprefix = "+elsewhere+"\nno-binary = :all:\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PIP_CONFIG_FILE", config)
	t.Setenv("PIP_REQUIRE_VIRTUALENV", "1")
	t.Setenv("PIP_TARGET", elsewhere)
	t.Setenv("PIP_USER", "1")
	sum := writeWheel(t, wheels, "alpha", "1.0", "py3-none-any", "missing")
	dir := t.TempDir()
	o := &Options{Lock: Lock{Text: []byte("alpha==1.0 --hash=sha256:" + sum + "\n")}}
	w, err := openWorkshop(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	if err := w.install(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if packages, err := installed(siteIn(dir), o.Lock); err != nil || len(packages) != 1 {
		t.Errorf("installed %v, %v", packages, err)
	}
	if _, err := os.Stat(elsewhere); err == nil {
		t.Error("pip wrote into the folder of the user's settings")
	}
	o.Lock.Text = []byte("alpha==1.0 --hash=sha256:" + zeros + "\n")
	var setup *SetupError
	if err := w.install(t.Context(), o); !errors.As(err, &setup) || setup.Kind != BadHash {
		t.Errorf("other bytes: %v", err)
	}
}
