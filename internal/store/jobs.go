package store

import "errors"

// Errors about hints.
var (
	// ErrNoWorker: no worker is free for a hint, or one that lives does not know
	// the bot. Nothing was written.
	ErrNoWorker = errors.New("store: no worker is free")
	// ErrLate: the deadline of a hint has passed.
	ErrLate = errors.New("store: too late for the bot's turn")
)

// Hint says that a bot is to move in a room. It is no more than that: what is
// true is in the room's log.
type Hint struct {
	Room     string
	Version  int    // of the position
	Bot      string // who is to move
	Deadline int64  // Unix ms by the store's clock; whoever asked then thinks itself
}

// Claim is a hint that a worker has taken.
type Claim struct {
	ID string // of the entry in the queue
	Hint
}

// Worker is a process that takes hints.
type Worker struct {
	Name    string
	Threads int      // hints that it takes at a time; 0 when it takes no more
	Bots    []string // whom it can move for
}

// Crew is the workers that live and what they have to do.
type Crew struct {
	Workers []Worker
	Waiting int // hints that nobody has taken
	Taken   int // hints whose turns are under way
}
