// A room as a client knows it: the fold of its events, and what the server saw in
// that state.

import { opponentOf, type Clock, type Color, type Game, type Offers, type Phase, type Result, type Seat, type View } from './protocol';

export interface Room {
  id: string;
  game: Game;
  phase: Phase;
  number: number; // of the game at this table; 0 before the first
  host: string;
  claimAfter: number;
  black: Seat | null;
  white: Seat | null;
  moves: string[]; // "h8" or "pass", Black's first
  started: number;
  offers: Offers;
  result: Result | null;
  spectators: number;
  view: View;
  turn: Turn;
  credited: { color: Color; ms: number; at: number } | null; // the last gift of time
}

/** When the running turn began, and the clocks at that moment. */
export interface Turn {
  since: number;
  clocks: Record<Color, Clock> | null;
}

export function seatOf(room: Room, player: string): Color | null {
  if (player === '') return null;
  if (room.black?.id === player) return 'black';
  if (room.white?.id === player) return 'white';
  return null;
}

/** From when on the player of `color` may claim the win, or null while the opponent is there. */
export function claimableAt(room: Room, color: Color): number | null {
  const away = room[opponentOf(color)]?.away;
  return room.phase === 'playing' && away ? away + room.claimAfter : null;
}
