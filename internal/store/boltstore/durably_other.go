//go:build !linux

package boltstore

import "os"

// durably is no way to open a file everywhere: elsewhere writes are flushed.
const durably = 0

// flush puts what was written on the disk.
func flush(f *os.File) error { return f.Sync() }
