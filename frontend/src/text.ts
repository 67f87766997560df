// The words in the reader's language. The choice is made once, when the page
// loads: changing it in the settings loads the page anew.

import type { Game } from './protocol';
import { settings } from './settings';
import { en, type Words } from './text/en';

function speaksChinese(): boolean {
  const { language } = settings.get();
  return language === 'zh' || (language === 'auto' && browserLanguage().toLowerCase().startsWith('zh'));
}

function browserLanguage(): string {
  return typeof navigator === 'undefined' ? 'en' : navigator.language;
}

/** The Chinese ones are loaded for who reads them; English is for all others, and where those do not come. */
export const words: Words = speaksChinese() ? await import('./text/zh').then(({ zh }) => zh, () => en) : en;

function localeOf(language: string): string {
  if (language === 'zh') return 'zh-CN';
  return browserLanguage().startsWith(language) ? browserLanguage() : language;
}

/** How dates are written: in the language of the words, and there as the reader does. */
export const locale = localeOf(words.code);

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
