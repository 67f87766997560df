import { describe, expect, it } from 'vitest';
import type { Room } from '../src/state';
import { absenceOf, actionsOf, boardOf, emptyTable, lineWords, offersOf, pathToAnother, questionOf, resultWords, standInWords, statusOf, type TableState } from '../src/room/model';
import type { Settings } from '../src/settings';

const settings: Settings = {
  theme: 'system', skin: 'kaya', language: 'en', numbers: 'off', coordinates: true, forbidden: true, sound: true, volume: 1, placing: 'direct',
};

function table(room: Partial<Room> = {}, rest: Partial<TableState> = {}): TableState {
  return {
    ...emptyTable,
    me: 'b',
    line: { kind: 'open' },
    room: {
      id: 'r',
      game: { rule: 'renju', size: '15x15', clock: {}, forbidden: 'loses' },
      phase: 'playing',
      number: 1,
      host: 'b',
      claimAfter: 60_000,
      black: { id: 'b', name: 'Crane', score: 0 },
      white: { id: 'w', name: 'Otter', score: 0 },
      moves: ['h8', 'i9'],
      standIns: [],
      started: 0,
      offers: {},
      result: null,
      spectators: 0,
      view: { turn: 'black', running: true, forbidden: [{ point: 'f6', foul: 'double-three' }] },
      version: 7,
      viewAt: 0,
      credited: null,
      ...room,
    },
    ...rest,
  };
}
const asWhite = { me: 'w' };
const asVisitor = { me: 'v' };

describe('who moves for a bot that fails', () => {
  const said = (...standIns: Room['standIns']): string => standInWords(table({ standIns }).room!);
  it('is told', () => {
    expect(said()).toBe('');
    expect(said({ ply: 1, failure: 'late' })).toBe('Otter gave no valid answer; Seven-step played a move for it.');
    expect(said({ ply: 0, failure: 'late' }, { ply: 2, failure: 'crashed' })).toMatch(/^Crane .* 2 moves/);
    expect(said({ ply: 1, failure: 'refused' })).toMatch(/^Otter does not play on this board/);
  });
});

describe('the board', () => {
  it('takes a stone in the own turn only', () => {
    expect(boardOf(table(), settings).mover).toBe('black');
    expect(boardOf(table({}, asWhite), settings).mover).toBeNull();
    expect(boardOf(table({}, asVisitor), settings).mover).toBeNull();
    expect(boardOf(table({ phase: 'over' }), settings).mover).toBeNull();
    expect(boardOf(table({}, { at: 1 }), settings).mover).toBeNull();
  });
  it('shows a move that is on its way and takes no other', () => {
    const board = boardOf(table({}, { pending: { move: 'g7', ply: 2 } }), settings);
    expect(board).toMatchObject({ sending: { point: 'g7', color: 'black' }, mover: null, forbidden: [] });
  });
  it('looks back', () => {
    const board = boardOf(table({}, { at: 1 }), settings);
    expect(board.stones.map(({ point }) => point)).toEqual(['h8']);
    expect(board).toMatchObject({ last: 'h8', forbidden: [], past: true });
  });
  it('is not the past for spectators, after the game, or as it stands', () => {
    for (const state of [table({}, { at: 1, ...asVisitor }), table({ phase: 'over' }, { at: 1 }), table()]) expect(boardOf(state, settings).past).toBe(false);
  });
  it('marks forbidden points unless they are switched off', () => {
    expect(boardOf(table(), settings).forbidden).toHaveLength(1);
    expect(boardOf(table(), { ...settings, forbidden: false }).forbidden).toEqual([]);
  });
  it('skips passes', () => {
    const board = boardOf(table({ moves: ['h8', 'pass', 'g7', 'pass'] }), settings);
    expect(board.stones).toEqual([
      { point: 'h8', color: 'black', number: 1 },
      { point: 'g7', color: 'black', number: 3 },
    ]);
    expect(board.last).toBeNull();
  });
  it('shows the winning row at the end only', () => {
    const over = { phase: 'over', view: { running: false, row: ['h8'] }, result: { reason: 'five', winner: 'black' } } as const;
    expect(boardOf(table({ ...over, view: { running: false, row: ['h8'] } }), settings).row).toEqual(['h8']);
    expect(boardOf(table({ ...over, view: { running: false, row: ['h8'] } }, { at: 1 }), settings).row).toEqual([]);
  });
});

describe('the words', () => {
  it.each([
    ['own turn', table(), 'Your turn'],
    ['on its way', table({}, { pending: { move: 'g7', ply: 2 } }), 'Sending g7…'],
    ['stored', table({}, asWhite), 'Crane is thinking'],
    ['watching', table({}, asVisitor), 'Black to move'],
    ['open', table({ phase: 'open', white: null }), 'Waiting for your friend'],
    ['won', table({ phase: 'over', result: { reason: 'resignation', winner: 'black' } }), 'You won'],
    ['lost', table({ phase: 'over', result: { reason: 'time', winner: 'black' } }, asWhite), 'You lost'],
    ['nothing yet', emptyTable, 'Opening the table…'],
  ])('%s', (_, state, head) => expect(statusOf(state).head).toBe(head));

  it('say that the move is stored', () => expect(statusOf(table({}, asWhite)).detail).toBe('Your move i9 is stored'));

  it('name the foul that lost', () => {
    const words = resultWords({ reason: 'foul', winner: 'white', foul: 'double-three' }, { black: 'Crane', white: 'Otter' }, 'black');
    expect(words).toEqual({ head: 'You lost', detail: 'Crane played a forbidden point: double three (3-3).' });
  });
  it('say that the move is safe while the line is down', () => {
    const down = { line: { kind: 'waiting', until: 0 } } as const;
    expect(lineWords(table(), true)).toBe('');
    expect(lineWords(table({}, { ...down, pending: { move: 'g7', ply: 2 } }), true)).toContain('Your move is safe');
    expect(lineWords(table({}, down), true)).toContain('Your game is safe');
    expect(lineWords(table({}, down), false)).toContain('offline');
  });
});

describe('the actions', () => {
  const names = (state: TableState): string[] => actionsOf(state).map(({ name }) => name);
  it('stand in an order that keeps taking back away from resigning', () => expect(names(table())).toEqual(['takeback', 'pass', 'draw', 'resign']));
  it('pass under renju only', () => expect(names(table({ game: { rule: 'caro', size: '15x15', clock: {} } }))).not.toContain('pass'));
  it('abort before the second move', () => expect(names(table({ moves: ['h8'] }))).toEqual(['takeback', 'pass', 'draw', 'abort']));
  it('ask no draw of a bot', () => expect(names(table({ white: { id: 'w', name: 'Seven', score: 0, bot: 'seven-step' } }))).not.toContain('draw'));
  it('are none for spectators', () => expect(names(table({}, asVisitor))).toEqual([]));
  it('close an open table', () => expect(names(table({ phase: 'open' }))).toEqual(['abort']));
  it('offer a rematch after the game', () => expect(names(table({ phase: 'over' }))).toEqual(['rematch']));
  it('need a move to take back', () => {
    const [takeback] = actionsOf(table({ moves: ['h8'] }, asWhite));
    expect(takeback).toMatchObject({ name: 'takeback', enabled: false });
  });
  it('wait for their answer', () => expect(actionsOf(table({}, { busy: new Set(['draw']) })).find(({ name }) => name === 'draw')?.enabled).toBe(false));
});

describe('the question', () => {
  it.each(['pass', 'resign'] as const)('before what may cost the game: %s', (asked) => {
    expect(questionOf(table({}, { asked }))?.name).toBe(asked);
    expect(questionOf(table())).toBeNull();
  });
  it('to pass is asked in the own turn only', () => expect(questionOf(table({}, { asked: 'pass', ...asWhite }))).toBeNull());
  it('is no more when the game is over', () => expect(questionOf(table({ phase: 'over' }, { asked: 'resign' }))).toBeNull());
});

describe('the way to another opponent', () => {
  const over = { phase: 'over' } as const;
  it('leads to the choices of the same kind', () => {
    expect(pathToAnother(table(over))).toBe('/?play=now');
    expect(pathToAnother(table({ ...over, white: { id: 'w', name: 'Seven', score: 0, bot: 'seven-step' } }))).toBe('/?play=computer');
  });
  it('is there for players, after the game', () => {
    expect(pathToAnother(table())).toBeNull();
    expect(pathToAnother(table(over, asVisitor))).toBeNull();
  });
});

it('offers are mine or theirs', () => {
  const state = table({ offers: { draw: 'white', takeback: 'black' } });
  expect(offersOf(state).map(({ what, mine }) => [what, mine])).toEqual([
    ['takeback', true],
    ['draw', false],
  ]);
  expect(offersOf({ ...state, me: 'v' })).toEqual([]);
});

describe('an opponent who is away', () => {
  const away = { white: { id: 'w', name: 'Otter', score: 0, away: 1_000 } };
  it('can be claimed in their turn', () => {
    const state = table({ ...away, view: { turn: 'white', running: true } });
    expect(absenceOf(state)).toEqual({ name: 'Otter', since: 1_000, claimAt: 61_000, myTurn: false, early: false });
  });
  it('counts from the beginning of their turn', () => {
    const state = table({ ...away, view: { turn: 'white', running: true, spent: 1_000 }, viewAt: 11_000 });
    expect(absenceOf(state)?.claimAt).toBe(70_000);
  });
  it('never in my own', () => expect(absenceOf(table(away))).toMatchObject({ claimAt: null, myTurn: true }));
  it('is seen by spectators, who claim nothing', () => expect(absenceOf(table(away, asVisitor))).toMatchObject({ claimAt: null, myTurn: false }));
});
