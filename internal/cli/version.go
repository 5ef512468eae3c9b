package cli

import (
	"cmp"
	"context"
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/birdcall/birdcall/internal/db/fingerprint"
)

// What the linker was given about the build, by
//
//	-ldflags "-X github.com/birdcall/birdcall/internal/cli.version=v1.2.3
//	          -X github.com/birdcall/birdcall/internal/cli.commit=0123456789ab"
var version, commit string

// Version returns the version and the commit of this binary, as in
// "v1.2.3 (0123456789ab)". Where they do not say what it was built of, as under go
// run or with changes that are not committed, the SHA-256 of the executable does, as
// in "devel (unknown commit, binary 0123456789ab)": two different builds are
// distinguished.
var Version = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo() // nil in a binary without modules
	return describe(version, commit, info, executable)
})

// AddVersion adds the flag --version to a program's command.
func AddVersion(c *cobra.Command) {
	cobra.AddTemplateFunc("build", Version) // which may have to read the executable
	c.Version = "build"
	c.SetVersionTemplate("{{.Name}} {{build}}\n")
}

// executable returns the SHA-256 of the program that runs, "" if it cannot be read.
func executable() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	sum, err := fingerprint.OfFile(context.Background(), path)
	if err != nil {
		return ""
	}
	return sum.SHA256
}

// pseudo matches the commit in a version that Go made of it.
var pseudo = regexp.MustCompile(`-(?:\d+\.)?\d{14}-([0-9a-f]{12})(?:\+\w+)?$`)

// unnamed is the version of what has none, as the Makefile has it, too.
const unnamed = "devel"

// hashLength is how much of a commit's hash Go shows in versions.
const hashLength = 12

func describe(version, commit string, info *debug.BuildInfo, executable func() string) string {
	if info == nil {
		info = &debug.BuildInfo{}
	}
	if made := info.Main.Version; version == "" && made != "(devel)" {
		version = made
	}
	if version == unnamed {
		version = ""
	}
	dirty := strings.HasSuffix(version, "+dirty") || strings.HasSuffix(version, "-dirty")
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = cmp.Or(commit, s.Value)
		case "vcs.modified":
			dirty = dirty || s.Value == "true"
		}
	}
	if m := pseudo.FindStringSubmatch(version); m != nil && commit == "" {
		commit = m[1]
	}
	known := version != "" || commit != ""
	said := cmp.Or(short(commit), "unknown commit")
	if dirty && commit != "" {
		said += "+dirty"
	}
	if !known || dirty {
		if sum := executable(); sum != "" {
			said += ", binary " + short(sum)
		}
	}
	return cmp.Or(version, unnamed) + " (" + said + ")"
}

// short returns as much of a hash as is shown.
func short(hash string) string { return hash[:min(len(hash), hashLength)] }
