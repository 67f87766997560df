// The words in the reader's language. The choice is made once, when the page
// loads: changing it in the settings loads the page anew.

import type { Game } from './protocol';
import { settings } from './settings';
import { en, type Words } from './text/en';
import { zh } from './text/zh';

function choose(): Words {
  const { language } = settings.get();
  if (language === 'en') return en;
  if (language === 'zh') return zh;
  const browser = typeof navigator === 'undefined' ? 'en' : navigator.language;
  return browser.toLowerCase().startsWith('zh') ? zh : en;
}

export const words = choose();

/** What the server refuses with; `limit` names the one that was reached. */
export interface Refusal {
  code: string;
  text: string;
  limit?: string;
}

/** Why something was refused; where there are no words for it, in the server's, which are English. */
export function refusalWords({ code, text, limit = '' }: Refusal): string {
  const limits: Record<string, string> = words.limits;
  const refusals: Record<string, string> = words.refusals;
  return limits[limit] ?? refusals[code] ?? text;
}

export function colorWord(color: 'black' | 'white'): string {
  return color === 'black' ? words.black : words.white;
}

/** What is played. The size does not break over two lines. */
export function describeBoard({ rule, size }: Pick<Game, 'rule' | 'size'>): string {
  return `${words.rules[rule].title} · ${size.replace('x', '\u00a0×\u00a0')}`;
}

/** What is played, and by which clock. */
export function describeGame(game: Pick<Game, 'rule' | 'size' | 'clock'>): string {
  return `${describeBoard(game)} · ${words.clock.describe(game.clock)}`;
}
