package external

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lowest is the priority of engines: they get what nobody else wants.
const lowest = 19

// mostFile is how large a file a process may write, in bytes.
const mostFile = 64 << 20

// attributes are those of a process that leads a group and dies with the thread
// that starts it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// limit bounds a process that has just started: its priority, the size of its
// files, and its memory if that is not 0. The memory is what it may write to
// (RLIMIT_DATA): the runtimes of many languages reserve addresses by the
// gigabyte that they never use, so that a bound of the address space would tell
// little.
func limit(pid int, memory int64) error {
	// The group: also the threads that it has started already. What it starts
	// later inherits all of it.
	err := unix.Setpriority(unix.PRIO_PGRP, pid, lowest)
	set := func(resource int, most uint64) {
		err = errors.Join(err, unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil))
	}
	set(unix.RLIMIT_CORE, 0)
	set(unix.RLIMIT_FSIZE, mostFile)
	if memory > 0 {
		set(unix.RLIMIT_DATA, uint64(memory))
	}
	return err
}

// awaitExit returns when the process has ended, and leaves its id taken.
func awaitExit(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// killGroup kills the processes of the group that the process leads. That there
// are none any more is no error.
func killGroup(p *os.Process) { _ = unix.Kill(-p.Pid, unix.SIGKILL) }
