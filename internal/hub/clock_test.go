package hub

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// farStore is a store whose clock is ahead, at a distance.
type farStore struct {
	Store
	ahead, there, back time.Duration
}

func (s *farStore) Now(context.Context) (time.Time, error) {
	time.Sleep(s.there)
	now := time.Now().Add(s.ahead)
	time.Sleep(s.back)
	return now, nil
}

func TestTheClockIsThatOfTheStore(t *testing.T) {
	const ms = time.Millisecond
	near := &farStore{ahead: time.Hour, there: ms, back: ms}
	for _, c := range []struct {
		name    string
		answers []*farStore // one after the other
		wait    time.Duration
		most    time.Duration // by which it may be wrong at the end
	}{
		{"after a quick answer", []*farStore{near}, 0, ms},
		{"a day later", []*farStore{near}, 24 * time.Hour, ms},
		{"after a question that came late", []*farStore{near, {ahead: time.Hour, there: 4 * time.Second}}, 0, ms},
		{"after an answer that came late", []*farStore{near, {ahead: time.Hour, back: 4 * time.Second}}, 0, ms},
		{"when the first answer came late", []*farStore{{ahead: time.Hour, back: 4 * time.Second}}, 0, 2 * time.Second},
		{"when only the first answer came late", []*farStore{{ahead: time.Hour, back: 4 * time.Second}, near}, 0, ms},
		{"when clocks drift, though the store has become slow", []*farStore{near, {ahead: time.Hour + 300*ms, there: 400 * ms, back: 400 * ms}}, 20 * time.Minute, ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var clock clock
				for i, s := range c.answers {
					if i > 0 {
						time.Sleep(c.wait)
					}
					if err := clock.discipline(t.Context(), s); err != nil {
						t.Fatal(err)
					}
				}
				if len(c.answers) == 1 {
					time.Sleep(c.wait)
				}
				last := c.answers[len(c.answers)-1]
				if wrong := time.UnixMilli(int64(clock.now())).Sub(time.Now().Add(last.ahead)).Abs(); wrong > c.most {
					t.Errorf("wrong by %s", wrong)
				}
			})
		})
	}
}
