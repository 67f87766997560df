// Package jobs hands bots' turns to workers: processes that only think, so that
// nodes need not.
//
// What travels is a hint that a bot is to move in a room. The worker reads the
// room's log, and plays as any node does, so that an answer that is late,
// doubled or nobody's has no effect. A node that handed a turn out watches
// over it: if the position has not changed when the turn's time is over, the
// node thinks itself; what it loses by a dead worker is time, never the move.
//
// A turn is handed out if a worker has a thread free for it. Otherwise, and
// while there are no workers or the queue cannot be reached, the node thinks in
// its own pool: there owners take turns, so nobody's many games keep another's
// bot from moving.
package jobs
