package tengen

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// kernel_amd64.s is written for these; else this is no array of one.
var _ = [1]struct{}{}[width-32|hidden-32|topWidth-767|poolShift-4|headScale-512|
	unsafe.Offsetof(head{}.bias)-4096|unsafe.Offsetof(head{}.base)-4480]

// apply takes in changes, at most changesMost.
func (n *network) apply(to *sum, list []rowChange) {
	switch {
	case len(list) == 0:
	case cpu.X86.HasAVX2:
		addRowsAVX2(to, &n.rows[0], &list[0], len(list))
	default:
		n.applyPlain(to, list)
	}
}

// out returns what the head makes of the sums of the side to move and of the other.
func (h *head) out(mine, yours *[width]int32) int32 {
	if cpu.X86.HasAVX2 {
		return headOutAVX2(mine, yours, h)
	}
	return h.outPlain(mine, yours)
}

//go:noescape
func addRowsAVX2(to *sum, rows *row, list *rowChange, n int)

//go:noescape
func headOutAVX2(mine, yours *[width]int32, h *head) int32

// prefetch has the processor fetch what will be asked for soon while it does
// something else.
//
//go:noescape
func prefetch(at unsafe.Pointer)
