package store

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
)

// MaxName bounds a room's name, in bytes.
const MaxName = 255

// Check finds what no store accepts, which is a mistake of the caller. Its
// error is none of the sentinels.
func (c Commit) Check() error {
	switch {
	case c.Room == "" || len(c.Room) > MaxName:
		return fmt.Errorf("store: a room's name has 1 to %d bytes, not %d", MaxName, len(c.Room))
	case c.Expected < 0:
		return fmt.Errorf("store: a commit to version %d", c.Expected)
	case len(c.Events) == 0 && (c.Expected == 0 || c.Index != nil || c.Wake == KeepWake):
		return errors.New("store: a commit without events")
	case c.Wake < 0 && (c.Wake != KeepWake || c.Expected == 0):
		return fmt.Errorf("store: a wake at %d", c.Wake)
	}
	return nil
}

// NewEpoch returns a name for a new log, unlike any other.
func NewEpoch() string {
	b := make([]byte, 8)
	rand.Read(b)
	return hex.EncodeToString(b)
}
