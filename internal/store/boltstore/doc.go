// Package boltstore keeps everything in one file of the embedded key-value
// store bbolt. It is the default: one process, no server, and what was
// acknowledged survives kill -9 and a power cut.
//
// # How a commit becomes durable
//
// One goroutine, the committer, owns all writing of rooms. It takes the commits
// that have queued up, checks each against the version its room has, and puts
// those that fit into the file as one entry of the journal bucket: one key, one
// transaction, one sync for all of them. A key per event would dirty a page per
// room and cost ten times as much. Memory follows only after the file has it,
// so a failed transaction leaves nothing to undo.
//
// The journal is kept short. Once it has grown past Options.JournalBytes, each
// transaction also moves a few rooms' events from its old end into chunks of
// the logs bucket, and deletes entries of which nothing is needed any more.
//
// # What is in memory
//
// The events that only the journal has, and a few words about each room that
// still stands in a list or may be woken. Both are read back when the file is
// opened. A finished room is only in the file, until Options.Keep is over.
//
// Presence, followers and the waiting room live in memory alone, as does the
// putting off of wakes by Due: with the process, their meaning ends.
package boltstore
