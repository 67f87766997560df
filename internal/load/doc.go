// Package load plays many games at once through real sockets and reports what
// they cost the server, beside a floor that was measured in the same run: a
// bare relay that passes every message of a room to everybody in it, knows no
// rules and keeps nothing.
//
// Run starts each service as a child process of the same program, so that its
// processor time and memory are its own, and plays the same games against each
// in turn. A service says how it is started and how its rooms are entered; what
// is measured knows nothing of that. Figures of different runs, or of different
// machines, are not to be compared: the ratio within one run is.
package load
