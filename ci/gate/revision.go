package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"strings"
)

// revision reads REVISION:PATH: a file, or a directory's files into home.
func revision(ctx context.Context, s Source, rev, at, home string) (Source, map[string][]byte, error) {
	fail := func(what string, err error) (Source, map[string][]byte, error) {
		return s, nil, &SpecError{s.Name, what, err}
	}
	commit, err := git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fail(fmt.Sprintf("is no file or directory, and there is no git to look for revision %q in", rev), err)
		}
		return fail(fmt.Sprintf("is no file or directory, and in git %q is no revision here", rev), err)
	}
	object := strings.TrimSpace(string(commit)) + ":" + at
	kind, err := git(ctx, "cat-file", "-t", object)
	if err != nil {
		return fail(fmt.Sprintf("cannot be read: revision %s has no %q (paths are those from the top of the repository; ./%s is one from here)", rev, at, at), err)
	}
	shown := rev + ":" + strings.TrimPrefix(path.Clean("./"+at), "./")
	if strings.TrimSpace(string(kind)) == "blob" {
		data, err := git(ctx, "cat-file", "blob", object)
		if err != nil {
			return fail("cannot be read: "+err.Error(), err)
		}
		files, err := single(at, data)
		for name := range files {
			s.Files[map[string]string{templateFile: chatTemplate, configFile: responseTemplate}[name]] = shown
		}
		return s, files, err
	}
	list, err := git(ctx, "ls-tree", "-r", "-z", "--full-tree", object)
	if err != nil {
		return fail("cannot be read: "+err.Error(), err)
	}
	for entry := range strings.SplitSeq(string(list), "\x00") {
		about, name, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(about)
		if !ok || len(fields) != 3 || fields[0] == "120000" || fields[1] != "blob" || !wanted(name) {
			continue
		}
		data, err := git(ctx, "cat-file", "blob", fields[2])
		if err == nil && bytes.HasPrefix(data, []byte("version https://git-lfs")) {
			return fail(fmt.Sprintf("holds %s as a pointer of git LFS, whose content is not in the repository: check it out and name the directory", name), nil)
		}
		if err == nil {
			err = write(home, name, data)
		}
		if err != nil {
			return fail("cannot be read: "+err.Error(), err)
		}
	}
	s.Dir = home
	s.Files = filesOf(shown, home)
	if len(s.Files) == 0 {
		return fail(fmt.Sprintf("holds neither %s nor %s", templateFile, configFile), nil)
	}
	return s, nil, nil
}

// git runs git in the working directory; its error is what git says.
func git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if text := strings.TrimSpace(stderr.String()); err != nil && text != "" {
		err = errors.New(firstLine(text))
	}
	return out, err
}
