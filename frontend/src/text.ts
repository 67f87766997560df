// The words in the reader's language. The choice is made once, when the page
// loads: changing it in the settings loads the page anew.

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

export function colorWord(color: 'black' | 'white'): string {
  return color === 'black' ? words.black : words.white;
}
