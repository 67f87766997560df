// The list of moves and the controls that step through them.

import { h, setAttribute, setText } from '../dom';
import { words } from '../text';
import { icon } from '../ui/icon';
import { moveWord } from './model';

export interface MoveList {
  node: HTMLElement;
  update(moves: string[], shown: number): void;
  /** Steps as an arrow key does; reports whether the key was one of ours. */
  key(event: KeyboardEvent): boolean;
}

/** `look` is told which position is wanted: so many moves from the start. */
export function createMoveList(look: (move: number) => void): MoveList {
  const list = h('ol', { class: 'move-list', tabindex: 0, 'aria-label': words.replay.heading });
  const count = h('span', { class: 'move-count' });
  const step = (label: string, path: string, target: () => number): HTMLButtonElement => {
    const node = h('button', { class: 'button icon', type: 'button', 'aria-label': label, title: label, onclick: () => look(target()) });
    node.append(icon(path));
    return node;
  };
  const first = step(words.replay.first, 'M6 5v14M19 5l-9 7 9 7z', () => 0);
  const previous = step(words.replay.previous, 'M16 5l-9 7 9 7z', () => shown - 1);
  const next = step(words.replay.next, 'M8 5l9 7-9 7z', () => shown + 1);
  const last = step(words.replay.last, 'M18 5v14M5 5l9 7-9 7z', () => all.length);
  const slider = h('input', {
    type: 'range',
    class: 'move-slider',
    min: 0,
    'aria-label': words.replay.slider,
    oninput: () => look(Number(slider.value)),
  });
  const node = h(
    'section',
    { class: 'moves', 'aria-label': words.replay.heading },
    list,
    h('div', { class: 'move-controls' }, first, previous, slider, next, last),
    count,
  );
  let all: string[] = [];
  let shown = 0;

  function fill(moves: string[]): void {
    // Only the end changes while a game goes on; the rest stays as it is.
    let same = 0;
    while (same < moves.length && same < all.length && moves[same] === all[same]) same++;
    while (list.childElementCount > same) list.lastElementChild?.remove();
    for (let i = same; i < moves.length; i++) {
      const button = h('button', { type: 'button', onclick: () => look(i + 1) }, moveWord(moves[i]!));
      setAttribute(button, 'aria-label', `${i + 1}. ${moveWord(moves[i]!)}`);
      list.append(h('li', { class: i % 2 === 0 ? 'black' : 'white', 'data-number': i % 2 === 0 ? String(i / 2 + 1) : '' }, button));
    }
    all = [...moves];
  }

  return {
    node,
    update(moves, position) {
      const grown = moves.length !== all.length;
      fill(moves);
      const changed = position !== shown || grown;
      shown = position;
      for (const [i, item] of [...list.children].entries()) {
        const current = i + 1 === shown;
        item.classList.toggle('later', i + 1 > shown);
        setAttribute(item.firstElementChild!, 'aria-current', current ? 'step' : null);
        if (current && changed) keepInView(list, item as HTMLElement);
      }
      slider.max = String(moves.length);
      slider.value = String(shown);
      setAttribute(slider, 'aria-valuetext', words.replay.of(shown, moves.length));
      first.disabled = previous.disabled = shown === 0;
      next.disabled = last.disabled = shown === moves.length;
      setText(count, words.replay.of(shown, moves.length));
    },
    key(event) {
      const target = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: all.length }[event.key];
      if (target === undefined || !freeKey(event)) return false;
      if (target >= 0 && target <= all.length) look(target);
      return true;
    },
  };
}

/** Scrolls the list alone: the page must not move under the reader. */
function keepInView(list: HTMLElement, item: HTMLElement): void {
  const top = item.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  const bottom = top + item.offsetHeight;
  if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/** Not typed into a field, a dialog or the board. */
function freeKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  const target = event.target instanceof Element ? event.target : null;
  return !target?.closest('input, select, textarea, dialog, [role=grid]');
}

