package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestTheSecondSignalEndsItAtOnce: the first one asks it to stop, and it does so
// in order; who sends another does not want to wait.
func TestTheSecondSignalEndsItAtOnce(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		const tries = 5 // on a busy machine what keeps it may come too late
		for try := 1; ; try++ {
			how := signalled(t, sig)
			if how.Signaled() && how.Signal() == sig {
				break
			}
			if try == tries {
				t.Errorf("two of %v: it ended as if there had been one (exit code %d)", sig, how.ExitStatus())
				break
			}
		}
	}
}

// signalled is how a server ends that gets a signal, and the same again while it
// stops, which takes a moment as it waits for the rest of a request.
func signalled(t *testing.T, sig syscall.Signal) syscall.WaitStatus {
	t.Helper()
	cmd, _, _, _ := program(t, "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir())
	cmd.Stderr = nil
	says, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for log := bufio.NewScanner(says); log.Scan(); {
		line := log.Text()
		if _, address, serving := strings.Cut(line, "msg=serving url=http://"); serving {
			address, _, _ = strings.Cut(address, " ")
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Length: 1\r\n\r\n", address)
			cmd.Process.Signal(sig)
		}
		if strings.Contains(line, "msg=stopping") {
			cmd.Process.Signal(sig)
		}
	}
	err = cmd.Wait()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return cmd.ProcessState.Sys().(syscall.WaitStatus)
}
