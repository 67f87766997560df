// Live games as a grid of small boards.

import { parsePoint, parseSize } from '../coords';
import { h, s, setAttribute, setText, show } from '../dom';
import type { GameCard, GamesMessage, Person } from '../protocol';
import { words } from '../text';
import { glyphs, icon } from '../ui/icon';
import { describeGame } from './choices';

export interface Games {
  node: HTMLElement;
  /** The cards of these rooms, for "your games". */
  mine: HTMLElement;
  receive(message: GamesMessage): void;
  setMine(rooms: string[]): void;
}

interface Card {
  node: HTMLElement;
  update(game: GameCard): void;
}

export function createGames(): Games {
  const grid = h('div', { class: 'cards' });
  const empty = h('p', { class: 'muted empty' }, words.lobby.loadingGames);
  const mine = h('div', { class: 'cards' });
  const games = new Map<string, GameCard>();
  const cards = new Map<string, Card>();
  const mineCards = new Map<string, HTMLElement>();
  let ours: string[] = [];
  let heard = false;

  function arrange(): void {
    for (const [room, game] of games) {
      let card = cards.get(room);
      if (!card) cards.set(room, (card = createCard(room)));
      card.update(game);
      const home = ours.includes(room) ? mine : grid;
      if (card.node.parentNode !== home) home.append(card.node);
    }
    for (const [room, card] of cards) {
      if (games.has(room)) continue;
      card.node.remove();
      cards.delete(room);
    }
    for (const room of ours) {
      if (games.has(room) || mineCards.has(room)) continue;
      const node = h('a', { class: 'card bare', href: `/room/${room}` }, h('span', {}, words.lobby.yourTable(room.slice(0, 6))), h('strong', {}, words.lobby.resume));
      mineCards.set(room, node);
      mine.append(node);
    }
    for (const [room, node] of mineCards) {
      if (ours.includes(room) && !games.has(room)) continue;
      node.remove();
      mineCards.delete(room);
    }
    show(empty, grid.childElementCount === 0);
    if (heard) setText(empty, words.lobby.noGames);
  }

  return {
    node: h('div', {}, grid, empty),
    mine,
    receive(message) {
      heard = true;
      for (const game of message.games) games.set(game.room, game);
      for (const room of message.gone) games.delete(room);
      arrange();
    },
    setMine(rooms) {
      ours = rooms;
      arrange();
    },
  };
}

function createCard(room: string): Card {
  const board = s('svg', { class: 'mini', 'aria-hidden': 'true' });
  const black = h('span', { class: 'card-name' });
  const white = h('span', { class: 'card-name' });
  const what = h('span', { class: 'card-what' });
  const count = h('span');
  const watching = h('span', { class: 'card-watching' }, icon(glyphs.eye), count);
  const over = h('span', { class: 'card-watching' }, words.lobby.over);
  const node = h(
    'a',
    { class: 'card', href: `/room/${room}` },
    h('span', { class: 'mini-wrap' }, board),
    h('span', { class: 'card-players' }, h('span', { class: 'card-player' }, h('i', { class: 'chip black' }), black), h('span', { class: 'card-player' }, h('i', { class: 'chip white' }), white)),
    h('span', { class: 'card-foot' }, what, watching, over),
  );
  let drawn: GameCard | null = null;
  return {
    node,
    update(game) {
      if (game === drawn) return;
      if (!drawn || game.moves.join() !== drawn.moves.join()) drawMini(board, game.size, game.moves);
      drawn = game;
      setText(black, nameWith(game.black, game.white));
      setText(white, nameWith(game.white, game.black));
      setText(what, describeGame(game));
      setText(count, String(game.spectators));
      setAttribute(watching, 'title', words.lobby.watching(game.spectators));
      show(watching, game.spectators > 0 && !game.over);
      show(over, game.over);
      node.classList.toggle('over', game.over);
    },
  };
}

/** Two people may have the same name; then a part of the id tells them apart. */
function nameWith(player: Person, other: Person): string {
  return player.name === other.name ? `${player.name} (${player.id.slice(0, 4)})` : player.name;
}

const cell = 10;

function drawMini(board: SVGSVGElement, sizeText: string, moves: string[]): void {
  const size = parseSize(sizeText);
  if (!size) return;
  const [width, height] = [size.width * cell, size.height * cell];
  board.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const lines: string[] = [];
  for (let x = 0; x < size.width; x++) lines.push(`M${x * cell + 5} 5V${height - 5}`);
  for (let y = 0; y < size.height; y++) lines.push(`M5 ${y * cell + 5}H${width - 5}`);
  const nodes: SVGElement[] = [s('path', { class: 'lines', d: lines.join('') })];
  for (const [i, move] of moves.entries()) {
    const point = parsePoint(move, size);
    if (!point) continue;
    const [cx, cy] = [point.x * cell + 5, height - 5 - point.y * cell];
    nodes.push(s('circle', { class: i % 2 === 0 ? 'black' : 'white', cx, cy, r: 4.4 }));
    if (i === moves.length - 1) nodes.push(s('circle', { class: 'mini-last', cx, cy, r: 1.7 }));
  }
  board.replaceChildren(...nodes);
}
