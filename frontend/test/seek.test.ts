// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Game } from '../src/protocol';
import { createSeek, type Seek } from '../src/seek';
import { en } from '../src/text/en';
import { createBench, hello, type Bench } from './fakeline';

const game: Game = { rule: 'renju', size: '15x15', clock: { main: 300_000 } };
let bench: Bench;
let seek: Seek;
let found: string[];

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
  sessionStorage.clear();
  bench = createBench();
  found = [];
  seek = createSeek(bench.socket, (room) => found.push(room));
  bench.socket.start();
  bench.line().say(hello(1_000, { rooms: ['old'] }));
});

afterEach(() => {
  bench.socket.stop();
  vi.useRealTimers();
});

const answer = (): void => bench.line().say({ type: 'ok', id: bench.line().last('seek')!.id });
async function reconnect(extra: object): Promise<void> {
  bench.line().drop();
  await vi.advanceTimersByTimeAsync(200);
  bench.line().say(hello(2_000, extra));
}

it('waits and finds', () => {
  void seek.start(game);
  answer();
  expect(seek.current.get()).toMatchObject({ game, since: 1_000 });
  bench.line().say({ type: 'paired', room: 'new' });
  expect([seek.current.get(), found]).toEqual([null, ['new']]);
});

it('stops when the server refuses, and says why', async () => {
  const failure = seek.start(game);
  bench.line().say({ type: 'error', id: bench.line().last('seek')!.id, code: 'bad_game', text: 'No such game.' });
  expect(await failure).toBe(en.refusals.bad_game);
  expect(seek.current.get()).toBeNull();
});

it('ends when another tab calls it off', async () => {
  const started = seek.start(game);
  answer();
  await started;
  bench.line().say({ type: 'unseeking' });
  expect([seek.current.get(), found]).toEqual([null, []]);
});

it('is not ended by the end of an earlier one', async () => {
  void seek.start(game);
  answer();
  seek.cancel();
  const again = seek.start(game);
  bench.line().say({ type: 'unseeking' });
  expect(seek.current.get()).not.toBeNull();
  answer();
  expect(await again).toBeNull();
  expect(seek.current.get()).not.toBeNull();
});

it('lives on over a short break', async () => {
  void seek.start(game);
  answer();
  await reconnect({ rooms: ['old'], seeking: { since: 1_000, game } });
  expect(bench.line().last('seek')).toBeUndefined();
  expect(seek.current.get()).not.toBeNull();
});

it('begins anew after a long one', async () => {
  void seek.start(game);
  answer();
  await reconnect({ rooms: ['old'] });
  expect(bench.line().last('seek')).toMatchObject({ game });
});

it('goes to the game that was found while the line was down', async () => {
  void seek.start(game);
  answer();
  await reconnect({ rooms: ['old', 'new'] });
  expect(found).toEqual(['new']);
});

it('can be given up', () => {
  void seek.start(game);
  answer();
  seek.cancel();
  expect(bench.line().last('unseek')).toBeDefined();
  bench.line().say({ type: 'paired', room: 'other' }); // another tab's
  expect(found).toEqual([]);
});

const elsewhere = (): void => bench.line().say({ type: 'seeking', since: 900, game });

it('is shown when another tab begins it, which goes to the game alone', () => {
  elsewhere();
  expect(seek.current.get()).toEqual({ game, since: 900 });
  bench.line().say({ type: 'paired', room: 'new' });
  expect([seek.current.get(), seek.found.get(), found]).toEqual([null, 'new', []]);
  elsewhere();
  expect(seek.found.get()).toBeNull();
});

it('has led to a game until that is over', async () => {
  elsewhere();
  bench.line().say({ type: 'paired', room: 'new' });
  await reconnect({ rooms: ['old', 'new'] });
  expect(seek.found.get()).toBe('new');
  bench.line().drop();
  await vi.advanceTimersByTimeAsync(2_000);
  bench.line().say(hello(9_000, { rooms: ['old'] }));
  expect(seek.found.get()).toBeNull();
});

it('can be given up where it did not begin', () => {
  elsewhere();
  seek.cancel();
  expect(bench.line().last('unseek')).toBeDefined();
  bench.line().say({ type: 'unseeking' });
  expect(seek.current.get()).toBeNull();
});

it('is not begun anew by a tab that only showed it', async () => {
  elsewhere();
  await reconnect({ rooms: ['old'] });
  expect(bench.line().last('seek')).toBeUndefined();
  expect(seek.current.get()).toBeNull();
});

it.each([true, false])('is still the tab’s own after a reload, if it was: %s', (own) => {
  if (own) void seek.start(game);
  else elsewhere();
  if (own) answer();
  seek = createSeek(bench.socket, (room) => found.push(`${room} after a reload`));
  bench.line().say(hello(2_000, { rooms: ['old'], seeking: { since: 1_000, game } }));
  bench.line().say({ type: 'paired', room: 'new' });
  expect(found.includes('new after a reload')).toBe(own);
  expect(seek.found.get()).toBe(own ? null : 'new');
});

it('is no longer the tab’s own once it is over', async () => {
  const started = seek.start(game);
  answer();
  await started;
  bench.line().say({ type: 'unseeking' });
  elsewhere();
  bench.line().say({ type: 'paired', room: 'new' });
  expect(found).toEqual([]);
});
