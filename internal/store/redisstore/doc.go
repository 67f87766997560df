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
// The servers are one, or a master with replicas that sentinels watch, or a
// Redis Cluster, as the URL says; see Open. Moves of many rooms travel together
// in one call (lane.go), other calls of scripts in go-redis' automatic pipeline, one
// for each master. No command that writes a room is ever repeated by the client: a
// repeated append, whose first try was stored after all, would conflict with
// itself. A broken connection is store.ErrUnavailable, after which the caller
// reads. Only where a server says that nothing has run, as it does not know the
// script or the slot is elsewhere or on its way, is the command sent again.
//
// A move is announced if anybody listens but the node that stores it, which
// tells its own followers itself.
//
// How durable a stored commit is, is the servers' configuration: see Store.check
// for what it should be. Replication does not wait: a failover may lose what was
// acknowledged just before it.
package redisstore
