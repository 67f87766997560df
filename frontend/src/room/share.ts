import { h, setAttribute, show } from '../dom';
import type { Game } from '../protocol';
import type { Room } from '../state';
import { words } from '../text';
import { copy } from '../ui/copy';

export interface Share {
  node: HTMLElement;
  update(room: Room, move: number): void;
}

/** Ways to take a finished game, or one position of it, elsewhere. */
export function createShare(): Share {
  const links = createLinks();
  return {
    node: links.node,
    update(room, move) {
      show(links.node, room.phase === 'over' && room.moves.length > 0);
      links.update(room.game, room.moves.slice(0, move), `/room/${room.id}/${room.number}?move=${move}`);
    },
  };
}

export interface Links {
  node: HTMLElement;
  update(game: Pick<Game, 'rule' | 'size'>, moves: string[], address: string): void;
}

export function createLinks(): Links {
  let position = '';
  let address = '';
  const button = (label: string, text: () => string): HTMLElement =>
    h('button', { class: 'button small', type: 'button', onclick: () => void copy(text()) }, label);
  const open = h('a', { class: 'button small' }, words.replay.openPosition);
  return {
    node: h(
      'div',
      { class: 'share' },
      button(words.replay.copyLink, () => new URL(address, location.origin).href),
      button(words.replay.copyPosition, () => position),
      open,
    ),
    update(game, moves, link) {
      position = moves.join('');
      address = link;
      setAttribute(open, 'href', `/position/${game.size}/${game.rule}/${position}`);
    },
  };
}
