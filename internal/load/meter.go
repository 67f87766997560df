package load

import (
	"errors"
	"sync/atomic"
	"time"
)

// errStopped ends a game because the measurement is over.
var errStopped = errors.New("stopped")

// meter counts what happens while it is open. All players of a measurement
// share it.
type meter struct {
	base time.Time
	stop <-chan struct{} // ends the waiting for a move's time
	open atomic.Bool
	all  atomic.Int64 // moves, also before it was opened

	moves      atomic.Int64
	deliveries atomic.Int64 // of moves, to players and spectators
	there      histogram    // from a sender's send to the opponent's receipt
	back       histogram    // from a sender's send to its own acknowledgement
}

func newMeter(stop <-chan struct{}) *meter { return &meter{base: time.Now(), stop: stop} }

func (m *meter) now() time.Duration { return time.Since(m.base) }

// arrived notes that a move has reached the opponent.
func (m *meter) arrived(sent int64) {
	m.all.Add(1)
	if m.open.Load() {
		m.moves.Add(1)
		m.deliveries.Add(1)
		m.there.record(m.now() - time.Duration(sent))
	}
}

// acknowledged notes that a move has come back to its sender.
func (m *meter) acknowledged(sent int64) {
	if m.open.Load() {
		m.deliveries.Add(1)
		m.back.record(m.now() - time.Duration(sent))
	}
}

// delivered notes that a move has reached a spectator.
func (m *meter) delivered() {
	if m.open.Load() {
		m.deliveries.Add(1)
	}
}

// until waits for a moment of the meter's clock, or reports false because the
// measurement has ended.
func (m *meter) until(moment time.Duration) bool {
	wait := moment - m.now()
	if wait <= 0 {
		return true
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-m.stop:
		return false
	}
}
