// The board that people touch: it draws the state, reports the points that were
// played, and is a grid to screen readers and to the keyboard.

import { createCells } from './cells';
import { parsePoint, pointName, samePoint, type Point } from './coords';
import { h, show, setText } from './dom';
import { nearest, pitch, place } from './geometry';
import { emptyHand, handle, type Input, type Refused, type Table } from './placing';
import { createDrawing, type BoardState } from './render';
import { toast } from './speech';
import { load, save } from './storage';
import { words } from './text';

export interface Board {
  node: HTMLElement;
  /** Warnings, and the button that confirms a chosen point. Where it stands is the page's matter. */
  bar: HTMLElement;
  update(state: BoardState): void;
  unmount(): void;
}

/** On smaller distances between the lines, in pixels, a finger needs the magnifier. */
const fingerPitch = 26;

/** The magnifier needs so many pixels above the finger. */
const loupeRoom = 200;

/** `onReturn` is told that they want to play, and look at an earlier position. */
export function createBoard(onPlay: (point: string) => void, onReturn: () => void = () => {}): Board {
  const drawing = createDrawing();
  const cells = createCells();
  const loupe = h('div', { class: 'loupe-frame', hidden: true }, drawing.mirror);
  const node = h('div', { class: 'board' }, drawing.node, cells.node, loupe);
  const hint = h('p', { class: 'hint', 'aria-live': 'polite' });
  const button = h('button', { class: 'button primary', type: 'button', hidden: true, onclick: () => input({ type: 'confirm' }) });
  const bar = h('div', { class: 'board-bar' }, hint, button);
  let state: BoardState | null = null;
  let hand = emptyHand;
  let pointer: number | null = null; // the one that is pressed
  let small = false; // for a finger

  function draw(): void {
    if (!state) return;
    const width = drawing.node.clientWidth || 600;
    drawing.update(state, hand, width);
    cells.update(state, hand, drawing.frame());
    small = (width / drawing.frame().width) * pitch < fingerPitch;
    show(loupe, hand.aim !== null && (small || state.placing === 'drag'));
    if (hand.aim) putLoupe(hand.aim);
    node.classList.toggle('playable', state.mover !== null || state.past);
    node.classList.toggle('seated', state.seated);
    drawBar();
  }

  /** Above the finger, or beside it where there is no room above. */
  function putLoupe(aim: Point): void {
    const frame = drawing.frame();
    const { x, y } = place(frame, aim);
    const box = drawing.node.getBoundingClientRect();
    const high = box.top + (y / frame.height) * box.height < loupeRoom;
    const leftHalf = x < frame.width / 2;
    const share = (x / frame.width) * 100;
    loupe.style.setProperty('left', `${high ? share : Math.min(80, Math.max(20, share))}%`);
    loupe.style.setProperty('top', `${(y / frame.height) * 100}%`);
    loupe.classList.toggle('right', high && leftHalf);
    loupe.classList.toggle('left', high && !leftHalf);
  }

  function drawBar(): void {
    const { chosen, refused, typed } = hand;
    show(button, chosen !== null && state?.mover !== null);
    if (chosen) setText(button, words.board.confirm(pointName(chosen)));
    setText(hint, typed !== '' ? words.board.typing(typed) : refused ? refusal(refused) : warning(chosen));
  }

  function refusal(refused: Refused): string {
    if (refused.why === 'nowhere') return words.board.nowhere(refused.typed);
    return refused.why === 'taken' ? words.board.taken(pointName(refused.point)) : warning(refused.point);
  }

  function warning(point: Point | null): string {
    const foul = point && foulAt(point);
    if (!foul) return '';
    const say = state?.refusesForbidden ? words.board.foulRefused : words.board.foulHint;
    return say(pointName(point), words.fouls[foul]);
  }

  const foulAt = (point: Point) => state?.forbidden.find((one) => one.point === pointName(point))?.foul;

  function table(current: BoardState): Table {
    return {
      size: current.size,
      placing: current.placing,
      open: current.mover !== null,
      free: (point) => !current.stones.some((stone) => samePoint(parsePoint(stone.point, current.size), point)),
      risky: (point) => !current.refusesForbidden && foulAt(point) !== undefined,
      barred: (point) => current.refusesForbidden && foulAt(point) !== undefined,
    };
  }

  function input(event: Input): void {
    if (!state) return;
    if (state.past && (event.type === 'release' || event.type === 'enter')) return onReturn();
    const { hand: next, play } = handle(hand, event, table(state));
    hand = next;
    draw();
    if (play) onPlay(pointName(play));
  }

  function under(event: PointerEvent): Point | null {
    const box = drawing.node.getBoundingClientRect();
    const frame = drawing.frame();
    return nearest(frame, {
      x: ((event.clientX - box.left) / box.width) * frame.width,
      y: ((event.clientY - box.top) / box.height) * frame.height,
    });
  }

  node.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !event.isPrimary) {
      if (pointer !== null) input({ type: 'cancel' }); // a second finger: they want to zoom
      pointer = null;
      return;
    }
    pointer = event.pointerId;
    node.setPointerCapture(event.pointerId);
    input({ type: 'press', point: under(event), touch: event.pointerType === 'touch' });
  });
  node.addEventListener('pointermove', (event) => {
    if (pointer === event.pointerId) input({ type: 'slide', point: under(event) });
    else if (pointer === null && event.pointerType !== 'touch') hover(under(event));
  });
  node.addEventListener('pointerup', (event) => {
    if (pointer !== event.pointerId) return;
    pointer = null;
    input({ type: 'release', point: under(event) });
    if (event.pointerType === 'touch' && small && hand.chosen) teachAiming();
  });
  node.addEventListener('pointercancel', () => {
    pointer = null;
    input({ type: 'cancel' });
  });
  node.addEventListener('pointerleave', () => hover(null));
  // A click must not move the focus here, or the arrow keys would leave the replay.
  node.addEventListener('mousedown', (event) => event.preventDefault());
  node.addEventListener('contextmenu', (event) => {
    if (pointer !== null) event.preventDefault(); // a long press aims
  });

  function hover(point: Point | null): void {
    if (!samePoint(point, hand.hover)) input({ type: 'hover', point });
  }

  cells.grid.addEventListener('keydown', (event) => {
    const key = inputOfKey(event);
    if (!key) return;
    event.preventDefault();
    event.stopPropagation();
    input(key);
  });
  cells.grid.addEventListener('focus', () => {
    if (!hand.cursor) input({ type: 'step', dx: 0, dy: 0 });
  });
  cells.grid.addEventListener('blur', () => {
    hand = { ...hand, cursor: null, typed: '' };
    draw();
  });
  // Screen readers press a cell without any pointer.
  cells.grid.addEventListener('click', (event) => {
    const point = event.detail === 0 ? cells.pointOf(event.target) : null;
    if (!point) return;
    input({ type: 'press', point, touch: false });
    input({ type: 'release', point });
  });

  const resized = new ResizeObserver(draw);
  resized.observe(node);

  return {
    node,
    bar,
    update(next) {
      state = next;
      const { chosen } = hand;
      if (chosen && (!next.mover || !table(next).free(chosen))) hand = { ...hand, chosen: null };
      draw();
    },
    unmount: () => resized.disconnect(),
  };
}

/** Says once on every device that a finger that slides has a magnifier. */
function teachAiming(): void {
  const key = 'gomokud.taught';
  if (load(key, { aiming: false }).aiming) return;
  save(key, { aiming: true });
  toast(words.board.aiming);
}

const steps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

function inputOfKey(event: KeyboardEvent): Input | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const step = steps[event.key];
  if (step) return { type: 'step', dx: step[0], dy: step[1] };
  if (event.key === 'Enter' || event.key === ' ') return { type: 'enter' };
  if (event.key === 'Escape') return { type: 'cancel' };
  if (event.key === 'Backspace') return { type: 'erase' };
  return /^[a-zA-Z0-9]$/.test(event.key) ? { type: 'type', character: event.key } : null;
}
