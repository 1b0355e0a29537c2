package python

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEnvironIsFrozen(t *testing.T) {
	for name, value := range map[string]string{
		"TMPDIR": "/scratch", "HOME": "/home/me", "HF_TOKEN": "secret", "HF_HOME": "/hub", "HTTPS_PROXY": "proxy", "HF_ENDPOINT": "end",
		"PYTHONPATH": "/evil", "PYTHONSTARTUP": "/evil.py", "PYTHONHASHSEED": "7", "PYTHONWARNINGS": "error", "TZ": "Asia/Tokyo", "LC_ALL": "tr_TR.UTF-8",
		"TRANSFORMERS_VERBOSITY": "debug", "HF_HUB_OFFLINE": "0", "LD_PRELOAD": "/evil.so", "TRANSFORMERS_CACHE": "/x",
	} {
		t.Setenv(name, value)
	}
	e := &Env{cache: "/cache", dir: "/cache/python/name"}
	for _, c := range []struct {
		network bool
		want    map[string]string // "" is not there
	}{
		{false, map[string]string{"HOME": filepath.Join("/cache", "nobody"), "HF_TOKEN": "", "HTTPS_PROXY": "", "HF_ENDPOINT": "", "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1",
			"HF_HOME": filepath.Join("/cache", "nobody", "huggingface")}},
		{true, map[string]string{"HOME": "/home/me", "HF_TOKEN": "secret", "HTTPS_PROXY": "proxy", "HF_ENDPOINT": "end", "HF_HUB_OFFLINE": "", "TRANSFORMERS_OFFLINE": "", "HF_HOME": "/hub"}},
	} {
		got := map[string]string{}
		for _, kv := range e.Environ(c.network) {
			name, value, _ := strings.Cut(kv, "=")
			if _, twice := got[name]; twice {
				t.Errorf("%s is set twice", name)
			}
			got[name] = value
		}
		for name, want := range map[string]string{
			"TMPDIR": "/scratch", "PYTHONHOME": e.Home(), "PYTHONPATH": e.Site(), "PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1",
			"PYTHONNOUSERSITE": "1", "PYTHONDONTWRITEBYTECODE": "1", "TOKENIZERS_PARALLELISM": "false", "TRANSFORMERS_VERBOSITY": "error",
			"PYTHONSTARTUP": "", "PYTHONWARNINGS": "", "LD_PRELOAD": "", "TRANSFORMERS_CACHE": "", "PATH": "",
		} {
			c.want[name] = want
		}
		for name, want := range c.want {
			if got[name] != want {
				t.Errorf("network %v: %s is %q, want %q", c.network, name, got[name], want)
			}
		}
	}
}

func TestCommandArguments(t *testing.T) {
	e := &Env{cache: "/cache", dir: "/cache/python/name"}
	cmd := e.Command(t.Context(), "worker.py", "--x")
	if want := []string{e.Executable(), "-s", "-P", "worker.py", "--x"}; !slices.Equal(cmd.Args, want) {
		t.Errorf("got %q", cmd.Args)
	}
	if !slices.Contains(cmd.Env, "HF_HUB_OFFLINE=1") || slices.Contains(e.NetworkCommand(t.Context()).Env, "HF_HUB_OFFLINE=1") {
		t.Error("Command has network, or NetworkCommand has none")
	}
}
