// The computer opponents: who there is, and what they are called.

import { getOptions, type Opponent } from './api';
import type { Person } from './protocol';
import { words } from './text';

export interface Opponents {
  levels: Opponent[]; // of the service's own engine, the easiest first
  characters: Opponent[]; // the easiest first, too
  external: Opponent[]; // programs that the operator added
}

export function sortOut(bots: Opponent[]): Opponents {
  return {
    levels: bots.filter(({ level }) => level).sort((a, b) => (a.level ?? 0) - (b.level ?? 0)),
    characters: bots.filter(({ level, external }) => !level && !external).sort((a, b) => (a.elo ?? 0) - (b.elo ?? 0)),
    external: bots.filter(({ external }) => external),
  };
}

/** Easy enough to be beaten by who has never been here. */
const newcomersLevel = 3;

/** The opponent that was chosen last, or one for newcomers if there is none of that name. */
export function knownOr(last: string, bots: Opponent[]): string {
  const find = (fits: (bot: Opponent) => boolean): string | undefined => bots.find(fits)?.name;
  return find(({ name }) => name === last) ?? find(({ level }) => level === newcomersLevel) ?? bots[0]?.name ?? '';
}

export const titleOf = ({ name, title }: Opponent): string => words.bots[name]?.title ?? title;
export const aboutOf = ({ name, about }: Opponent): string => words.bots[name]?.about ?? about;

/** A player's name; that of a bot in the reader's language. */
export function playerName({ name, bot }: Person): string {
  return (bot && words.bots[bot]?.title) || name;
}

/** How strong a bot was measured to be, or 0. */
export async function eloOf(bot: string): Promise<number> {
  const answer = await getOptions();
  return (answer.ok && answer.value.bots.find(({ name }) => name === bot)?.elo) || 0;
}
