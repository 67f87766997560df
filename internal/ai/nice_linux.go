package ai

import (
	"os"
	"syscall"
)

// niceness is how much the threads of engines give way: far enough that a
// thread that wakes up preempts them, not so far that a busy machine starves
// them, for the collector of garbage must be able to stop them soon.
const niceness = 10

// lowerPriority makes the calling thread give way to all others. Linux keeps
// the priority by thread; threads that the runtime starts later do not inherit
// it, since it starts none from a locked one.
func lowerPriority() error {
	return syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness)
}

// onMainThread reports whether the calling thread is the process's first. Go
// cannot end that one, and its priority is shown as the process's.
func onMainThread() bool { return syscall.Gettid() == os.Getpid() }
