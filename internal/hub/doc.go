// Package hub is where people meet: it pairs players into rooms, carries their
// commands to the rooms' logs and tells everybody who watches what happened.
//
// A Hub is one node. It keeps nothing that it could not read again: a room in
// memory is a cache of its log, and any number of hubs may serve the same room
// over the same store. What is acknowledged is stored; what is announced is
// only a hint to look.
//
// Each connection has the two pumps of gorilla's chat example: readPump decodes
// commands and runs them to their end, one after another; writePump sends what
// is in the client's bounded outbox. A room belongs to whoever holds its token
// (see room.go).
package hub
