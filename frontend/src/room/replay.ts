// A game or position that stands still: the board, and steps through its moves.

import { getPosition } from '../api';
import { createBoard } from '../board';
import { parseSize } from '../coords';
import { listen } from '../dom';
import type { ForbiddenPoint, Game } from '../protocol';
import { stonesOf } from '../render';
import { settings } from '../settings';
import { createMoveList, type MoveList } from './moves';

export interface Replayed {
  game: Pick<Game, 'rule' | 'size'>;
  moves: string[];
  row: string[]; // of the last position
}

export interface Replay {
  board: HTMLElement;
  moves: MoveList;
  look(move: number): void;
  unmount(): void;
}

/** Asked for after so long, so that running through a game asks for nothing. */
const restBeforeAsking = 200;

export function createReplay(replayed: Replayed, start: number | null, onLook: (move: number) => void): Replay {
  const { game, moves, row } = replayed;
  const board = createBoard(() => {});
  const list = createMoveList(look);
  let at = Math.min(start ?? moves.length, moves.length);
  let forbidden: ForbiddenPoint[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function look(move: number): void {
    at = Math.min(Math.max(move, 0), moves.length);
    forbidden = [];
    render();
    onLook(at);
    askForbidden();
  }

  /** Only the server knows the rules, and so the points that Black must leave. */
  function askForbidden(): void {
    clearTimeout(timer);
    const shown = at;
    if (game.rule !== 'renju' || shown % 2 === 1 || moves.includes('pass')) return;
    timer = setTimeout(() => {
      void getPosition(game.rule, game.size, moves.slice(0, shown)).then((answer) => {
        if (!answer.ok || shown !== at) return;
        forbidden = answer.value.forbidden ?? [];
        render();
      });
    }, restBeforeAsking);
  }

  function render(): void {
    const { numbers, coordinates, placing, forbidden: marks } = settings.get();
    const stones = stonesOf(moves.slice(0, at));
    board.update({
      size: parseSize(game.size) ?? { width: 15, height: 15 },
      stones,
      last: moves[at - 1] === 'pass' ? null : (stones.at(-1)?.point ?? null),
      sending: null,
      row: at === moves.length ? row : [],
      forbidden: marks ? forbidden : [],
      refusesForbidden: false,
      mover: null,
      seated: false,
      numbers,
      coordinates,
      placing,
    });
    list.update(moves, at);
  }

  const stops = [
    settings.on(render),
    listen(document, 'keydown', (event) => {
      if (list.key(event)) event.preventDefault();
    }),
  ];
  render();
  askForbidden();
  return {
    board: board.node,
    moves: list,
    look,
    unmount() {
      clearTimeout(timer);
      for (const stop of stops) stop();
      board.unmount();
    },
  };
}
