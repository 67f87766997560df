// Package store is the vocabulary that the hub and its stores share: what is
// committed to a room's log, what comes back from it, and which errors mean
// what. The interface itself belongs to its consumer (hub.Store); the
// implementations are boltstore (one machine, one folder) and redisstore (many
// nodes), and storetest asks both the same questions.
//
// A store knows nothing about games. Events are opaque bytes, players and
// rooms are strings, times are Unix milliseconds.
package store

import "errors"

// Errors of a store; match them with errors.Is.
var (
	// ErrConflict: the log does not hold Commit.Expected events. Nothing was
	// written; read the tail, decide again.
	ErrConflict = errors.New("store: the room's log has moved on")
	// ErrNotFound: there is no such room (never was, or its time was up).
	ErrNotFound = errors.New("store: no such room")
	// ErrUnavailable: the store could not be asked, or did not say whether it
	// wrote. The caller must read before it concludes anything.
	ErrUnavailable = errors.New("store: unavailable")
)

// Commit is one atomic step of one room: all of it is stored, durably, or
// nothing is.
type Commit struct {
	Room     string
	Expected int      // events the log holds now; 0 creates the room
	Events   [][]byte // appended in order; none only to say when to wake a room
	Wake     int64    // when a sweep must look at the room; 0 is never, or KeepWake
	Index    *Index   // nil leaves what was said before
}

// KeepWake, as the Wake of a commit to a room that is there, leaves what was
// said before.
const KeepWake = -1

// Index says in which lists a room stands from a commit on.
type Index struct {
	Players []string // has the room among their games in progress
	Live    bool     // is in the list of games to watch
	Done    bool     // nothing goes on in it: the log may expire
}

// Tail is the end of a room's log.
type Tail struct {
	Epoch   string   // names this log; another epoch is another history
	Version int      // events in the whole log
	Events  [][]byte // those asked for, oldest first; the caller owns them
}

// Announcement hints that a room's log has grown. Hints may be lost, late or
// doubled; the log may not.
type Announcement struct {
	Room    string
	Version int      // of the log after these events; 0 says only 'look'
	Events  [][]byte // the last ones, to save a read; shared, read-only
}

// Ticket is a player who waits to be paired. A player has one at a time: of
// searches on several nodes the one that began last.
type Ticket struct {
	Player string
	Begun  int64  // when the player's search began
	Queue  string // players of one queue want the same game
	Room   string // the room to be created should this ticket complete a pair
	Data   []byte // handed to whoever completes the pair
	Since  int64  // when the waiting began; the store sets it
}

// MostSearches is how many searches the list of those under way holds: of the
// players who wait, those whose searches began last.
const MostSearches = 256

// Pairing is what became of a ticket; the zero Pairing, that its player has
// withdrawn it.
type Pairing struct {
	Since    int64   // still waiting since then, when Room is empty
	Room     string  // paired: the room's name
	Opponent *Ticket // set for the one caller who must create the room
}

// Attendance is who is in a room, as one node sees it or all nodes together.
type Attendance struct {
	Black, White bool // that seat has a live connection
	Spectators   int
}

// Outage is a span in which nobody could have served a move.
type Outage struct {
	From, To int64
}
