//go:build !linux

package load

import (
	"os/exec"
	"time"
)

func runBound(cmd *exec.Cmd, cpu int, started chan<- error) error {
	if cpu >= 0 {
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

func residentBytes(int) (int64, error) { return 0, errNotHere }

func inMemory(string) bool { return false }
