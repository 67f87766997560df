package redisstore

// LogKey returns the key of a room's log.
func LogKey(room string) string { return partitionOf(room).log(room) }

// Deaf says whether the subscription is known to be lost.
func (s *Store) Deaf() bool { return s.ear.deaf.Load() }
