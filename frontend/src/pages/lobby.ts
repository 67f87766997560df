import type { App } from '../app';
import { spanText } from '../clock';
import { h, setText, show } from '../dom';
import { describeGame, gameOf, loadChoices, type Way } from '../lobby/choices';
import { createGames } from '../lobby/games';
import { openStart } from '../lobby/start';
import type { Unmount } from '../router';
import { words } from '../text';
import { glyphs, icon } from '../ui/icon';

export function mountLobby(outlet: HTMLElement, app: App): Unmount {
  const games = createGames();
  const online = h('span', { class: 'online' });
  const search = createSearch(app);
  const mine = h('section', { class: 'mine', hidden: true }, h('h2', {}, words.lobby.yours), games.mine);
  const ways = h(
    'div',
    { class: 'ways' },
    way(app, 'now', glyphs.bolt, words.lobby.playNow, words.lobby.playNowAbout),
    way(app, 'friend', glyphs.link, words.lobby.friend, words.lobby.friendAbout),
    way(app, 'computer', glyphs.chip, words.lobby.computer, words.lobby.computerAbout),
  );
  outlet.replaceChildren(
    h(
      'div',
      { class: 'lobby' },
      h('div', { class: 'lobby-head' }, h('h1', {}, words.lobby.heading), h('p', {}, words.tagline)),
      search.node,
      mine,
      ways,
      h('section', { class: 'live' }, h('header', { class: 'section-head' }, h('h2', {}, words.lobby.live), online), games.node),
    ),
  );

  const showMine = (rooms: string[]): void => {
    show(mine, rooms.length > 0);
    games.setMine(rooms);
  };
  const watch = (on: boolean): void => void app.socket.send({ type: 'lobby', on });
  const stops = [
    app.rooms.on(showMine),
    app.socket.onMessage((message) => {
      if (message.type === 'hello') watch(true); // a new line has to be told
      if (message.type !== 'games') return;
      setText(online, words.lobby.online(message.online));
      games.receive(message);
    }),
  ];
  showMine(app.rooms.get());
  if (app.socket.state().kind === 'open') watch(true);
  return () => {
    if (app.socket.state().kind === 'open') watch(false);
    search.unmount();
    for (const stop of stops) stop();
  };
}

function way(app: App, name: Way, path: string, title: string, about: string): HTMLElement {
  const choices = h('span', { class: 'way-choice' });
  const describe = (): void => setText(choices, describeGame(gameOf(loadChoices(name))));
  describe();
  return h(
    'button',
    { class: `way way-${name}`, type: 'button', onclick: () => void openStart(app, name, describe) },
    h('span', { class: 'way-icon' }, icon(path)),
    h('span', { class: 'way-words' }, h('strong', {}, title), h('span', {}, about), choices),
  );
}

function createSearch(app: App): { node: HTMLElement; unmount: Unmount } {
  const time = h('span', { class: 'search-time', role: 'timer', 'aria-live': 'off' });
  const what = h('span', { class: 'search-what' });
  const node = h(
    'section',
    { class: 'search', hidden: true },
    h('span', { class: 'search-dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
    h('div', { class: 'search-words', role: 'status' }, h('strong', {}, words.lobby.searching), what),
    time,
    h('button', { class: 'button', type: 'button', onclick: () => app.seek.cancel() }, words.cancel),
  );
  const update = (): void => {
    const seeking = app.seek.current.get();
    show(node, seeking !== null);
    if (!seeking) return;
    setText(what, describeGame(seeking.game));
    setText(time, spanText(app.socket.now() - seeking.since));
  };
  const stop = app.seek.current.on(update);
  const timer = setInterval(update, 500);
  update();
  return {
    node,
    unmount() {
      stop();
      clearInterval(timer);
    },
  };
}
