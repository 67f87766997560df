//go:build !linux

package load

import (
	"math"
	"os/exec"
	"time"
)

func runAt(at place, cmd *exec.Cmd, started chan<- error) error {
	if at.cpu >= 0 {
		started <- errNotHere
		return errNotHere
	}
	err := cmd.Start()
	started <- err
	if err != nil {
		return err
	}
	return cmd.Wait()
}

func bindSelf(cpu int) error {
	if cpu >= 0 {
		return errNotHere
	}
	return nil
}

func cpuTime(int) (time.Duration, error) { return 0, errNotHere }

func openFiles() uint64 { return math.MaxUint64 }

func residentBytes(int) (int64, error) { return 0, errNotHere }

func inMemory(string) bool { return false }
