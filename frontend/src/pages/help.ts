import { h } from '../dom';
import type { Unmount } from '../router';
import { words } from '../text';

export function mountHelp(outlet: HTMLElement): Unmount {
  const { help, rules } = words;
  document.title = words.title(words.nav.rules);
  const paragraphs = (texts: string[]): HTMLElement[] => texts.map((text) => h('p', {}, text));
  const items = (texts: string[]): HTMLElement => h('ul', {}, ...texts.map((text) => h('li', {}, text)));
  const terms = Object.values(rules).flatMap(({ title, about }) => [h('dt', {}, title), h('dd', {}, about)]);
  outlet.replaceChildren(
    h(
      'article',
      { class: 'text-page' },
      h('h1', {}, help.heading),
      h('p', {}, help.intro),
      h('dl', {}, ...terms),
      h('h2', {}, help.renjuHeading),
      items(help.renju.slice(0, 3)),
      ...paragraphs(help.renju.slice(3)),
      h('p', {}, help.renjuShown),
      h('h2', {}, help.playHeading),
      ...paragraphs(help.play),
      h('h2', {}, help.keysHeading),
      ...paragraphs(help.keys),
    ),
  );
  return () => {};
}
