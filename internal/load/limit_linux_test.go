package load

import (
	"testing"

	"golang.org/x/sys/unix"
)

// lowerOpenFiles allows this process fewer open files for the length of a test.
func lowerOpenFiles(t *testing.T, most uint64) {
	t.Helper()
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	lower := limit
	lower.Cur = min(most, limit.Cur)
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &lower); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Setrlimit(unix.RLIMIT_NOFILE, &limit) })
}
