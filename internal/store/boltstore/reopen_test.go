package boltstore_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"gomokud/internal/store"
	"gomokud/internal/store/boltstore"
	"gomokud/internal/store/storetest"
)

func TestReopenKeepsEverything(t *testing.T) {
	for _, journal := range []int{1, 5_000, 0} {
		t.Run(fmt.Sprintf("journal %d", journal), func(t *testing.T) {
			dir, opts := t.TempDir(), boltstore.Options{JournalBytes: journal}
			s := open(t, dir, opts)
			history(t, s)
			before := look(t, s)
			for range 2 { // the second time from what the first one left
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				s = open(t, dir, opts)
				if after := look(t, s); !reflect.DeepEqual(after, before) {
					t.Fatalf("the store held\n%+v\nand after reopening\n%+v", before, after)
				}
			}
			for r := range 40 {
				storetest.CheckLog(t, s, roomName(r), 10)
			}
		})
	}
}

// A journal that ends before what the database has, as from an older copy, lacks
// nothing; what is appended to it then is found again.
func TestAnOlderJournalGoesOn(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, boltstore.Options{JournalBytes: 100 << 10})
	history(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		if err := os.Truncate(filepath.Join(dir, fmt.Sprint("journal-", n)), 4096); err != nil {
			t.Fatal(err)
		}
	}
	change(t, s.Path(), func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte("meta")).Put([]byte("saved"), binary.BigEndian.AppendUint64(nil, 1000))
	})
	for n := range 3 {
		s := open(t, dir, boltstore.Options{})
		if n > 0 {
			storetest.CheckLog(t, s, "new", n)
		}
		if err := s.Append(t.Context(), store.Commit{Room: "new", Expected: n, Events: storetest.Events("new", n, n+1)}); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// In format 1 the journal was in the database.
func TestOpenTakesOverFormat1(t *testing.T) {
	dir, before := format1(t)
	for range 2 { // the second time from what the first one left
		s := open(t, dir, boltstore.Options{})
		if after := look(t, s); !reflect.DeepEqual(after, before) {
			t.Fatalf("the store held\n%+v\nand after the upgrade\n%+v", before, after)
		}
		for r := range 40 {
			storetest.CheckLog(t, s, roomName(r), 10)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// format1 makes a store of that format, in which something was moved to where it
// stays, and something was not.
func format1(t *testing.T) (dir string, held view) {
	t.Helper()
	dir = t.TempDir()
	s := open(t, dir, boltstore.Options{JournalBytes: 100 << 10})
	history(t, s)
	held = look(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	saved, entries, err := boltstore.Entries(dir)
	if err != nil || saved == 0 || len(entries) == 0 {
		t.Fatalf("the journal has %d entries after %d, %v; both parts are wanted", len(entries), saved, err)
	}
	change(t, s.Path(), func(tx *bbolt.Tx) error {
		journal, err := tx.CreateBucket([]byte("journal"))
		if err != nil {
			return err
		}
		key := func(n int) []byte { return binary.BigEndian.AppendUint64(nil, saved+uint64(n)) }
		for i, batch := range entries {
			err = errors.Join(err, journal.Put(key(i+1), batch))
		}
		meta := tx.Bucket([]byte("meta"))
		return errors.Join(err, journal.SetSequence(saved+uint64(len(entries))),
			meta.Put([]byte("format"), []byte{0, 0, 0, 1}), meta.Delete([]byte("saved")))
	})
	for n := range 2 {
		if err := os.Remove(filepath.Join(dir, fmt.Sprint("journal-", n))); err != nil {
			t.Fatal(err)
		}
	}
	return dir, held
}

func TestHistoriesWithReopening(t *testing.T) {
	for _, opts := range []boltstore.Options{{}, {JournalBytes: 1}, {JournalBytes: 4000, SweepEvery: time.Millisecond}} {
		t.Run(fmt.Sprintf("journal %d", opts.JournalBytes), func(t *testing.T) {
			storetest.Histories(t,
				func(t *testing.T) storetest.Store { return open(t, t.TempDir(), opts) },
				func(t *testing.T, s storetest.Store) storetest.Store {
					if err := s.Close(); err != nil {
						t.Fatal(err)
					}
					return open(t, filepath.Dir(s.(*boltstore.Store).Path()), opts)
				})
		})
	}
}

func roomName(r int) string { return fmt.Sprintf("room-%02d", r) }

// history plays 40 rooms of 10 events, side by side; every fourth is finished.
func history(t *testing.T, s *boltstore.Store) {
	t.Helper()
	for v := range 10 {
		for r := range 40 {
			c := store.Commit{
				Room: roomName(r), Expected: v, Events: storetest.Events(roomName(r), v, v+1), Wake: int64(1000 - 10*r + v),
			}
			switch {
			case v == 0:
				c.Index = &store.Index{Live: r%2 == 0, Players: []string{"ann", fmt.Sprint("player-", r)}}
			case v == 9 && r%4 == 0:
				c.Index = &store.Index{Done: true}
				c.Wake = 0
			}
			if err := s.Append(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, now := range []int64{1_000_000, 2_000_000} {
		if _, err := s.Beat(t.Context(), now, time.Second); err != nil {
			t.Fatal(err)
		}
	}
}

type view struct {
	Live, Ann []string
	Due       map[string]bool
	Epochs    []string
	Outages   []store.Outage
	Secret    string
}

// look asks for everything but the logs. Of wakes only those of the future
// are asked for: Due changes what it returns.
func look(t *testing.T, s *boltstore.Store) view {
	t.Helper()
	v := view{Due: make(map[string]bool)}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	v.Live, err = s.Live(t.Context(), 1000)
	check(err)
	ann, err := s.RoomsOf(t.Context(), "ann")
	check(err)
	v.Ann = slices.Sorted(slices.Values(ann))
	due, err := s.Due(t.Context(), 700, 700, 1000)
	check(err)
	for _, room := range due {
		v.Due[room] = true
	}
	v.Outages, err = s.Beat(t.Context(), 2_000_000, time.Second)
	check(err)
	secret, err := s.Secret(t.Context())
	check(err)
	v.Secret = string(secret)
	for r := range 40 {
		tail, err := s.Read(t.Context(), roomName(r), 3)
		check(err)
		v.Epochs = append(v.Epochs, fmt.Sprint(tail.Epoch, " ", len(tail.Events)))
	}
	return v
}

func TestFinishedRoomsLeaveMemoryAndThenTheFile(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, boltstore.Options{SweepEvery: time.Millisecond})
	history(t, s)
	wait(t, "the finished rooms to leave memory", func() bool { return s.Resident() == 30 })
	for r := range 40 {
		storetest.CheckLog(t, s, roomName(r), 10)
	}
	err := s.Append(t.Context(), store.Commit{ // one of them goes on
		Room: roomName(0), Expected: 10, Events: storetest.Events(roomName(0), 10, 11), Index: &store.Index{},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = open(t, dir, boltstore.Options{SweepEvery: time.Millisecond, Keep: time.Nanosecond})
	wait(t, "the finished rooms to be deleted", func() bool {
		gone := 0
		for r := range 40 {
			if _, err := s.Read(t.Context(), roomName(r), 0); err != nil {
				gone++
			}
		}
		return gone == 9
	})
	storetest.CheckLog(t, s, roomName(0), 11)
	storetest.CheckLog(t, s, roomName(1), 10)
	err = s.Append(t.Context(), store.Commit{Room: roomName(4), Events: storetest.Events(roomName(4), 0, 1)})
	if err != nil {
		t.Errorf("a name cannot be used again: %v", err)
	}
	storetest.CheckLog(t, s, roomName(4), 1)
}

func TestOpen(t *testing.T) {
	t.Run("makes a folder for its owner only", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "a", "b")
		open(t, dir, boltstore.Options{})
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("got %v, %v", info.Mode(), err)
		}
	})
	t.Run("refuses a file that is in use", func(t *testing.T) {
		dir := t.TempDir()
		open(t, dir, boltstore.Options{})
		_, err := boltstore.Open(dir, boltstore.Options{LockTimeout: time.Millisecond})
		wantError(t, err, "another process")
	})
	t.Run("refuses a format it does not know", func(t *testing.T) {
		dir := t.TempDir()
		path := makeFile(t, dir)
		change(t, path, func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucket([]byte("journal")) // as format 1 has
			return errors.Join(err, tx.Bucket([]byte("meta")).Put([]byte("format"), []byte{0, 0, 0, 99}))
		})
		_, err := boltstore.Open(dir, boltstore.Options{})
		wantError(t, err, "format version 99")
	})
	t.Run("refuses a database of something else", func(t *testing.T) {
		dir := t.TempDir()
		path := makeFile(t, dir)
		change(t, path, func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte("meta")) })
		_, err := boltstore.Open(dir, boltstore.Options{})
		wantError(t, err, "not a gomokud file")
	})
	t.Run("refuses a file of nonsense", func(t *testing.T) {
		dir := t.TempDir()
		path := makeFile(t, dir)
		if err := os.WriteFile(path, []byte(strings.Repeat("nonsense", 10_000)), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := boltstore.Open(dir, boltstore.Options{})
		wantError(t, err, path)
	})
	t.Run("refuses a database without its journal", func(t *testing.T) {
		for n := range 2 {
			dir := t.TempDir()
			makeFile(t, dir)
			if err := os.Remove(filepath.Join(dir, fmt.Sprint("journal-", n))); err != nil {
				t.Fatal(err)
			}
			_, err := boltstore.Open(dir, boltstore.Options{})
			wantError(t, err, fmt.Sprint("journal-", n))
		}
	})
	t.Run("refuses a later journal beside a database of format 1", func(t *testing.T) {
		dir, _ := format1(t)
		other := t.TempDir()
		s := open(t, other, boltstore.Options{})
		history(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(other, "journal-0"), filepath.Join(dir, "journal-0")); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_, err := boltstore.Open(dir, boltstore.Options{})
			wantError(t, err, "another database")
		}
	})
	t.Run("refuses a journal that lacks something", func(t *testing.T) {
		dir := t.TempDir()
		s := open(t, dir, boltstore.Options{})
		history(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		journal, err := os.OpenFile(filepath.Join(dir, "journal-0"), os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer journal.Close()
		const page = 4096 // each entry begins on one
		if _, err := journal.WriteAt(make([]byte, page), 3*page); err != nil {
			t.Fatal(err)
		}
		_, err = boltstore.Open(dir, boltstore.Options{})
		wantError(t, err, "corrupt")
	})
}

// makeFile makes an empty store and returns its file's path.
func makeFile(t *testing.T, dir string) string {
	t.Helper()
	s, err := boltstore.Open(dir, boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return s.Path()
}

func change(t *testing.T, path string, fn func(*bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Update(fn); err != nil {
		t.Fatal(err)
	}
}

func wantError(t *testing.T, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("got error %v, want one that says %q", err, part)
	}
}

// wait polls until the condition holds.
func wait(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(storetest.Patience); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v for %s", storetest.Patience, what)
		}
	}
}
