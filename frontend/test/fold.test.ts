import { describe, expect, it } from 'vitest';
import { fold, roomAfter, roomOf } from '../src/fold';
import type { EventsMessage, RoomEvent, RoomMessage } from '../src/protocol';
import { claimableAt, seatOf, spentAt, type Room } from '../src/state';

const black = { id: 'p7Qk2mXc9aBd', name: 'Quiet Crane' };
const white = { id: 'p1Zs8nQw4eRt', name: 'Amber Otter' };

// The example of docs/protocol.md.
const snapshot: RoomMessage = {
  type: 'room',
  id: 'c5',
  room: 'k3vQx9LmTz2a',
  epoch: '9f2c11d0',
  version: 7,
  now: 1764000009000,
  spectators: 2,
  state: {
    game: { rule: 'renju', size: '15x15', clock: { main: 300000, increment: 3000 }, forbidden: 'loses' },
    phase: 'playing',
    number: 1,
    host: black.id,
    claim_after: 60000,
    black: { ...black, score: 0 },
    white: { ...white, score: 0, away: 1764000005000 },
    moves: ['h8', 'i9'],
    started: 1764000001000,
    offers: { takeback: 'white' },
  },
  view: { turn: 'black', running: true, spent: 8400, clocks: { black: { main: 298000 }, white: { main: 301200 } }, forbidden: [] },
};
const room = roomOf(snapshot);

it('reads a snapshot', () => {
  expect(room).toMatchObject({ phase: 'playing', claimAfter: 60000, moves: ['h8', 'i9'], offers: { takeback: 'white' }, spectators: 2 });
  expect(seatOf(room, white.id)).toBe('white');
  expect(seatOf(room, 'somebody')).toBeNull();
  expect(claimableAt(room, 'black')).toBe(1764000065000);
  expect(claimableAt(room, 'white')).toBeNull();
});

describe('events', () => {
  const at = 1764000010000;
  const cases: [string, Room, RoomEvent, Partial<Room>][] = [
    [
      'created opens the room',
      room,
      { kind: 'created', at, host: 'x', game: { rule: 'caro', size: '19x19', clock: {} }, limits: { claim_after: 5 } },
      { phase: 'open', host: 'x', claimAfter: 5, game: { rule: 'caro', size: '19x19', clock: {} } },
    ],
    ['seated', { ...room, white: null }, { kind: 'seated', at, color: 'white', player: white }, { white: { ...white, score: 0 } }],
    [
      'started as before',
      { ...room, phase: 'over', result: { reason: 'full' } },
      { kind: 'started', at, number: 2, black: black.id, white: white.id },
      { phase: 'playing', number: 2, moves: [], offers: {}, result: null, started: at, black: { ...black, score: 0 }, white: { ...white, score: 0 } },
    ],
    [
      'started with swapped seats',
      { ...room, phase: 'over' },
      { kind: 'started', at, number: 2, black: white.id, white: black.id },
      { black: { ...white, score: 0 }, white: { ...black, score: 0 } },
    ],
    ['placed', room, { kind: 'placed', at, point: 'g7', clock: { main: 1 } }, { moves: ['h8', 'i9', 'g7'], offers: {} }],
    [
      'placed lets the offer to the mover lapse',
      { ...room, offers: { draw: 'white' } },
      { kind: 'placed', at, point: 'g7', clock: { main: 1 } },
      { offers: {} },
    ],
    [
      "placed keeps the mover's own offer",
      { ...room, offers: { draw: 'black' } },
      { kind: 'placed', at, point: 'g7', clock: { main: 1 } },
      { offers: { draw: 'black' } },
    ],
    [
      'placed for a bot that failed',
      room,
      { kind: 'placed', at, point: 'g7', clock: { main: 1 }, failure: 'late' },
      { moves: ['h8', 'i9', 'g7'], standIns: [{ ply: 2, failure: 'late' }] },
    ],
    [
      'takenback forgets who moved',
      { ...room, standIns: [{ ply: 0, failure: 'late' }, { ply: 1, failure: 'late' }] },
      { kind: 'takenback', at, plies: 1 },
      { standIns: [{ ply: 0, failure: 'late' }] },
    ],
    ['passed', room, { kind: 'passed', at, clock: { main: 299000, periods: 3 } }, { moves: ['h8', 'i9', 'pass'], offers: {} }],
    ['offered', room, { kind: 'offered', at, what: 'draw', color: 'white' }, { offers: { takeback: 'white', draw: 'white' } }],
    ['declined', room, { kind: 'declined', at, what: 'takeback', color: 'black' }, { offers: {} }],
    ['takenback', { ...room, offers: { takeback: 'white', draw: 'black' } }, { kind: 'takenback', at, plies: 2 }, { moves: [], offers: {} }],
    ['away', room, { kind: 'away', at, color: 'black' }, { black: { ...black, score: 0, away: at } }],
    ['back', room, { kind: 'back', at, color: 'white' }, { white: { ...white, score: 0 } }],
    [
      'credited',
      room,
      { kind: 'credited', at, color: 'black', ms: 12000 },
      { credited: { color: 'black', ms: 12000, at }, white: { ...white, score: 0, away: 1764000017000 } },
    ],
    [
      'ended with a winner',
      { ...room, offers: { draw: 'black' } },
      { kind: 'ended', at, winner: 'black', reason: 'five', row: ['f6', 'g7', 'h8', 'i9', 'j10'] },
      { phase: 'over', offers: {}, result: { winner: 'black', reason: 'five', row: ['f6', 'g7', 'h8', 'i9', 'j10'] }, black: { ...black, score: 1 } },
    ],
    [
      'ended drawn',
      room,
      { kind: 'ended', at, reason: 'agreement' },
      { result: { reason: 'agreement' }, black: { ...black, score: 0.5 }, white: { ...white, score: 0.5 } },
    ],
    ['ended without result', room, { kind: 'ended', at, reason: 'aborted' }, { phase: 'over', black: { ...black, score: 0 } }],
  ];
  it.each(cases)('%s', (_, before, event, expected) => {
    const frozen = structuredClone(before);
    const after = fold(before, event);
    for (const [key, value] of Object.entries(expected)) expect(after[key as keyof Room], key).toEqual(value);
    expect(before).toEqual(frozen); // the old state stays as it was
  });
});

describe('messages of events', () => {
  const message = (events: RoomEvent[], now: number): EventsMessage => ({
    type: 'events',
    room: room.id,
    version: 8,
    now,
    events,
    view: { turn: 'white', running: true, spent: 10, clocks: { black: { main: 300510 }, white: { main: 301200 } } },
  });

  it('take over the view and the version', () => {
    const after = roomAfter(room, message([{ kind: 'placed', at: 1764000009490, point: 'g7', clock: { main: 300510 } }], 1764000009500));
    expect(after.view.turn).toBe('white');
    expect(after.version).toBe(8);
    expect(spentAt(after, 1764000009700)).toBe(210);
  });

  it('go on inside a turn with what is spent of it', () => {
    expect(spentAt(room, 1764000010000)).toBe(9400);
  });
});
