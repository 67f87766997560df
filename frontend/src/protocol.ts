// Every message of the wire protocol (docs/protocol.md), both ways.

export type Color = 'black' | 'white';
export type RuleName = 'freestyle' | 'standard' | 'caro' | 'renju';
export type Phase = 'open' | 'playing' | 'over';
export type What = 'draw' | 'takeback' | 'rematch';
export type Foul = 'double-three' | 'double-four' | 'overline';
export type Reason =
  | 'five'
  | 'foul'
  | 'resignation'
  | 'time'
  | 'abandonment'
  | 'agreement'
  | 'passes'
  | 'full'
  | 'aborted'
  | 'expired';

/** A clock as the players agreed on it; empty: none. Milliseconds. */
export interface TimeControl {
  main?: number;
  increment?: number;
  period?: number;
  periods?: number;
}

/** What one side has left. */
export interface Clock {
  main: number;
  periods?: number;
}

export interface Game {
  rule: RuleName;
  size: string;
  clock: TimeControl;
  forbidden?: 'loses' | 'refused';
}

export interface Person {
  id: string;
  name: string;
  bot?: string;
}

export interface Seat extends Person {
  score: number;
  /** Since when nobody is connected for it. */
  away?: number;
}

export interface Result {
  winner?: Color;
  reason: Reason;
  row?: string[];
  foul?: Foul;
}

/** A move that another bot made for one that failed. */
export interface StandIn {
  ply: number;
  failure: string;
}

export type Offers = Partial<Record<What, Color>>;

export interface ForbiddenPoint {
  point: string;
  foul: Foul;
}

export interface RoomState {
  game: Game;
  phase: Phase;
  number: number;
  host: string;
  claim_after: number;
  black?: Seat | null;
  white?: Seat | null;
  moves: string[];
  stand_ins?: StandIn[];
  started: number;
  offers?: Offers;
  result?: Result | null;
}

export interface View {
  turn?: Color;
  running: boolean;
  /** How much of the running turn was over by the message's `now`. */
  spent?: number;
  /** As they stood when the turn began. */
  clocks?: Record<Color, Clock>;
  forbidden?: ForbiddenPoint[];
  row?: string[];
}

interface Fact<K extends string> {
  kind: K;
  at: number;
}

export type RoomEvent =
  | (Fact<'created'> & { game: Game; host: string; limits?: { claim_after: number } })
  | (Fact<'seated'> & { color: Color; player: Person })
  | (Fact<'started'> & { number: number; black: string; white: string })
  | (Fact<'placed'> & { point: string; clock: Clock; failure?: string })
  | (Fact<'passed'> & { clock: Clock })
  | (Fact<'offered'> & { what: What; color: Color })
  | (Fact<'declined'> & { what: What; color: Color })
  | (Fact<'takenback'> & { plies: number })
  | (Fact<'away'> & { color: Color })
  | (Fact<'back'> & { color: Color })
  | (Fact<'credited'> & { color: Color; ms: number; until?: number })
  | (Fact<'ended'> & Result);

// From the server.

export interface Seeking {
  since: number;
  game: Game;
}

export interface HelloMessage {
  type: 'hello';
  protocol: number;
  node: string;
  now: number;
  you: Person;
  rooms: string[];
  seeking: Seeking | null;
}

export interface OkMessage {
  type: 'ok';
  id: string;
  room?: string;
  version?: number;
}

export interface ErrorMessage {
  type: 'error';
  id?: string;
  room?: string;
  code: string;
  text: string;
  limit?: string;
  retry?: number;
}

export interface RoomMessage {
  type: 'room';
  id?: string;
  room: string;
  epoch: string;
  version: number;
  now: number;
  spectators: number;
  state: RoomState;
  view: View;
}

export interface EventsMessage {
  type: 'events';
  room: string;
  id?: string;
  by?: string;
  version: number;
  now: number;
  events: RoomEvent[];
  view: View;
}

export interface GameCard {
  room: string;
  rule: RuleName;
  size: string;
  clock: TimeControl;
  black: Person;
  white: Person;
  moves: string[];
  spectators: number;
  over: boolean;
}

/** A game for which players wait. */
export interface Wanted {
  game: Game;
  players: number;
}

export interface GamesMessage {
  type: 'games';
  online: number;
  games: GameCard[];
  gone: string[];
  /** Left out where it is as it was. */
  waiting?: Wanted[];
}

export type ServerMessage =
  | HelloMessage
  | OkMessage
  | ErrorMessage
  | RoomMessage
  | EventsMessage
  | GamesMessage
  | ({ type: 'seeking' } & Seeking)
  | { type: 'unseeking' }
  | { type: 'paired'; room: string }
  | { type: 'spectators'; room: string; count: number }
  | { type: 'pong'; id: string; now: number }
  | { type: 'bye'; reason: string; retry: number }
  | { type: 'service'; store: 'ok' | 'unreachable' };

// To the server. The socket adds the id.

/** `version` is the state that the command rests on; if that has changed it is refused as stale. */
export type RoomCommand = { room: string; version: number } & (
  | { type: 'sit' | 'resign' | 'abort' | 'claim' }
  | { type: 'place'; ply: number; point: string }
  | { type: 'pass'; ply: number }
  | { type: 'offer' | 'accept' | 'decline'; what: What }
);

export type Command =
  | RoomCommand
  | { type: 'seek'; game: Game }
  | { type: 'unseek' }
  | { type: 'create'; game: Game; color: Color | 'random'; bot?: string }
  | { type: 'join'; room: string; epoch?: string; have?: number }
  | { type: 'leave'; room: string }
  | { type: 'lobby'; on: boolean }
  | { type: 'ping' };

export const closeCodes = {
  tooLargeFrame: 1009,
  draining: 4000,
  badMessage: 4500,
  tooLarge: 4501,
  badVersion: 4502,
  flood: 4503,
  tooMany: 4504,
} as const;

export function opponentOf(color: Color): Color {
  return color === 'black' ? 'white' : 'black';
}

export type Outcome = 'won' | 'lost' | 'drawn';

export function isDraw({ winner, reason }: Result): boolean {
  return !winner && (reason === 'agreement' || reason === 'passes' || reason === 'full');
}

/** How the game ended for that side, or null if it has no result. */
export function outcomeOf(result: Result, side: Color): Outcome | null {
  if (result.winner) return result.winner === side ? 'won' : 'lost';
  return isDraw(result) ? 'drawn' : null;
}

/** The side that makes the move with this index: Black begins. */
export function colorOfMove(index: number): Color {
  return index % 2 === 0 ? 'black' : 'white';
}
