//go:build !linux

package boltstore

import "os"

// durably opens a file each of whose writes is on the disk when it returns.
const durably = os.O_SYNC
