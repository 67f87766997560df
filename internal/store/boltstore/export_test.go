package boltstore

import "errors"

// Resident returns how many rooms memory knows.
func (s *Store) Resident() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.rooms)
}

// Path returns the file's path.
func (s *Store) Path() string { return s.path }

// Entries returns what the journal in a folder has, and how many entries the
// database needs no more. The store must be closed.
func Entries(dir string) (saved uint64, batches [][]byte, err error) {
	s, err := Open(dir, Options{})
	if err != nil {
		return 0, nil, err
	}
	saved = s.committer.saved
	if err := s.Close(); err != nil {
		return 0, nil, err
	}
	j, err := openJournal(dir, 0, false)
	if err != nil {
		return 0, nil, err
	}
	err = j.replay(saved, func(_ uint64, batch []byte) error {
		batches = append(batches, batch)
		return nil
	})
	return saved, batches, errors.Join(err, j.close())
}
