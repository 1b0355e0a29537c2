package python

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Command makes a command that runs this Python with args, in the frozen
// environment of [Env.Environ] without network. The script's own folder and the
// working folder are not searched for modules.
func (e *Env) Command(ctx context.Context, args ...string) *exec.Cmd {
	return e.command(ctx, false, args)
}

// NetworkCommand is Command for a process that may fetch a checkpoint: proxies,
// certificates and the settings of the hub's client are passed on.
func (e *Env) NetworkCommand(ctx context.Context, args ...string) *exec.Cmd {
	return e.command(ctx, true, args)
}

func (e *Env) command(ctx context.Context, network bool, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, e.Executable(), append([]string{"-s", "-P"}, args...)...)
	cmd.Env = e.Environ(network)
	return cmd
}

// What is passed on from the parent, and nothing else of it. OpenBLAS's core
// type is a property of the machine: numpy picks a wrong kernel on some.
var (
	passed        = []string{"TMPDIR", "OPENBLAS_CORETYPE"}
	passedWindows = []string{"SYSTEMROOT", "SYSTEMDRIVE", "TEMP", "TMP", "USERPROFILE", "NUMBER_OF_PROCESSORS"}
	passedNetwork = []string{
		"HOME", "XDG_CACHE_HOME", "USERPROFILE",
		"HF_HOME", "HF_HUB_CACHE", "HF_TOKEN", "HF_TOKEN_PATH", "HF_ENDPOINT", "HF_HUB_DOWNLOAD_TIMEOUT", "HF_HUB_ETAG_TIMEOUT",
		"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
	}
)

// Environ gives the variables of a worker, as KEY=VALUE: the short list that is
// passed on from the parent, then the fixed ones.
func (e *Env) Environ(network bool) []string {
	names := passed
	if runtime.GOOS == "windows" {
		names = append(names[:len(names):len(names)], passedWindows...)
	}
	if network {
		names = append(names[:len(names):len(names)], passedNetwork...)
	}
	var env []string
	for _, name := range names {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	env = append(env,
		"PYTHONHOME="+e.Home(),
		"PYTHONPATH="+e.Site(),
		"PYTHONNOUSERSITE=1",
		"PYTHONDONTWRITEBYTECODE=1",
		"PYTHONHASHSEED=0",
		"PYTHONUTF8=1",
		"LC_ALL=C.UTF-8",
		"LANG=C.UTF-8",
		"TZ=UTC",
		"NO_COLOR=1",
		// One thread a worker: there are as many workers as cores.
		"TOKENIZERS_PARALLELISM=false",
		"RAYON_NUM_THREADS=1",
		"OPENBLAS_NUM_THREADS=1",
		"OMP_NUM_THREADS=1",
		"TRANSFORMERS_VERBOSITY=error",
		"TRANSFORMERS_NO_ADVISORY_WARNINGS=1",
		"HF_HUB_DISABLE_TELEMETRY=1",
		"HF_HUB_DISABLE_PROGRESS_BARS=1",
	)
	if !network {
		// The hub's client reads tokens and settings from its home.
		nowhere := filepath.Join(e.cache, "nobody")
		env = append(env, "HF_HUB_OFFLINE=1", "TRANSFORMERS_OFFLINE=1", "HOME="+nowhere, "HF_HOME="+filepath.Join(nowhere, "huggingface"))
	}
	return env
}
