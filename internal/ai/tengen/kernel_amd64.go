package tengen

import "golang.org/x/sys/cpu"

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
