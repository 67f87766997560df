import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Game } from '../src/protocol';
import { createSeek, type Seek } from '../src/seek';
import { createBench, hello, type Bench } from './fakeline';

const game: Game = { rule: 'renju', size: '15x15', clock: { main: 300_000 } };
let bench: Bench;
let seek: Seek;
let found: string[];

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
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
  expect(await failure).toBe('No such game.');
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
