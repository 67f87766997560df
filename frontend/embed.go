// Package frontend holds the built web page, so that the server is one file.
package frontend

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Files returns what `npm run build` has written: index.html at the root and
// everything that it refers to. Before the first build it is all but empty.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // only an invalid path fails, and this one is constant
	}
	return files
}
