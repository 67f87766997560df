// One game of a table, to look at and to share: /room/{id}/{n}?move=12

import { getGame, type GameRecord } from '../api';
import type { App } from '../app';
import { h } from '../dom';
import type { Person } from '../protocol';
import { resultWords } from '../room/model';
import { createReplay } from '../room/replay';
import { layTable } from '../room/layout';
import { createLinks } from '../room/share';
import type { Route, Unmount } from '../router';
import { colorWord, words } from '../text';
import { mountNotFound } from './notfound';

type GameRoute = Route & { page: 'game' };

export function mountGame(outlet: HTMLElement, app: App, route: GameRoute): Unmount {
  let left = false;
  let unmount: Unmount = () => {};
  void getGame(route.room, route.number).then((answer) => {
    if (left) return;
    if (answer.ok) unmount = mountRecord(outlet, app, answer.value, route);
    else if (answer.status === 404 || answer.status === 400) unmount = mountNotFound(outlet, words.room.missing, words.room.missingAbout);
    else unmount = mountNotFound(outlet, words.failed, answer.text);
  });
  return () => {
    left = true;
    unmount();
  };
}

function mountRecord(outlet: HTMLElement, app: App, record: GameRecord, route: GameRoute): Unmount {
  const { game, moves, black, white, result } = record;
  document.title = words.title(words.room.title(black.name, white.name));
  const links = createLinks();
  const base = `/room/${route.room}/${route.number}`;
  const shared = (move: number): void => {
    links.update(game, moves.slice(0, move), `${base}?move=${move}`);
  };
  const replay = createReplay({ game, moves, row: result?.row ?? [] }, route.move, (move) => {
    shared(move);
    app.router.replace(`${base}?move=${move}`);
  });
  shared(Math.min(route.move ?? moves.length, moves.length));
  const ended = result ? resultWords(result, { black: black.name, white: white.name }, null) : null;
  const what = [words.rules[game.rule].title, game.size.replace('x', ' × '), words.clock.describe(game.clock), words.room.game(route.number)];
  const when = new Date(record.started).toLocaleString(words.code === 'zh' ? 'zh-CN' : undefined, { dateStyle: 'medium', timeStyle: 'short' });
  outlet.replaceChildren(
    layTable({
      board: replay.board,
      top: player('white', white, result?.winner === 'white'),
      bottom: player('black', black, result?.winner === 'black'),
      info: h(
        'div',
        { class: 'info' },
        h('h1', { class: 'info-what' }, what.join(' · ')),
        h('time', { class: 'muted', datetime: new Date(record.started).toISOString() }, when),
        h('a', { href: `/room/${route.room}` }, words.room.toTable),
      ),
      status: h('div', { class: 'status' }, h('strong', {}, ended?.head ?? ''), h('span', {}, ended?.detail ?? '')),
      moves: replay.moves.node,
      share: links.node,
    }),
  );
  return replay.unmount;
}

function player(color: 'black' | 'white', { name }: Person, won: boolean): HTMLElement {
  return h(
    'section',
    { class: `player${won ? ' won' : ''}`, 'aria-label': `${colorWord(color)}: ${name}` },
    h('span', { class: `chip ${color}`, 'aria-hidden': 'true' }),
    h('div', { class: 'player-who' }, h('div', { class: 'player-line' }, h('span', { class: 'player-name' }, name)), h('span', { class: 'player-note' }, won ? `${colorWord(color)} · ${words.result.winner}` : colorWord(color))),
  );
}
