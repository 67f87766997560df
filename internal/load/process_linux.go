package load

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// runAt runs a command to its end and reports on started whether it has begun.
// The command inherits the processor and the priority from the thread that
// starts it and dies with that thread, so the thread stays ours until the end
// and is given up then.
func runAt(at place, cmd *exec.Cmd, started chan<- error) error {
	runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setpgid:   true, // an interrupt from the keyboard is ours to pass on
		Pdeathsig: syscall.SIGKILL,
	}
	err := bindThread(0, at.cpu)
	if err == nil && at.nice {
		err = unix.Setpriority(unix.PRIO_PROCESS, 0, 10) // of this thread
	}
	if err == nil {
		err = cmd.Start()
	}
	started <- err
	if err != nil {
		return err
	}
	return cmd.Wait()
}

func bindThread(tid, cpu int) error {
	if cpu < 0 {
		return nil
	}
	var set unix.CPUSet
	set.Set(cpu)
	if err := unix.SchedSetaffinity(tid, &set); err != nil {
		return fmt.Errorf("bind to processor %d: %w", cpu, err)
	}
	return nil
}

// bindSelf binds every thread of this process to one processor.
func bindSelf(cpu int) error {
	if cpu < 0 {
		return nil
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("bind to processor %d: %w", cpu, err)
	}
	for _, thread := range threads {
		tid, err := strconv.Atoi(thread.Name())
		if err != nil {
			continue
		}
		if err := bindThread(tid, cpu); err != nil {
			return err
		}
	}
	runtime.GOMAXPROCS(1)
	return nil
}

// cpuTime is what a process has used of the processors.
func cpuTime(pid int) (time.Duration, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(data), ") ") // the name before it may hold anything
	fields := strings.Fields(rest)
	const userTime, systemTime = 11, 12 // counted from the field after the name
	if len(fields) <= systemTime {
		return 0, fmt.Errorf("read the processor time of %d: too few fields", pid)
	}
	var ticks int64
	for _, field := range fields[userTime : systemTime+1] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read the processor time of %d: %w", pid, err)
		}
		ticks += n
	}
	return time.Duration(ticks) * (time.Second / 100), nil // Linux gives hundredths everywhere
}

// openFiles is how many files a process may have open.
func openFiles() uint64 {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxUint64 // then the system says so when it is too late
	}
	return limit.Cur // Go has raised it as far as it may
}

// residentBytes is how much memory a process holds.
func residentBytes(pid int) (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0, fmt.Errorf("read the memory of %d: too few fields", pid)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// inMemory reports whether a folder is no disk, so that to sync costs nothing.
func inMemory(folder string) bool {
	var fs unix.Statfs_t
	return unix.Statfs(folder, &fs) == nil && fs.Type == unix.TMPFS_MAGIC
}
