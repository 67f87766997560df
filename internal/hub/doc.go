// Package hub is where people meet: it pairs players into rooms, carries their
// commands to the rooms' logs and tells everybody who watches what happened.
//
// A Hub is one node. It keeps nothing that it could not read again: a room in
// memory is a cache of its log, and any number of hubs may serve the same room
// over the same store. What is acknowledged is stored; what is announced is
// only a hint to look.
//
// Each connection has one goroutine, which decodes commands and runs them to
// their end, one after another. What a client is told goes into its bounded
// outbox and is written by whoever put it there, as far as the socket takes it;
// the rest is left to a goroutine that ends with it. A room belongs to whoever
// holds its token (see room.go).
package hub
