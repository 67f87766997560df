import { h, setText, show } from '../dom';
import type { Room } from '../state';
import { words } from '../text';

export interface Info {
  node: HTMLElement;
  update(room: Room): void;
}

/** What is played here, by which clock, and who watches. */
export function createInfo(): Info {
  const what = h('h1', { class: 'info-what' });
  const watching = h('span', { class: 'info-watching' });
  const earlier = h('nav', { class: 'info-games', 'aria-label': words.replay.others });
  let linked = -1;
  return {
    node: h('div', { class: 'info' }, what, watching, earlier),
    update(room) {
      const { game, number, spectators } = room;
      const parts = [words.rules[game.rule].title, game.size.replace('x', ' × '), words.clock.describe(game.clock)];
      if (number > 1) parts.push(words.room.game(number));
      setText(what, parts.join(' · '));
      setText(watching, words.room.spectators(spectators));
      show(watching, spectators > 0);
      show(earlier, number > 1);
      if (number === linked) return;
      linked = number;
      const links = Array.from({ length: Math.max(0, number - 1) }, (_, i) => h('a', { href: `/room/${room.id}/${i + 1}` }, words.room.game(i + 1)));
      earlier.replaceChildren(...links);
    },
  };
}
