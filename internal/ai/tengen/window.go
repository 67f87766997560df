package tengen

import "gomokud/internal/rules"

// windows numbers the windows that the network tells apart: four places to each
// side of a point, under every rule. Two are the same if one is the other seen
// from its other end, or if they differ only in what lies behind both a black and
// a white stone, where nothing matters to either. A window without stones is
// number 0.
type windows struct {
	number [1 << (4 * networkSight)]uint16 // by key, as those of lines under freestyle
	other  []uint16                        // the number with the colours exchanged, by number
	near   []uint32                        // what is seen from a place closer
	pair   []uint8                         // its patterns under freestyle
}

// networkSight is how far the network tells stones apart.
const networkSight = 4

func newWindows() *windows {
	w := &windows{near: make([]uint32, 1), pair: make([]uint8, 1)}
	l := newLines(rules.Freestyle)
	numbers := map[uint32]uint16{}
	exchanged := make([]uint32, 1)
	for i := range w.number {
		key := strip(i)
		if l.torn(key) || (key^key>>1)&lowerBits == 0 {
			continue
		}
		ends := seen(key, networkSight)
		n, ok := numbers[ends]
		if !ok {
			n = uint16(len(w.near))
			numbers[ends] = n
			exchanged = append(exchanged, seen(key.swapped(), networkSight))
			w.near = append(w.near, seen(key, networkSight-1))
			w.pair = append(w.pair, l.pairs[key])
		}
		w.number[key] = n
	}
	for _, ends := range exchanged {
		w.other = append(w.other, numbers[ends])
	}
	return w
}

// of returns the number of the window around an empty place of a strip.
func (w *windows) of(s strip, place int) uint16 {
	const half = 2 * networkSight
	const before, after = 1<<half - 1, (1<<half - 1) << half
	around := s >> ((place - half) & 63)
	return w.number[around&before|around>>2&after]
}

// around writes down the windows of a square in all directions.
func (w *windows) around(p *position, s square, to *rowChange) {
	row, column := int(s/stride), int(s%stride)
	to[0] = w.of(p.strips[0][row], 2*column)
	to[1] = w.of(p.strips[1][column], 2*row)
	to[2] = w.of(p.strips[2][(stride+row-column)&(strips-1)], 2*column)
	to[3] = w.of(p.strips[3][(row+column)&(strips-1)], 2*row)
}

// sees is the places of a window, where they are empty.
func (w *windows) sees(s strip, place int) strip {
	const half, all = 2 * networkSight, 1<<(4*networkSight+2) - 1
	return s & (s >> 1) & lowerBits & (all << ((place - half) & 63))
}

// seen is what a window shows from so near, on both sides, whichever is first.
func seen(key strip, sight int) uint32 {
	var before, after [networkSight]strip
	for i := range networkSight {
		before[i] = key >> (2 * (networkSight - 1 - i)) & bothMay
		after[i] = key >> (2 * (networkSight + i)) & bothMay
	}
	a, b := end(before[:sight]), end(after[:sight])
	return min(a, b)<<16 | max(a, b)
}

// end is what is seen on one side, two bits a place from the nearest on, zero if
// it is empty, as far as the edge or until both colours have been seen.
func end(places []strip) uint32 {
	all, stones := uint32(0), strip(0)
	for i, place := range places {
		all |= uint32(place^bothMay) << (2 * i)
		if place != bothMay {
			stones |= place
		}
		if place == 0 || stones == bothMay {
			break
		}
	}
	return all
}
