package external

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

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

// hold marks a folder as in use, until the file is closed or we end.
func hold(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// young is a folder that may not be held yet.
const young = 10 * time.Second

// Tidy removes the folders of processes whose gomokud was killed before it could.
func Tidy() error {
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return fmt.Errorf("external: look for old folders: %w", err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), folders) {
			continue
		}
		dir := filepath.Join(os.TempDir(), e.Name())
		info, statErr := e.Info()
		if statErr != nil || time.Since(info.ModTime()) < young {
			continue
		}
		if held, holdErr := hold(dir); holdErr == nil { // nobody else does, and we may look into it
			err = errors.Join(err, os.RemoveAll(dir))
			held.Close()
		}
	}
	return err
}
