package load

import (
	"fmt"
	"os"
	"slices"
	"time"
)

// syncTime is how long the disk under a folder takes to keep a small write: the
// embedded store waits for it once for every group of moves, so a busy disk
// explains a slow run.
func syncTime(folder string) (time.Duration, error) {
	const tries = 50
	file, err := os.CreateTemp(folder, "gomokud-bench-")
	if err != nil {
		return 0, fmt.Errorf("measure the disk: %w", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	block := make([]byte, 4096)
	took := make([]time.Duration, tries)
	for i := range took {
		begin := time.Now()
		if _, err = file.WriteAt(block, int64(i)*int64(len(block))); err == nil {
			err = file.Sync()
		}
		if err != nil {
			return 0, fmt.Errorf("measure the disk: %w", err)
		}
		took[i] = time.Since(begin)
	}
	slices.Sort(took)
	return took[tries/2], nil
}
