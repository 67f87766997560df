package hub_test

import "testing"

// measured is how often a histogram of the node's was told something.
func (n *node) measured(name string) uint64 {
	n.t.Helper()
	families, err := n.counts.Gather()
	if err != nil {
		n.t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetHistogram().GetSampleCount()
		}
	}
	n.t.Fatalf("there is no %s", name)
	return 0
}

func TestAStoneIsMeasuredWhereItFellAndWhereItIsSeen(t *testing.T) {
	t.Parallel()
	a, b := twoNodes(t)
	ann, bob := a.connect("ann"), b.connect("bob")
	room := table(ann, bob, freestyle)
	atFirst := b.measured("gomokud_relay_seconds")
	play(ann, bob, room, 0, "h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8")
	for _, p := range []*player{ann, bob} { // after this, what came before has been counted
		p.must(message{"type": "join", "room": room})
	}
	if n := a.measured("gomokud_move_seconds"); n != 5 {
		t.Errorf("Ann's node measured %d stones of hers, want 5", n)
	}
	if n := b.measured("gomokud_move_seconds"); n != 4 {
		t.Errorf("Bob's node measured %d stones of his, want 4", n)
	}
	if n := b.measured("gomokud_relay_seconds") - atFirst; n < 5 {
		t.Errorf("Bob's node measured %d events of Ann's, want the 5 stones at least", n)
	}
}
