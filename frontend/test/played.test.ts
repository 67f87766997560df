import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GameRecord } from '../src/api';
import { finishedGames, lookUp, noteBegun, noteOver } from '../src/played';
import type { Result } from '../src/protocol';

const key = 'gomokud.played';

/** A browser's storage with room for so many characters. */
function storage(room = Infinity): Pick<Storage, 'getItem' | 'setItem'> {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem(name, value) {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      items.set(name, value);
    },
  };
}

/** What the server answers for each game; others it does not know. */
function server(records: GameRecord[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    const record = records.find(({ room, number }) => path === `/api/rooms/${room}/games/${number}`);
    return record ? Response.json(record) : Response.json({ code: 'no_such_room', text: '' }, { status: 404 });
  });
  return asked;
}

const me = { id: 'b', name: 'Crane' };
const otter = { id: 'w', name: 'Otter' };

function record(part: Partial<GameRecord> = {}): GameRecord {
  return {
    room: 'r',
    number: 1,
    game: { rule: 'renju', size: '15x15', clock: {} },
    black: me,
    white: otter,
    moves: ['h8'],
    result: { winner: 'black', reason: 'five' },
    started: 1_000,
    ended: 2_000,
    ...part,
  };
}

const listed = (): string[] => finishedGames().map(({ room, number }) => `${room}/${number}`);

beforeEach(() => vi.stubGlobal('localStorage', storage()));
afterEach(() => vi.unstubAllGlobals());

it('lists what is to be known of a game', () => {
  noteOver(record(), me.id);
  expect(finishedGames()).toEqual([{ room: 'r', number: 1, opponent: otter, outcome: 'won', rule: 'renju', size: '15x15', at: 2_000 }]);
});

describe('the outcome', () => {
  it.each<[Result | null, string | undefined, string | undefined]>([
    [{ winner: 'black', reason: 'time' }, 'won', 'lost'],
    [{ winner: 'white', reason: 'abandonment' }, 'lost', 'won'],
    [{ reason: 'agreement' }, 'drawn', 'drawn'],
    [{ reason: 'aborted' }, undefined, undefined],
    [null, undefined, undefined],
  ])('of %j', (result, black, white) => {
    for (const [player, outcome] of [[me, black], [otter, white]] as const) {
      vi.stubGlobal('localStorage', storage());
      noteOver(record({ result }), player.id);
      expect(finishedGames()[0]?.outcome).toBe(outcome);
    }
  });
});

it('lists no game that one watched', () => {
  noteOver(record(), 'v');
  noteOver(record(), '');
  expect(finishedGames()).toEqual([]);
});

it('keeps a bot a bot', () => {
  noteOver(record({ white: { id: 'x', name: 'Level 3', bot: 'tengen-3' } }), me.id);
  expect(finishedGames()[0]?.opponent).toEqual({ id: 'x', name: 'Level 3', bot: 'tengen-3' });
});

it('lists a game once, by the latest name and the time of its end', () => {
  noteOver(record(), me.id);
  const { ended: _, ...unseenEnd } = record({ white: { ...otter, name: 'Amber' } });
  noteOver(unseenEnd, me.id);
  expect(finishedGames()).toMatchObject([{ opponent: { name: 'Amber' }, at: 2_000 }]);
});

it('tells the games of a table apart, and lists the latest first', () => {
  for (const [number, ended] of [[2, 5_000], [1, 3_000], [3, 9_000]] as const) noteOver(record({ number, ended }), me.id);
  expect(listed()).toEqual(['r/3', 'r/2', 'r/1']);
});

it('keeps the latest fifty', () => {
  for (let number = 1; number <= 60; number++) noteOver(record({ number, ended: number }), me.id);
  expect(listed()).toHaveLength(50);
  expect([listed()[0], listed()[49]]).toEqual(['r/60', 'r/11']);
});

describe('a storage', () => {
  it('that is full keeps what it has', () => {
    vi.stubGlobal('localStorage', storage(200));
    for (let number = 1; number <= 9; number++) noteOver(record({ number, ended: number }), me.id);
    expect(listed()).toEqual(['r/1']);
  });
  it('that is forbidden keeps nothing', () => {
    const forbidden = (): never => {
      throw new DOMException('no', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden });
    noteBegun('r', 1);
    noteOver(record(), me.id);
    expect(finishedGames()).toEqual([]);
  });
  it.each([
    '{"finished":null,"open":null}',
    '{"finished":{"room":"r"}}',
    '{"finished":[null,1,"r",{"room":"r","number":1},{"room":"r","number":1,"opponent":{"name":"x"},"outcome":"won","rule":"chess","size":"15x15","at":1}]}',
    '{"finished":[{"room":"r","number":1,"opponent":{"name":"x"},"outcome":"toString","rule":"caro","size":"15x15","at":1}]}',
    '{"finished":[{"room":"r","number":1,"opponent":{"name":"x"},"outcome":"won","rule":"caro","size":"15x15","at":1e20}]}',
    '[]',
    'null',
    '{',
  ])('that holds %s lists nothing, and takes games again', (text) => {
    localStorage.setItem(key, text);
    expect(finishedGames()).toEqual([]);
    noteOver(record(), me.id);
    expect(listed()).toEqual(['r/1']);
  });
});

describe('a game whose end was not seen here', () => {
  it('is looked up once, when it is no longer in progress', async () => {
    const asked = server([record()]);
    noteBegun('r', 1);
    noteBegun('r', 1);
    await lookUp(['r'], me.id);
    expect(asked).toEqual([]);
    for (const _ of [1, 2]) await lookUp([], me.id);
    expect(asked).toEqual(['/api/rooms/r/games/1']);
    expect(listed()).toEqual(['r/1']);
  });
  it('is asked for no more when it was aborted, or the server has forgotten it', async () => {
    const asked = server([record({ result: { reason: 'aborted' } })]);
    noteBegun('r', 1);
    noteBegun('forgotten', 1);
    for (const _ of [1, 2]) await lookUp([], me.id);
    expect(asked).toHaveLength(2);
    expect(listed()).toEqual([]);
  });
  it('is asked for again while it goes on, or there is no answer', async () => {
    const asked = server([record({ result: null })]);
    noteBegun('r', 1);
    for (const _ of [1, 2]) await lookUp([], me.id);
    expect(asked).toHaveLength(2);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no line')));
    await lookUp([], me.id);
    server([record()]);
    await lookUp([], me.id);
    expect(listed()).toEqual(['r/1']);
  });
  it('is not asked for while it is unknown who reads', async () => {
    const asked = server([record()]);
    noteBegun('r', 1);
    await lookUp([], '');
    expect(asked).toEqual([]);
    await lookUp([], me.id);
    expect(listed()).toEqual(['r/1']);
  });
  it('is not asked for when its end was seen', async () => {
    const asked = server([record()]);
    noteBegun('r', 1);
    noteOver(record(), me.id);
    await lookUp([], me.id);
    expect(asked).toEqual([]);
  });
});
