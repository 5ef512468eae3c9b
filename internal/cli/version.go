package cli

import (
	"cmp"
	"regexp"
	"runtime/debug"
)

// What the linker was told of the build, by
//
//	-ldflags "-X github.com/birdcall/birdcall/internal/cli.version=v1.2.3
//	          -X github.com/birdcall/birdcall/internal/cli.commit=0123456789ab"
var version, commit string

// Version returns the version and the commit of this binary, as in
// "v1.2.3 (0123456789ab)". What neither the linker nor Go was told is "devel"
// or "unknown commit", as under go run.
func Version() string {
	info, _ := debug.ReadBuildInfo() // nil in a binary without modules
	return describe(version, commit, info)
}

// pseudo matches the commit in a version that Go made of it.
var pseudo = regexp.MustCompile(`-(?:\d+\.)?\d{14}-([0-9a-f]{12})(?:\+\w+)?$`)

// hashLength is how much of a commit's hash Go shows in versions.
const hashLength = 12

func describe(version, commit string, info *debug.BuildInfo) string {
	if info == nil {
		info = &debug.BuildInfo{}
	}
	if made := info.Main.Version; version == "" && made != "(devel)" {
		version = made
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && commit == "" {
			commit = s.Value
		}
	}
	if m := pseudo.FindStringSubmatch(version); m != nil && commit == "" {
		commit = m[1]
	}
	commit = commit[:min(len(commit), hashLength)]
	return cmp.Or(version, "devel") + " (" + cmp.Or(commit, "unknown commit") + ")"
}
