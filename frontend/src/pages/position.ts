// A position from its address: /position/15x15/renju/h8i9g7

import { getPosition, type PositionView } from '../api';
import type { App } from '../app';
import { h, setText } from '../dom';
import { colorOfMove } from '../protocol';
import { layTable } from '../room/layout';
import { createReplay } from '../room/replay';
import { createLinks } from '../room/share';
import type { Route, Unmount } from '../router';
import { colorWord, words } from '../text';
import { mountNotFound } from './notfound';

type PositionRoute = Route & { page: 'position' };

export function mountPosition(outlet: HTMLElement, app: App, route: PositionRoute): Unmount {
  document.title = words.title(words.position.heading);
  let left = false;
  let unmount: Unmount = () => {};
  void getPosition(route.rule, route.size, route.moves).then((answer) => {
    if (left) return;
    if (answer.ok) unmount = mountMoves(outlet, app, route, answer.value);
    else if (answer.status === 400) unmount = mountNotFound(outlet, words.position.bad, answer.text || words.position.badAbout);
    else unmount = mountNotFound(outlet, words.failed, answer.text);
  });
  return () => {
    left = true;
    unmount();
  };
}

function mountMoves(outlet: HTMLElement, app: App, route: PositionRoute, view: PositionView): Unmount {
  const { size, rule, moves } = route;
  const links = createLinks();
  const head = h('strong');
  const base = `/position/${size}/${rule}/${moves.join('')}`;
  const describe = (move: number): void => {
    const won = move === moves.length && (view.row?.length ?? 0) > 0;
    const color = colorOfMove(won ? move - 1 : move);
    setText(head, won ? words.result.wins(colorWord(color)) : words.position.turn(colorWord(color)));
    links.update({ rule, size }, moves.slice(0, move), `${base}?move=${move}`);
  };
  const replay = createReplay({ game: { rule, size }, moves, row: view.row ?? [] }, route.move, (move) => {
    describe(move);
    app.router.replace(`${base}?move=${move}`);
  });
  describe(Math.min(route.move ?? moves.length, moves.length));
  outlet.replaceChildren(
    layTable({
      board: replay.board,
      info: h(
        'div',
        { class: 'info' },
        h('h1', { class: 'info-what' }, `${words.position.heading} · ${words.rules[rule].title} · ${size.replace('x', ' × ')}`),
      ),
      status: h('div', { class: 'status', role: 'status' }, head),
      moves: replay.moves.node,
      share: links.node,
    }),
  );
  return replay.unmount;
}
