// The bar at the top of every page, and what it says about the line.

import type { App } from '../app';
import { spanText } from '../clock';
import { h, setAttribute, setText, show } from '../dom';
import { closeCodes } from '../protocol';
import { words } from '../text';
import { glyphs, icon } from './icon';
import { openSettings } from './settings';

export function createHeader(app: App, openPerson: () => void): HTMLElement {
  const name = h('span', { class: 'header-name' });
  const person = h('button', { class: 'button plain', type: 'button', onclick: openPerson }, icon(glyphs.person), name);
  const lost = h('span', { class: 'line-state', role: 'status' });
  const search = h('a', { class: 'search-pill', href: '/', hidden: true });
  const gear = h(
    'button',
    { class: 'button plain icon', type: 'button', 'aria-label': words.nav.settings, title: words.nav.settings, onclick: openSettings },
    icon(glyphs.gear),
  );
  const update = (): void => {
    const me = app.me.get();
    setText(name, me?.name ?? '');
    setAttribute(person, 'aria-label', me ? words.person.open(me.name) : words.person.heading);
    show(search, app.seek.current.get() !== null && location.pathname !== '/');
  };
  app.me.on(update);
  app.seek.current.on(update);
  setInterval(() => {
    const seeking = app.seek.current.get();
    update();
    if (seeking) setText(search, `${words.lobby.searching} ${spanText(app.socket.now() - seeking.since)}`);
  }, 1000);

  // A short break is nobody's business: say it only when it lasts.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = h('button', { class: 'button small', type: 'button', hidden: true, onclick: () => comeBack() });
  const comeBack = (): void => {
    const line = app.socket.state();
    if (line.kind === 'stopped' && line.code === closeCodes.badVersion) location.reload();
    else app.socket.restart();
  };
  app.socket.onState((line) => {
    clearTimeout(timer);
    show(again, line.kind === 'stopped');
    setText(again, line.kind === 'stopped' && line.code === closeCodes.badVersion ? words.line.reload : words.line.connect);
    if (line.kind === 'open') return setText(lost, '');
    if (line.kind === 'stopped') return setText(lost, words.line.stopped[line.code] ?? words.line.stoppedOther);
    timer = setTimeout(() => setText(lost, words.line.reconnecting), 700);
  });
  update();
  return h(
    'header',
    { class: 'header' },
    h('a', { class: 'brand', href: '/' }, mark(), words.site),
    h('nav', { 'aria-label': words.nav.main }, h('a', { href: '/' }, words.nav.play), h('a', { href: '/help' }, words.nav.rules)),
    lost,
    again,
    search,
    h('div', { class: 'header-end' }, person, gear),
  );
}

/** Five stones in a diagonal row. */
function mark(): HTMLElement {
  return h('span', { class: 'brand-mark', 'aria-hidden': 'true' }, h('i'), h('i'), h('i'), h('i'), h('i'));
}
