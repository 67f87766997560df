//go:build unix

package hub

import (
	"net"
	"syscall"
)

// offer writes to a connection without waiting.
type offer struct {
	raw  syscall.RawConn // nil: this is no connection of the operating system's
	try  func(fd uintptr) bool
	data []byte
	n    int
	err  error
}

func (o *offer) init(conn net.Conn) {
	if c, ok := conn.(syscall.Conn); ok {
		o.raw, _ = c.SyscallConn()
	}
	o.try = o.once // made here, not with every write
}

// once makes one attempt and is content with what comes of it.
func (o *offer) once(fd uintptr) bool {
	for {
		o.n, o.err = syscall.Write(int(fd), o.data)
		if o.err != syscall.EINTR {
			break
		}
	}
	if o.err == syscall.EAGAIN {
		o.n, o.err = 0, nil
	}
	o.n = max(o.n, 0)
	return true
}

// Offer implements line.
func (o *offer) Offer(data []byte) (int, error) {
	if o.raw == nil {
		return 0, nil
	}
	o.data = data
	err := o.raw.Write(o.try)
	o.data = nil
	if err != nil {
		return 0, err
	}
	return o.n, o.err
}
