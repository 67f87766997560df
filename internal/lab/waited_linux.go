package lab

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// waited returns how long the calling thread has been ready to run while others
// ran on its processor, 0 if that is not known.
func waited() time.Duration {
	stat, err := os.ReadFile("/proc/thread-self/schedstat") // ns on a processor, ns waiting, slices
	if fields := bytes.Fields(stat); err == nil && len(fields) == 3 {
		ns, _ := strconv.ParseInt(string(fields[1]), 10, 64) // 0 if it is no number
		return time.Duration(ns)
	}
	return 0
}
