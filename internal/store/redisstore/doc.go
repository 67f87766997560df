// Package redisstore keeps everything in Redis 7 or later, for any number of
// nodes.
//
// What must be atomic is a Lua script (the .lua files) that runs on the
// server: a commit's comparison, its events, its lists and its announcement
// are one step, so an announced event is always a stored one. Scripts are
// called by digest, and sent in full when the server does not know them. They
// were preferred to a Redis Function because a script belongs to the program
// that calls it: two versions of gomokud can share a server during an upgrade,
// and nothing has to be installed on a server or on each node of a cluster.
//
// Appends of many rooms travel together in go-redis' automatic pipeline. No
// command is ever repeated by the client: a repeated append, whose first try
// was stored after all, would conflict with itself. A broken connection is
// store.ErrUnavailable, after which the caller reads.
//
// How durable a stored commit is, is the server's configuration: see
// Store.check for what it should be.
package redisstore
