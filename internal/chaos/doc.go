// Package chaos holds the fault suite: tests that play games through real
// sockets against real processes - three nodes, two workers and Redis - while
// nodes, workers, connections and Redis are killed, frozen, cut, delayed and
// starved, and that hold every answer against the log at the end.
//
// What it proves of a run, for every room:
//
//   - What was acknowledged is in the log: once, at the version that was
//     told, with the content that was asked for. What was refused is not.
//   - The answers are linearizable: porcupine finds an order of all commands
//     that agrees with the log and with when each was sent and answered.
//   - What a client was told is a part of the log, never from its future, and
//     no client is ever sent back to an earlier version.
//   - Every client ends at the log, and every game is over or goes on.
//   - Every event's time is true within a stated bound, each clock pays for
//     its own turns and for nothing else, and no flag falls early.
//   - No bot is silent for longer than its deadline and a stated grace while
//     the service is undisturbed.
//
// A run follows from its seed, as far as the scheduling of processes allows:
// the games, the players' doings and the faults do. The short form is part of
// the tests; GOMOKUD_CHAOS=long, as 'make chaos' sets it, plays the long one,
// and GOMOKUD_CHAOS_SEED plays a seed again.
package chaos
