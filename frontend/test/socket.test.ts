import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventsMessage, RoomMessage, ServerMessage } from '../src/protocol';
import type { Answer } from '../src/outbox';
import { en } from '../src/text/en';
import { createBench, hello, type Bench } from './fakeline';

let bench: Bench;

beforeEach(() => {
  vi.useFakeTimers({ now: 500_000 });
  bench = createBench();
  bench.socket.start();
});

afterEach(() => {
  bench.socket.stop();
  vi.useRealTimers();
});

const place = { type: 'place', room: 'r', version: 4, ply: 2, point: 'g7' } as const;

/** A command's answer, once it is there. */
function ask(command: Parameters<Bench['socket']['send']>[0]): { answer: Answer | null } {
  const asked: { answer: Answer | null } = { answer: null };
  void bench.socket.send(command).then((answer) => (asked.answer = answer));
  return asked;
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe('the line', () => {
  it('is open after the hello', () => {
    expect(bench.socket.state().kind).toBe('connecting');
    bench.line().say(hello());
    expect(bench.socket.state().kind).toBe('open');
  });

  it('comes back after a break, soon at first and then more slowly', async () => {
    bench.line().say(hello());
    bench.line().drop();
    expect(bench.socket.state().kind).toBe('waiting');
    await vi.advanceTimersByTimeAsync(150);
    expect(bench.lines).toHaveLength(2);
    const pauses: number[] = [];
    for (let i = 0; i < 9; i++) {
      bench.line().drop(1012);
      const state = bench.socket.state();
      pauses.push(state.kind === 'waiting' ? state.until - Date.now() : NaN);
      await vi.advanceTimersByTimeAsync(5_001);
    }
    expect(pauses[0]).toBeLessThan(600);
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(2_500);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(5_000);
  });

  it('renews the session when a connection was refused', async () => {
    bench.line().drop(1006);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(bench.renewals).toBe(1);
    expect(bench.lines).toHaveLength(2);
  });

  it('does not wait forever for a renewal that hangs', async () => {
    bench.renewal = new Promise(() => {});
    bench.line().drop(1006);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(bench.renewals).toBe(1);
    expect(bench.lines).toHaveLength(2);
  });

  it('keeps the line that was made while a renewal was under way', async () => {
    let renewed = (): void => {};
    bench.renewal = new Promise((resolve) => (renewed = resolve));
    bench.line().drop(1006);
    await vi.advanceTimersByTimeAsync(1_000);
    bench.socket.wake();
    bench.line().say(hello());
    renewed();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(bench.lines).toHaveLength(2);
  });

  it('waits as long as the server asks when it drains', async () => {
    bench.line().say(hello());
    bench.line().say({ type: 'bye', reason: 'draining', retry: 1500 });
    bench.line().drop(4000);
    await vi.advanceTimersByTimeAsync(1_499);
    expect(bench.lines).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(800);
    expect(bench.lines).toHaveLength(2);
  });

  it.each([4001, 4002, 1001])('comes back after code %d', async (code) => {
    bench.line().say(hello());
    bench.line().drop(code);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(bench.lines.length).toBeGreaterThan(1);
  });

  it.each([4500, 4501, 4502, 4503, 4504])('stays away after code %d until asked', async (code) => {
    bench.line().say(hello());
    bench.line().drop(code);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(bench.socket.state()).toEqual({ kind: 'stopped', code });
    expect(bench.lines).toHaveLength(1);
    bench.socket.restart();
    expect(bench.lines).toHaveLength(2);
  });

  it('notices a line that is dead on one side', async () => {
    bench.line().say(hello());
    await vi.advanceTimersByTimeAsync(9_999);
    expect(bench.lines).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(bench.lines[0]!.closed).toBe(true);
    expect(bench.lines).toHaveLength(2);
  });

  it('stays while pings are answered', async () => {
    const line = bench.line();
    line.say(hello());
    for (let i = 0; i < 20; i++) {
      line.say({ type: 'pong', id: line.last('ping')!.id, now: Date.now() });
      await vi.advanceTimersByTimeAsync(8_000);
    }
    expect(bench.lines).toHaveLength(1);
  });

  it('hears nothing from a line that it has left', () => {
    const heard: ServerMessage[] = [];
    bench.socket.onMessage((message) => heard.push(message));
    const old = bench.line();
    bench.socket.restart();
    old.say(hello());
    old.drop();
    expect(heard).toEqual([]);
    expect(bench.socket.state().kind).toBe('connecting');
  });

  it('connects at once when the page wakes up', () => {
    bench.line().say(hello());
    bench.line().drop();
    bench.socket.wake();
    expect(bench.lines).toHaveLength(2);
  });

  it('checks a line that seems open when the page wakes up', async () => {
    bench.line().say(hello());
    bench.line().say({ type: 'pong', id: bench.line().last('ping')!.id, now: 0 });
    bench.socket.wake();
    await vi.advanceTimersByTimeAsync(3_300);
    expect(bench.lines).toHaveLength(2);
  });

  it('gives up sooner on a line that was begun before the page woke up', async () => {
    bench.socket.wake();
    await vi.advanceTimersByTimeAsync(3_300);
    expect(bench.lines).toHaveLength(2);
  });

  it('survives what is no message', () => {
    bench.line().say(hello());
    expect(() => bench.line().say(null as unknown as ServerMessage)).not.toThrow();
    expect(() => bench.line().say([1] as unknown as ServerMessage)).not.toThrow();
  });
});

describe("the server's time", () => {
  it('is taken from the hello, and better from pings', async () => {
    bench.line().say(hello(1_000_000));
    expect(bench.socket.now()).toBe(1_000_000);
    const { id } = bench.line().last('ping')!;
    await vi.advanceTimersByTimeAsync(200);
    bench.line().say({ type: 'pong', id, now: 1_000_400 });
    expect(bench.socket.now()).toBe(1_000_500); // half of the 200 ms there and back
    expect(bench.socket.time.rtt()).toBe(200);
  });
});

describe('commands', () => {
  it('are answered by their id', async () => {
    bench.line().say(hello());
    const [first, second] = [ask({ type: 'sit', room: 'r', version: 2 }), ask({ type: 'resign', room: 'r', version: 2 })];
    const [sit, resign] = [bench.line().last('sit')!, bench.line().last('resign')!];
    expect(sit.id).not.toBe(resign.id);
    bench.line().say({ type: 'error', id: resign.id, code: 'not_playing', text: 'No.' });
    bench.line().say({ type: 'ok', id: sit.id, room: 'r', version: 3 });
    await settle();
    expect(first.answer).toEqual({ ok: true, room: 'r', version: 3 });
    expect(second.answer).toEqual({ ok: false, code: 'not_playing', text: en.refusals.not_playing });
  });

  it('wait for the line', () => {
    ask(place);
    expect(bench.line().sent).toEqual([]);
    bench.line().say(hello());
    expect(bench.line().last('place')).toMatchObject(place);
  });

  it('are sent again over a new line, with the same id, until they are answered', async () => {
    bench.line().say(hello());
    const asked = ask(place);
    const { id } = bench.line().last('place')!;
    bench.line().drop();
    await vi.advanceTimersByTimeAsync(150);
    bench.line().say(hello());
    expect(bench.line().last('place')!.id).toBe(id);
    bench.line().say({ type: 'ok', id, room: 'r', version: 9 });
    await settle();
    expect(asked.answer).toMatchObject({ ok: true, version: 9 });
    bench.line().drop();
    await vi.advanceTimersByTimeAsync(400);
    bench.line().say(hello());
    expect(bench.line().last('place')).toBeUndefined();
  });

  it('are sent again when the answer does not come', async () => {
    const line = bench.line();
    line.say(hello());
    ask(place);
    for (let i = 0; i < 3; i++) {
      await vi.advanceTimersByTimeAsync(7_000);
      line.say({ type: 'pong', id: line.last('ping')!.id, now: 0 });
    }
    const ids = line.sent.filter(({ type }) => type === 'place').map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(1);
  });

  it('are asked again when the server is busy', async () => {
    bench.line().say(hello());
    const asked = ask(place);
    const { id } = bench.line().last('place')!;
    bench.line().say({ type: 'error', id, code: 'busy', text: 'Later.' });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked.answer).toBeNull();
    expect(bench.line().sent.filter(({ type }) => type === 'place')).toHaveLength(2);
  });
});

describe('a room', () => {
  const snapshot = (version: number, id?: string): RoomMessage =>
    ({ type: 'room', room: 'r', epoch: 'e1', version, now: 1, spectators: 0, state: {}, view: {}, ...(id && { id }) }) as unknown as RoomMessage;
  const events = (version: number, count: number, extra: object = {}): EventsMessage => ({
    type: 'events',
    room: 'r',
    version,
    now: 1,
    events: Array.from({ length: count }, (_, i) => ({ kind: 'back', at: version - count + i + 1, color: 'black' }) as const),
    view: { running: false },
    ...extra,
  });
  const follow = () => {
    const seen: number[] = [];
    const refused: string[] = [];
    const stop = bench.socket.follow('r', {
      room: ({ version }) => void seen.push(version),
      events: (message) => void seen.push(...message.events.map(({ at }) => at)),
      spectators: () => {},
      refused: (code) => void refused.push(code),
    });
    return { seen, refused, stop };
  };
  const join = () => bench.line().last('join')!;

  it('is joined when the line is there', () => {
    follow();
    expect(bench.line().sent).toEqual([]);
    bench.line().say(hello());
    expect(join()).toMatchObject({ room: 'r' });
    expect(join()).not.toHaveProperty('have');
  });

  it('gives every event once and in order', () => {
    bench.line().say(hello());
    const { seen } = follow();
    bench.line().say(events(4, 1)); // before the snapshot, which holds it
    bench.line().say(snapshot(4, join().id));
    bench.line().say(events(5, 1));
    bench.line().say(events(6, 3)); // 4 and 5 are known
    bench.line().say(events(6, 1)); // said twice
    expect(seen).toEqual([4, 5, 6]);
  });

  it('asks for what is missing', () => {
    bench.line().say(hello());
    const { seen } = follow();
    bench.line().say(snapshot(4, join().id));
    bench.line().say(events(7, 1));
    expect(seen).toEqual([4]);
    expect(join()).toMatchObject({ epoch: 'e1', have: 4 });
    bench.line().say(events(7, 3, { id: join().id }));
    expect(seen).toEqual([4, 5, 6, 7]);
  });

  it('is taken up again after a break with what it has', async () => {
    bench.line().say(hello());
    const { seen } = follow();
    bench.line().say(snapshot(4, join().id));
    bench.line().drop();
    await vi.advanceTimersByTimeAsync(150);
    bench.line().say(hello());
    expect(join()).toMatchObject({ epoch: 'e1', have: 4 });
    bench.line().say(events(6, 2, { id: join().id }));
    expect(seen).toEqual([4, 5, 6]);
  });

  it('comes before the commands that were not answered', async () => {
    bench.line().say(hello());
    follow();
    bench.line().say(snapshot(4, join().id));
    ask(place);
    bench.line().drop();
    await vi.advanceTimersByTimeAsync(150);
    bench.line().say(hello());
    expect(bench.line().sent.map(({ type }) => type)).toEqual(['join', 'place', 'ping']);
  });

  it('answers the command that its events carry', async () => {
    bench.line().say(hello());
    follow();
    bench.line().say(snapshot(4, join().id));
    const asked = ask(place);
    bench.line().say(events(5, 1, { id: bench.line().last('place')!.id, by: 'me' }));
    await settle();
    expect(asked.answer).toMatchObject({ ok: true, version: 5 });
  });

  it('may not exist', () => {
    bench.line().say(hello());
    const { refused } = follow();
    bench.line().say({ type: 'error', id: join().id, room: 'r', code: 'no_such_room', text: 'No.' });
    expect(refused).toEqual(['no_such_room']);
  });

  it('is joined again when the server is busy, which is said once', async () => {
    bench.line().say(hello());
    const { seen, refused } = follow();
    const first = join().id;
    bench.line().say({ type: 'error', id: first, room: 'r', code: 'busy', text: 'Later.', retry: 5_000 });
    await vi.advanceTimersByTimeAsync(4_900);
    expect(join().id).toBe(first);
    await vi.advanceTimersByTimeAsync(200);
    expect(join().id).not.toBe(first);
    bench.line().say({ type: 'error', id: join().id, room: 'r', code: 'busy', text: 'Later.' });
    await vi.advanceTimersByTimeAsync(2_100);
    bench.line().say(snapshot(4, join().id));
    expect(seen).toEqual([4]);
    expect(refused).toEqual(['busy']);
  });

  it('is left', () => {
    bench.line().say(hello());
    const { seen, stop } = follow();
    bench.line().say(snapshot(4, join().id));
    stop();
    expect(bench.line().last('leave')).toMatchObject({ room: 'r' });
    bench.line().say(events(5, 1));
    expect(seen).toEqual([4]);
  });
});

describe('refusals that pass', () => {
  it('a busy server is asked until it answers', async () => {
    const line = bench.line();
    line.say(hello());
    const asked = ask(place);
    for (let i = 0; i < 40; i++) {
      line.say({ type: 'error', id: line.last('place')!.id, code: 'busy', text: 'Later.' });
      await vi.advanceTimersByTimeAsync(1_500);
    }
    expect(asked.answer).toBeNull();
    line.say({ type: 'ok', id: line.last('place')!.id });
    await settle();
    expect(asked.answer).toMatchObject({ ok: true });
  });
  it('a limit that lasts is told', async () => {
    bench.line().say(hello());
    const asked = ask(place);
    bench.line().say({ type: 'error', id: bench.line().last('place')!.id, code: 'too_many', text: 'Wait.', limit: 'rooms_per_minute', retry: 60_000 });
    await settle();
    expect(asked.answer).toEqual({ ok: false, code: 'too_many', text: en.limits.rooms_per_minute });
  });
  it('a limit that passes at once is not', async () => {
    bench.line().say(hello());
    const asked = ask(place);
    bench.line().say({ type: 'error', id: bench.line().last('place')!.id, code: 'too_many', text: 'Wait.', limit: 'commands_per_second', retry: 200 });
    await vi.advanceTimersByTimeAsync(250);
    expect(asked.answer).toBeNull();
    expect(bench.line().sent.filter(({ type }) => type === 'place')).toHaveLength(2);
  });
});
