// The games that were played on this device, as it remembers them: the server knows
// games by their tables, and keeps no list of them for a player.

import { getGame, type GameRecord } from './api';
import { opponentOf, outcomeOf, type Outcome, type Person, type RuleName } from './protocol';
import { seatOf } from './state';
import { load, save } from './storage';
import { words } from './text';

/** A game that has a result. */
export interface FinishedGame {
  room: string;
  number: number; // of the game at its table
  opponent: Person;
  outcome: Outcome;
  rule: RuleName;
  size: string;
  at: number; // when it ended or, where that was not seen, began
}

/** A game whose end was not seen here. */
interface OpenGame {
  room: string;
  number: number;
}

interface Played {
  finished: FinishedGame[]; // the latest first
  open: OpenGame[];
}

const key = 'gomokud.played';
const most = { finished: 50, open: 20 };

function read(): Played {
  const { finished, open } = load<Record<keyof Played, unknown>>(key, { finished: [], open: [] });
  return { finished: every(finished, isFinished), open: every(open, isOpen) };
}

/** Another version of the page, or a person, may have written something else. */
function every<T>(list: unknown, fits: (item: unknown) => item is T): T[] {
  return Array.isArray(list) ? list.filter(fits) : [];
}

function isOpen(item: unknown): item is OpenGame {
  const game = item as Partial<OpenGame> | null;
  return typeof game?.room === 'string' && typeof game.number === 'number';
}

function isFinished(item: unknown): item is FinishedGame {
  const game = item as FinishedGame;
  return (
    isOpen(item) &&
    typeof game.opponent?.name === 'string' &&
    Object.hasOwn(words.lobby.outcomes, game.outcome) &&
    Object.hasOwn(words.rules, game.rule) &&
    typeof game.size === 'string' &&
    !Number.isNaN(new Date(game.at).getTime())
  );
}

export const finishedGames = (): FinishedGame[] => read().finished;

const same = (a: OpenGame) => (b: OpenGame): boolean => a.room === b.room && a.number === b.number;

/** A game is played here, and perhaps nobody is here when it ends. */
export function noteBegun(room: string, number: number): void {
  const { finished, open } = read();
  const game = { room, number };
  if (open.some(same(game))) return;
  save(key, { finished, open: [game, ...open].slice(0, most.open) });
}

/** The game is over: it is listed if `me` played it and it has a result. */
export function noteOver(record: GameRecord, me: string): void {
  const { finished, open } = read();
  const game = finishedBy(record, me);
  const others = open.filter((one) => !same(record)(one));
  save(key, { finished: game ? listed(finished, game) : finished, open: others });
}

function finishedBy({ room, number, game, black, white, result, started, ended }: GameRecord, me: string): FinishedGame | null {
  const seat = seatOf({ black, white }, me);
  const outcome = seat && result && outcomeOf(result, seat);
  if (!outcome) return null;
  const { id, name, bot } = opponentOf(seat) === 'black' ? black : white;
  return { room, number, opponent: { id, name, ...(bot && { bot }) }, outcome, rule: game.rule, size: game.size, at: ended ?? started };
}

function listed(games: FinishedGame[], game: FinishedGame): FinishedGame[] {
  const known = games.find(same(game));
  const at = Math.max(game.at, known?.at ?? 0); // its end, if that was ever seen
  return [{ ...game, at }, ...games.filter((one) => one !== known)].sort((a, b) => b.at - a.at).slice(0, most.finished);
}

/** Asks how the games ended that are no longer among those in progress: `rooms`. */
export async function lookUp(rooms: string[], me: string): Promise<void> {
  if (!me) return; // whose games they are is not known yet
  for (const { room, number } of read().open) {
    if (rooms.includes(room)) continue;
    const answer = await getGame(room, number);
    if (answer.ok && answer.value.result) noteOver(answer.value, me);
    else if (!answer.ok && answer.status === 404) forget({ room, number });
  }
}

function forget(game: OpenGame): void {
  const { finished, open } = read();
  save(key, { finished, open: open.filter((one) => !same(game)(one)) });
}

/** Tells of games that other tabs note. */
export function onPlayed(changed: () => void): () => void {
  const listen = (event: StorageEvent): void => {
    if (event.key === key) changed();
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}
