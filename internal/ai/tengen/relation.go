package tengen

// People and engines answer where something just happened. A move's relation to
// an earlier one is how far it lies from it, and whether on one of its lines.

// recent is how many of the last moves count: the opponent's, the own before it,
// and so on.
const recent = 4

// relations is the number of relations: 0 far away; from 1 on a row or column at
// a distance of 1 to 5; from 6 on a diagonal; from 11 elsewhere, at 2 to 4.
const relations = 14

// relationOf has the relation of two squares by their difference.
type relationOf [2 * squares]uint8

func newRelationOf() *relationOf {
	t := &relationOf{}
	for dy := -5; dy <= 5; dy++ {
		for dx := -5; dx <= 5; dx++ {
			far := max(abs(dx), abs(dy))
			r := 0
			switch {
			case far == 0:
			case dx == 0 || dy == 0:
				r = far
			case abs(dx) == abs(dy):
				r = 5 + far
			case far <= 4:
				r = 9 + far
			}
			t[squares+dy*stride+dx] = uint8(r)
		}
	}
	return t
}

// of returns the relation of s to an earlier move, which may be nowhere.
func (t *relationOf) of(s, earlier square) uint8 {
	if earlier == nowhere {
		return 0
	}
	return t[squares+int(s)-int(earlier)]
}
