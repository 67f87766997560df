package tengen

// The loops of the network in plain Go; kernel_amd64.s has them for processors
// with vectors of 256 bits, with the same results.

func (n *network) applyPlain(to *sum, list []rowChange) {
	for i := range list {
		at := &list[i]
		a, b, c, was, is := &n.rows[at[0]], &n.rows[at[1]], &n.rows[at[2]], &n.rows[at[3]], &n.rows[at[4]]
		for side := range to {
			for j := range to[side] {
				others := a[side][j] + b[side][j] + c[side][j]
				to[side][j] += int32(min(max(others+is[side][j], 0), topWidth)) - int32(min(max(others+was[side][j], 0), topWidth))
			}
		}
	}
}

func (h *head) outPlain(mine, yours *[width]int32) int32 {
	neurons, out := h.bias, h.base
	for i := range 2 * width {
		in := mine
		if i >= width {
			in = yours
		}
		x := max(min(in[i%width]>>poolShift, 1<<15-1), -1<<15)
		out += x * int32(h.past[i])
		for j := range neurons {
			neurons[j] += x * int32(h.first[i/2][j][i%2])
		}
	}
	for j, n := range neurons {
		out += max(n, 0) / headScale * h.second[j]
	}
	return out
}
