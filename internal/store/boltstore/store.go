package boltstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"gomokud/internal/store"
	"gomokud/internal/store/follow"
)

// fileName is the database within the data folder.
const fileName = "gomokud.db"

// Options of a store; the zero value is ready to use.
type Options struct {
	Keep         time.Duration // how long a finished room stays; 0 is 90 days
	SweepEvery   time.Duration // between looks for finished rooms; 0 is 5 minutes
	JournalBytes int           // about the journal's size, and its part in memory; 0 is 32 MiB
	LockTimeout  time.Duration // how long to wait for another process's lock; 0 is 1 s
	Logger       *slog.Logger  // for failures that no caller hears of; nil discards them
}

func (o Options) withDefaults() Options {
	if o.Keep == 0 {
		o.Keep = 90 * 24 * time.Hour
	}
	if o.SweepEvery == 0 {
		o.SweepEvery = 5 * time.Minute
	}
	if o.JournalBytes == 0 {
		o.JournalBytes = 32 << 20
	}
	if o.LockTimeout == 0 {
		o.LockTimeout = time.Second
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Store is a store in one folder; it implements hub.Store.
type Store struct {
	opts   Options
	path   string
	db     *bbolt.DB
	secret []byte

	mu     sync.RWMutex // guards rooms and agenda; the committer alone changes rooms
	rooms  map[string]*room
	agenda agenda

	followers follow.Registry
	waiting   waitingRoom
	presence  presence

	queue     chan *request
	closing   chan struct{} // closed by Close
	closeOnce sync.Once
	closeErr  error
	committer committer
	stopped   chan struct{} // closed when the committer has ended
}

// Open opens the store in the folder dir, which it creates if need be. It
// fails when another process has the store open, when the database is of an
// unknown format version, and when it and the journal do not fit together.
func Open(dir string, opts Options) (*Store, error) {
	opts = opts.withDefaults()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the data folder: %w", err)
	}
	path := filepath.Join(dir, fileName)
	db, err := openFile(path, opts.LockTimeout)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s := &Store{
		opts:    opts,
		path:    path,
		db:      db,
		queue:   make(chan *request, queueLen),
		closing: make(chan struct{}),
		stopped: make(chan struct{}),
	}
	if err := s.readFolder(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), s.closeFiles())
	}
	go s.run()
	return s, nil
}

// readFolder reads what is in the folder, or makes it.
func (s *Store) readFolder(dir string) error {
	format, err := formatOf(s.db)
	if err != nil {
		return err
	}
	if s.committer.journal, err = openJournal(dir, int64(s.opts.JournalBytes/2), format != formatVersion); err != nil {
		return err
	}
	if err := syncFolder(dir); err != nil {
		return err
	}
	if format == 0 {
		if err := create(s.db); err != nil {
			return err
		}
	}
	return s.load(format)
}

func (s *Store) closeFiles() error {
	var err error
	if s.committer.journal != nil {
		err = s.committer.journal.close()
	}
	return errors.Join(err, s.db.Close())
}

func openFile(path string, lockTimeout time.Duration) (*bbolt.DB, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout: lockTimeout,
		// The list of free pages may be long, as finished rooms go. It is
		// written by Close only; after a crash it is found by reading the file.
		NoFreelistSync: true,
		FreelistType:   bbolt.FreelistMapType,
		// Address space, not memory: a file that outgrows it makes writers wait
		// for readers while it is mapped anew.
		InitialMmapSize: 1 << 30,
	})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, errors.New("another process has it open")
	}
	return db, err
}

// syncFolder makes a new file's name durable.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Now implements hub.Store: this machine's clock.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	return time.Now(), s.usable(ctx)
}

// Secret implements hub.Store.
func (s *Store) Secret(ctx context.Context) ([]byte, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	return append([]byte(nil), s.secret...), nil
}

// Close waits for the commit that is under way and closes the files. Appends
// that have not begun get store.ErrUnavailable.
func (s *Store) Close() error {
	s.closeOnce.Do(func() {
		close(s.closing)
		<-s.stopped
		s.db.NoFreelistSync = false // see openFile
		s.closeErr = errors.Join(
			s.db.Update(func(*bbolt.Tx) error { return nil }),
			s.closeFiles(),
		)
	})
	return s.closeErr
}

var errClosed = fmt.Errorf("%w: closed", store.ErrUnavailable)

// usable says why a call need not begin.
func (s *Store) usable(ctx context.Context) error {
	select {
	case <-s.closing:
		return errClosed
	default:
		return ctx.Err()
	}
}

// unavailable marks err as one after which the caller knows nothing.
func unavailable(doing string, err error) error {
	return fmt.Errorf("%s: %w: %w", doing, store.ErrUnavailable, err)
}
