// Package boltstore keeps everything in one folder: a journal of what was
// committed lately, and the embedded key-value store bbolt. It is the default:
// one process, no server, and what was acknowledged survives kill -9 and a power
// cut.
//
// # How a commit becomes durable
//
// One goroutine, the committer, owns all writing of rooms. It takes the commits
// that have queued up, checks each against the version its room has, and writes
// those that fit as one entry of the journal: one write and one sync for all of
// them, where a transaction of bbolt takes several of each. Memory follows only
// after the disk has it, so a failed write leaves nothing to undo.
//
// The journal is two files that take turns. When one is full, what it holds moves
// to the database, a few rooms at a time, between commits to the other: a room's
// events into a chunk of the logs bucket, and what else is known of it.
//
// # What is in memory
//
// The events that only the journal has, and a few words about each room that
// still stands in a list or may be woken. Both are read back when the folder is
// opened. A finished room is only in the database, until Options.Keep is over.
//
// Presence, followers and the waiting room live in memory alone, as does the
// putting off of wakes by Due: with the process, their meaning ends.
package boltstore
