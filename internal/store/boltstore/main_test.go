package boltstore_test

import (
	"testing"

	"go.uber.org/goleak"

	"gomokud/internal/store/boltstore"
	"gomokud/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t testing.TB, dir string, opts boltstore.Options) *boltstore.Store {
	t.Helper()
	s, err := boltstore.Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store {
		return open(t, t.TempDir(), boltstore.Options{})
	})
}

// With a journal of nothing, every step moves events on to where they stay.
func TestContractWithoutJournal(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store {
		return open(t, t.TempDir(), boltstore.Options{JournalBytes: 1})
	})
}
