// The room page's state, and what it shows, as functions of it.

import { face, type Face } from '../clock';
import { parseSize } from '../coords';
import { playerName } from '../opponents';
import { colorOfMove, opponentOf, outcomeOf, type Color, type Game, type Result, type What } from '../protocol';
import { stonesOf, type BoardState } from '../render';
import { pathOfWay } from '../router';
import type { Settings } from '../settings';
import type { LineState } from '../socket';
import { claimableAt, seatOf, spentAt, type Room } from '../state';
import { colorWord, describeGame, words } from '../text';

export interface TableState {
  room: Room | null;
  me: string; // player id
  line: LineState;
  pending: { move: string; ply: number } | null; // sent, not yet stored
  at: number | null; // the move that is looked at; null: the game as it stands
  asked: Grave | null; // whether they mean it
  busy: ReadonlySet<string>; // actions that wait for their answer
  missing: boolean;
  storeDown: boolean; // the server takes no moves for now
}

export const emptyTable: TableState = {
  room: null,
  me: '',
  line: { kind: 'connecting' },
  pending: null,
  at: null,
  asked: null,
  busy: new Set(),
  missing: false,
  storeDown: false,
};

export function mySeat({ room, me }: TableState): Color | null {
  return room && seatOf(room, me);
}

export function nameOf(room: Room, color: Color): string {
  const player = room[color];
  return player ? playerName(player) : colorWord(color);
}

/** How many moves the board shows. */
export function shownMoves({ room, at }: TableState): number {
  const all = room?.moves.length ?? 0;
  return at === null ? all : Math.min(at, all);
}

export function boardOf(state: TableState, settings: Settings): BoardState {
  const { room, at, pending } = state;
  const seat = mySeat(state);
  const moves = room?.moves.slice(0, shownMoves(state)) ?? [];
  const stones = stonesOf(moves);
  const live = at === null && room !== null;
  const myTurn = live && room.phase === 'playing' && room.view.turn === seat && seat !== null && !pending;
  const seated = seat !== null && room?.phase === 'playing';
  const atEnd = room !== null && moves.length === room.moves.length;
  return {
    size: (room && parseSize(room.game.size)) ?? { width: 15, height: 15 },
    stones,
    last: moves.at(-1) === 'pass' ? null : (stones.at(-1)?.point ?? null),
    sending: live && pending && pending.move !== 'pass' && seat ? { point: pending.move, color: seat } : null,
    row: atEnd && room.phase === 'over' ? (room.view.row ?? room.result?.row ?? []) : [],
    forbidden: live && settings.forbidden && !pending ? (room.view.forbidden ?? []) : [],
    refusesForbidden: room?.game.forbidden === 'refused',
    mover: myTurn ? seat : null,
    past: at !== null && seated,
    seated,
    numbers: settings.numbers,
    coordinates: settings.coordinates,
    placing: settings.placing,
  };
}

export interface Words {
  head: string;
  detail: string;
}

/** How the game ended, as the player who looks sees it. */
export function resultWords(result: Result, names: Record<Color, string>, seat: Color | null): Words {
  const { winner, reason, foul } = result;
  const outcome = outcomeOf(result, seat ?? 'black');
  let head = outcome ? words.result[outcome] : words.result.noResult;
  if (winner && !seat) head = words.result.wins(colorWord(winner));
  const [winnerName, loserName] = winner ? [names[winner], names[opponentOf(winner)]] : ['', ''];
  return { head, detail: words.result.why(reason, winnerName, loserName, foul ? words.fouls[foul] : '') };
}

export function statusOf(state: TableState): Words {
  const { room, pending } = state;
  if (!room) return { head: words.room.loading, detail: '' };
  const seat = mySeat(state);
  if (room.phase === 'over' && room.result) {
    return resultWords(room.result, { black: nameOf(room, 'black'), white: nameOf(room, 'white') }, seat);
  }
  if (room.phase === 'open') {
    return { head: seat ? words.room.waitingFriend : words.room.waitingPlayer, detail: '' };
  }
  const turn = room.view.turn ?? colorOfMove(room.moves.length);
  if (!seat) return { head: words.room.turnOf(colorWord(turn)), detail: words.room.watching };
  if (pending) return { head: words.room.sendingMove(moveWord(pending.move)), detail: '' };
  if (turn === seat) {
    return { head: room.moves.length === 0 ? words.room.yourTurnFirst : words.room.yourTurn, detail: lastWords(room) };
  }
  const name = nameOf(room, turn);
  const last = room.moves.at(-1);
  return { head: words.room.theirTurn(name), detail: last === undefined ? '' : words.room.storedMove(moveWord(last)) };
}

function lastWords(room: Room): string {
  const last = room.moves.at(-1);
  if (last === undefined) return '';
  const color = colorWord(colorOfMove(room.moves.length - 1));
  return last === 'pass' ? words.room.passed(color) : words.room.said(color, last);
}

export function moveWord(move: string): string {
  return move === 'pass' ? words.room.pass : move;
}

/** What is said about the line, or '' while all is well. */
export function lineWords(state: TableState, online: boolean): string {
  const { line, pending, room } = state;
  if (line.kind === 'open') return state.storeDown ? words.line.storeDown : '';
  if (line.kind === 'stopped') return words.line.stopped[line.code] ?? words.line.stoppedOther;
  if (!room) return words.line.connecting;
  if (!online) return pending ? words.line.moveSafeOffline : words.line.offline;
  return pending ? words.line.moveSafe : words.line.safe;
}

export type ActionName = 'takeback' | 'pass' | 'draw' | 'abort' | 'resign' | 'rematch' | 'claim';

/** What cannot be undone alone and may cost the game: one is asked first. */
export type Grave = 'pass' | 'resign';

export interface Action {
  name: ActionName;
  label: string;
  enabled: boolean;
}

export interface Question {
  name: Grave;
  ask: string;
  yes: string;
  no: string;
}

/** The question before what may cost the game, while it can still be done. */
export function questionOf(state: TableState): Question | null {
  const name = state.asked;
  if (!name || !actionsOf(state).some((action) => action.name === name && action.enabled)) return null;
  return { name, ...words.room.sure[name] };
}

/** The buttons of a player, in their order. Taking back stands first and resigning last, far from each other. */
export function actionsOf(state: TableState): Action[] {
  const { room, busy } = state;
  const seat = mySeat(state);
  if (!room || !seat) return [];
  const action = (name: ActionName, label: string, enabled = true): Action => ({
    name,
    label,
    enabled: enabled && !busy.has(name),
  });
  if (room.phase === 'open') return [action('abort', words.room.closeRoom)];
  if (room.phase === 'over') {
    const expired = room.number === 0;
    return expired || room.offers.rematch ? [] : [action('rematch', words.room.rematch)];
  }
  const opponent = room[opponentOf(seat)];
  const moved = room.moves.length >= (seat === 'black' ? 1 : 2);
  const myTurn = room.view.turn === seat && !state.pending;
  const actions = [action('takeback', words.room.takeback, moved && !room.offers.takeback)];
  if (room.game.rule === 'renju') actions.push(action('pass', words.room.pass, myTurn));
  if (!opponent?.bot) actions.push(action('draw', words.room.draw, moved && !room.offers.draw));
  const early = room.moves.length < 2;
  actions.push(early ? action('abort', words.room.abort) : action('resign', words.room.resign));
  return actions;
}

/** Where a player finds another opponent of the same kind after a game, or null before its end. */
export function pathToAnother(state: TableState): string | null {
  const { room } = state;
  const seat = mySeat(state);
  if (!room || !seat || room.phase !== 'over') return null;
  return pathOfWay(room[opponentOf(seat)]?.bot ? 'computer' : 'now');
}

export interface Offer {
  what: What;
  mine: boolean;
  text: string;
}

/** The offers that are open, as the player who looks sees them. */
export function offersOf(state: TableState): Offer[] {
  const { room } = state;
  const seat = mySeat(state);
  if (!room || !seat) return [];
  const name = nameOf(room, opponentOf(seat));
  const asked = { draw: words.room.drawAsked, takeback: words.room.takebackAsked, rematch: words.room.rematchAsked };
  const offered = { draw: words.room.drawOffered, takeback: words.room.takebackOffered, rematch: words.room.rematchOffered };
  return (['takeback', 'draw', 'rematch'] as const)
    .filter((what) => room.offers[what])
    .map((what) => {
      const mine = room.offers[what] === seat;
      return { what, mine, text: mine ? offered[what] : asked[what](name) };
    });
}

export interface Absence {
  name: string;
  since: number;
  /** When this player may claim the win; null if it is not theirs to claim now. */
  claimAt: number | null;
  myTurn: boolean;
  early: boolean; // a claim ends the game without result: somebody has not moved yet
}

/** The opponent (or, for spectators, a player) who is not there. */
export function absenceOf(state: TableState): Absence | null {
  const { room } = state;
  if (!room || room.phase !== 'playing') return null;
  const seat = mySeat(state);
  for (const color of seat ? [opponentOf(seat)] : (['black', 'white'] as const)) {
    const player = room[color];
    if (!player?.away) continue;
    const myTurn = seat !== null && room.view.turn === seat;
    return { name: player.name, since: player.away, claimAt: seat && !myTurn ? claimableAt(room, seat) : null, myTurn, early: room.moves.length < 2 };
  }
  return null;
}

/** The server was down, and that cost nobody anything. */
export function creditWords(room: Room, me: string, gift: { color: Color; ms: number }): string {
  const time = words.room.seconds(Math.max(1, Math.round(gift.ms / 1000)));
  const player = room[gift.color];
  return player?.id === me ? words.room.credited(time) : words.room.creditedOther(time, nameOf(room, gift.color));
}

/** That another bot moves for one that fails, or '' while none does. */
export function standInWords(room: Room): string {
  const last = room.standIns.at(-1);
  if (!last) return '';
  const name = nameOf(room, colorOfMove(last.ply));
  return last.failure === 'refused' ? words.room.standInRefused(name) : words.room.standIn(name, room.standIns.length);
}

/** What a player's clock shows at the server's time `now`. */
export function faceOf(room: Room, color: Color, now: number): Face {
  const { view, game } = room;
  const running = view.running && view.turn === color;
  const full = { main: game.clock.main ?? 0, ...(game.clock.periods !== undefined && { periods: game.clock.periods }) };
  return face(game.clock, view.clocks?.[color] ?? full, running ? spentAt(room, now) : 0);
}

/** What the browser shows as the page's title. */
export function titleOf(state: TableState): string {
  const { room } = state;
  if (!room) return '';
  if (!room.black || !room.white) return words.room.waitingFriend;
  const names = words.room.title(nameOf(room, 'black'), nameOf(room, 'white'));
  const mine = room.phase === 'playing' && room.view.turn === mySeat(state);
  return mine ? `● ${words.room.yourTurn} · ${names}` : names;
}

/** What is played, by which clock, and perhaps which game of its table. */
export function gameWords(game: Game, number: number | null): string {
  const parts = [describeGame(game)];
  if (game.forbidden === 'refused') parts.push(words.room.refusesForbidden);
  if (number !== null) parts.push(words.room.game(number));
  return parts.join(' · ');
}

/** The board of a game that stands still, after so many of its moves. */
export function replayedBoard(
  game: Pick<Game, 'rule' | 'size'>,
  all: string[],
  at: number,
  { row, forbidden }: Pick<BoardState, 'row' | 'forbidden'>,
  settings: Settings,
): BoardState {
  const stones = stonesOf(all.slice(0, at));
  return {
    size: parseSize(game.size) ?? { width: 15, height: 15 },
    stones,
    last: all[at - 1] === 'pass' ? null : (stones.at(-1)?.point ?? null),
    sending: null,
    row: at === all.length ? row : [],
    forbidden: settings.forbidden ? forbidden : [],
    refusesForbidden: false,
    mover: null,
    past: false,
    seated: false,
    numbers: settings.numbers,
    coordinates: settings.coordinates,
    placing: settings.placing,
  };
}
