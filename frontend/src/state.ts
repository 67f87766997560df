// A room as a client knows it: the fold of its events, and what the server saw in
// that state.

import type { GameRecord } from './api';
import { opponentOf, type Color, type Game, type Offers, type Person, type Phase, type Result, type Seat, type StandIn, type View } from './protocol';

export interface Room {
  id: string;
  version: number; // events folded
  game: Game;
  phase: Phase;
  number: number; // of the game at this table; 0 before the first
  host: string;
  claimAfter: number;
  black: Seat | null;
  white: Seat | null;
  moves: string[]; // "h8" or "pass", Black's first
  standIns: StandIn[];
  started: number;
  offers: Offers;
  result: Result | null;
  spectators: number;
  view: View;
  viewAt: number; // the server's time of the view
  credited: { color: Color; ms: number; at: number } | null; // the last gift of time
}

/** How long the running turn has lasted at the server's time `now`. */
export function spentAt(room: Room, now: number): number {
  return (room.view.spent ?? 0) + now - room.viewAt;
}

/** The side of that player, who may only watch. */
export function seatOf(room: { black: Person | null; white: Person | null }, player: string): Color | null {
  if (player === '') return null;
  if (room.black?.id === player) return 'black';
  if (room.white?.id === player) return 'white';
  return null;
}

/** The game that is over at this table, or null. */
export function recordOf({ id, number, game, phase, black, white, moves, result, started }: Room): GameRecord | null {
  if (phase !== 'over' || !black || !white) return null;
  return { room: id, number, game, black, white, moves, result, started };
}

/** From when on the player of `color` may claim the win, or null while the opponent is there. */
export function claimableAt(room: Room, color: Color): number | null {
  const away = room[opponentOf(color)]?.away;
  if (room.phase !== 'playing' || !away) return null;
  const turnBegan = room.viewAt - (room.view.spent ?? 0); // they kept nobody waiting before
  return Math.max(away, turnBegan) + room.claimAfter;
}
