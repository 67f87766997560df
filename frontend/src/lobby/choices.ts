// What a player last chose.

import type { Color, Game, RuleName, TimeControl, Wanted } from '../protocol';
import type { Way } from '../router';
import { load, save } from '../storage';
import { sameClock } from './clocks';

export interface Choices {
  rule: RuleName;
  size: string;
  clock: TimeControl;
  forbidden: 'loses' | 'refused';
  color: Color | 'random';
  bot: string;
}

const defaults: Choices = {
  rule: 'freestyle',
  size: '15x15',
  clock: { main: 300_000, increment: 3_000 },
  forbidden: 'loses',
  color: 'random',
  bot: '',
};

/** Each way to start remembers its own choices. */
export function loadChoices(way: Way): Choices {
  const own: Choices = way === 'computer' ? { ...defaults, clock: {}, color: 'black' } : defaults;
  return load(`gomokud.choices.${way}`, own);
}

export function saveChoices(way: Way, choices: Choices): void {
  save(`gomokud.choices.${way}`, choices);
}

export function gameOf({ rule, size, clock, forbidden }: Choices): Game {
  return rule === 'renju' ? { rule, size, clock, forbidden } : { rule, size, clock };
}

const sameGame = (a: Game, b: Game): boolean =>
  a.rule === b.rule && a.size === b.size && a.forbidden === b.forbidden && sameClock(a.clock, b.clock);

/** What others wait for: who searches is among those who wait, and no opponent of their own. */
export function wantedByOthers(waiting: Wanted[], own: Game | null): Wanted[] {
  return waiting
    .map(({ game, players }) => ({ game, players: own && sameGame(game, own) ? players - 1 : players }))
    .filter(({ players }) => players > 0);
}
