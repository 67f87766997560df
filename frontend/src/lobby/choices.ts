// What a player last chose.

import type { Color, Game, RuleName, TimeControl } from '../protocol';
import { load, save } from '../storage';

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
export type Way = 'now' | 'friend' | 'computer';

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
