//go:build !amd64

package tengen

import "unsafe"

// apply takes in changes.
func (n *network) apply(to *sum, list []rowChange) { n.applyPlain(to, list) }

// out returns what the head makes of the sums of the side to move and of the other.
func (h *head) out(mine, yours *[width]int32) int32 { return h.outPlain(mine, yours) }

func prefetch(unsafe.Pointer) {}
