package main

import (
	"fmt"
	"runtime/debug"
)

// version prints what was built from what.
type version struct{}

// Run prints one line.
func (version) Run() error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		fmt.Println("gomokud (unknown build)")
		return nil
	}
	revision, dirty := "unknown revision", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = " and changes"
		}
	}
	fmt.Printf("gomokud %s (%s%s, %s)\n", info.Main.Version, revision, dirty, info.GoVersion)
	return nil
}
