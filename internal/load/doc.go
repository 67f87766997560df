// Package load plays many games at once through real sockets and reports what
// they cost the server, beside floors that are measured in the same run: a bare
// relay that passes every message of a room to everybody in it, knows no rules
// and keeps nothing; and, where the store is in Redis, a durable one, which
// appends the event in it to the room's log there first.
//
// A scenario says how many do what. Run starts each service as a child process
// of the same program, so that its processor time and memory are its own, and
// does the same to each in turn, with an empty store. A service says how it is
// started and how its rooms are entered; what is measured knows nothing of that.
// Figures of different runs, or of different machines, are not to be compared:
// the ratio within one run is, and so are aims bounds of ratios.
package load
