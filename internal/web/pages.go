package web

import (
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// page serves the frontend: a built file by its name, and the one page of the
// application for every other address, which then finds its own way.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if info, err := fs.Stat(s.pages, name); err == nil && !info.IsDir() && name != "index.html" {
		if strings.HasPrefix(name, "assets/") { // their names hold a hash of what is in them
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		http.ServeFileFS(w, r, s.pages, name)
		return
	}
	if path.Ext(name) != "" {
		http.NotFound(w, r)
		return
	}
	index, err := fs.ReadFile(s.pages, "index.html")
	if err != nil {
		http.Error(w, "The pages were not built into this program: run 'make build'.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.Write(index)
}
