import { h } from '../dom';
import type { Unmount } from '../router';
import { words } from '../text';

export function mountNotFound(outlet: HTMLElement, heading = words.notFound.heading, about = words.notFound.about): Unmount {
  document.title = words.title(heading);
  outlet.replaceChildren(
    h('div', { class: 'text-page' }, h('h1', {}, heading), h('p', {}, about), h('p', {}, h('a', { class: 'button primary', href: '/' }, words.notFound.home))),
  );
  return () => {};
}
