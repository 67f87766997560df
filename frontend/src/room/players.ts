// The two players with their clocks.

import { clockText, face, unlimited, type Face } from '../clock';
import { h, setAttribute, setText, show } from '../dom';
import type { Color } from '../protocol';
import { play } from '../sound';
import { speak } from '../speech';
import { spentAt, type Room } from '../state';
import { colorWord, words } from '../text';

export interface PlayerPanel {
  node: HTMLElement;
  update(room: Room, color: Color, mine: boolean): void;
  /** Shows the clock as it stands at this server time. */
  tick(now: number): void;
}

export function createPlayerPanel(place: 'top' | 'bottom'): PlayerPanel {
  const stone = h('span', { class: 'chip', 'aria-hidden': 'true' });
  const name = h('span', { class: 'player-name' });
  const note = h('span', { class: 'player-note' });
  const score = h('span', { class: 'player-score' });
  const time = h('span', { class: 'clock-time' });
  const extra = h('span', { class: 'clock-extra' });
  const clock = h('div', { class: 'clock', role: 'timer', 'aria-live': 'off' }, time, extra);
  const node = h(
    'section',
    { class: `player player-${place}` },
    stone,
    h('div', { class: 'player-who' }, h('div', { class: 'player-line' }, name, score), note),
    clock,
  );
  let shown: { room: Room; color: Color; mine: boolean } | null = null;
  let warned = '';

  return {
    node,
    update(room, color, mine) {
      shown = { room, color, mine };
      const seat = room[color];
      const turn = room.phase === 'playing' && room.view.turn === color;
      setAttribute(stone, 'class', `chip ${color}`);
      setText(name, seat?.name ?? words.room.free);
      setAttribute(name, 'title', seat ? `${seat.name} · ${seat.id.slice(0, 6)}` : null);
      const marks = [colorWord(color)];
      if (mine) marks.push(words.you);
      if (seat && seat.name === room[color === 'black' ? 'white' : 'black']?.name) marks.push(seat.id.slice(0, 6));
      setText(note, seat?.away && room.phase === 'playing' ? words.line.reconnecting : marks.join(' · '));
      setText(score, room.number > 1 || (seat?.score ?? 0) > 0 ? String(seat?.score ?? '') : '');
      setAttribute(score, 'aria-label', words.room.score(String(seat?.score ?? 0)));
      setAttribute(score, 'role', 'img');
      node.classList.toggle('turn', turn);
      node.classList.toggle('away', Boolean(seat?.away) && room.phase === 'playing');
      setAttribute(node, 'aria-label', `${colorWord(color)}: ${seat?.name ?? words.room.free}${turn ? `, ${words.room.turnOf(colorWord(color))}` : ''}`);
      show(score, score.textContent !== '');
      show(clock, !unlimited(room.game.clock));
    },
    tick(now) {
      if (!shown || unlimited(shown.room.game.clock)) return;
      const { room, color, mine } = shown;
      const dial = faceOf(room, color, now);
      const running = room.view.running && room.view.turn === color;
      setText(time, clockText(dial.left));
      const { increment } = room.game.clock;
      const rest = dial.periods > 0 ? words.clock.periodsLeft(dial.periods) : increment ? words.clock.increments(String(increment / 1000)) : '';
      setText(extra, rest);
      const low = dial.low && room.phase === 'playing';
      clock.classList.toggle('low', low);
      clock.classList.toggle('running', running);
      // Once a game, or it would nag at every move; but every period can be the last.
      const key = dial.overtime ? `${room.number}/${room.moves.length}` : String(room.number);
      if (low && running && mine && warned !== key) {
        warned = key;
        play('low');
        speak(words.clock.low(clockText(dial.left)));
      }
    },
  };
}

function faceOf(room: Room, color: Color, now: number): Face {
  const { view, game } = room;
  const running = view.running && view.turn === color;
  const full = { main: game.clock.main ?? 0, ...(game.clock.periods !== undefined && { periods: game.clock.periods }) };
  return face(game.clock, view.clocks?.[color] ?? full, running ? spentAt(room, now) : 0);
}
