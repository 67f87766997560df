package redisstore

// LogKey returns the key of a room's log.
func LogKey(room string) string { return partitionOf(room).log(room) }

// MineKey returns the key of the player's rooms in the partition of the room.
func MineKey(room, player string) string { return partitionOf(room).mine(player) }

// Deaf says whether a subscription is known to be lost.
func (s *Store) Deaf() bool { return s.hearing.deaf.Load() > 0 }

// Dirty is of how many rooms the subscriptions have still to be changed.
func (s *Store) Dirty() (n int) {
	for _, e := range s.hearing.ears {
		e.mu.Lock()
		n += len(e.dirty)
		e.mu.Unlock()
	}
	return n
}
