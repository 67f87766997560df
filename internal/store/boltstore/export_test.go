package boltstore

// Resident returns how many rooms memory knows.
func (s *Store) Resident() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.rooms)
}

// Path returns the file's path.
func (s *Store) Path() string { return s.path }
