package ai

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestOwnersTakeTurns(t *testing.T) {
	var q queue
	for i := range 20 {
		q.push(&task{job: Job{Room: fmt.Sprint("greedy ", i), Owner: "greedy"}}, nil)
	}
	q.push(&task{job: Job{Room: "ann", Owner: "ann"}}, nil)
	q.push(&task{job: Job{Room: "nobody's"}}, nil)
	var order []string
	for range 6 {
		order = append(order, q.pop().job.Room)
	}
	want := []string{"greedy 0", "ann", "nobody's", "greedy 1", "greedy 2", "greedy 3"}
	if !slices.Equal(order, want) {
		t.Errorf("served in the order %q, want %q", order, want)
	}
}

// TestTheQueueIsFair: whatever comes and goes, nobody is served twice while
// another waits who was there before the first of the two.
func TestTheQueueIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		var waiting []*task // the model: all that wait, in the order of coming
		since := map[string]int{}
		served := map[string]int{}
		n := 0
		for step := range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				n++
				owner := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "owner")
				if !slices.ContainsFunc(waiting, func(o *task) bool { return o.job.Owner == owner }) {
					since[owner] = step
				}
				task := &task{job: Job{Room: fmt.Sprint(n), Owner: owner}}
				q.push(task, nil)
				waiting = append(waiting, task)
			case 2:
				if len(waiting) == 0 {
					continue
				}
				i := rapid.IntRange(0, len(waiting)-1).Draw(t, "which")
				if !q.remove(waiting[i]) || q.contains(waiting[i]) {
					t.Fatal("a job that waits cannot be removed")
				}
				waiting = slices.Delete(waiting, i, i+1)
			case 3:
				got := q.pop()
				if got == nil {
					if len(waiting) > 0 {
						t.Fatalf("%d wait and none is served", len(waiting))
					}
					continue
				}
				who := got.job.Owner
				i := slices.IndexFunc(waiting, func(o *task) bool { return o.job.Owner == who })
				if waiting[i] != got {
					t.Fatal("not the owner's oldest")
				}
				for _, o := range waiting {
					if other := o.job.Owner; other != who && since[other] < served[who] && served[other] < served[who] && served[who] > since[who] {
						t.Fatalf("%s is served again before %s, who waited", who, other)
					}
				}
				served[who] = step
				waiting = slices.Delete(waiting, i, i+1)
			}
			if q.n != len(waiting) {
				t.Fatalf("%d wait, the queue says %d", len(waiting), q.n)
			}
		}
	})
}
