package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"gomokud/internal/hub"
	"gomokud/internal/store/boltstore"
	"gomokud/internal/store/redisstore"
)

// embedded is the name of the store in a file.
const embedded = "embedded"

// storage says where games are kept: what the flags of 'serve' and of 'worker'
// have in common.
type storage struct {
	store string        // 'embedded' or a URL
	data  string        // folder of the embedded store
	keep  time.Duration // of finished games; 0 is the store's default
}

// shared says whether other processes can use the store at the same time.
func (s storage) shared() bool { return s.store != embedded }

// check says in one line what is wrong with the flag.
func (s storage) check() error {
	if !s.shared() {
		return nil
	}
	if _, err := redisstore.Describe(s.store); err != nil {
		// Not what the flag says: it may hold a password.
		return fmt.Errorf("--store: neither 'embedded' nor an address: %w", err)
	}
	return nil
}

// String names the store without its password.
func (s storage) String() string {
	if s.shared() {
		name, err := redisstore.Describe(s.store)
		if err != nil {
			return "?"
		}
		return name
	}
	return filepath.Clean(s.data)
}

// open opens the store.
func (s storage) open(ctx context.Context, log *slog.Logger) (hub.Store, error) {
	if !s.shared() {
		st, err := boltstore.Open(s.data, boltstore.Options{Keep: s.keep, Logger: log})
		if err != nil {
			return nil, fmt.Errorf("open the embedded store: %w", err)
		}
		return st, nil
	}
	redisstore.SetLogger(log)
	st, err := redisstore.Open(ctx, s.store, redisstore.Options{Keep: s.keep, Logger: log})
	if err != nil {
		return nil, fmt.Errorf("open the Redis store: %w", err)
	}
	return st, nil
}
