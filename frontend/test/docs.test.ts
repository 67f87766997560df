// The examples of docs/protocol.md are understood as they stand there.

import { expect, it } from 'vitest';
import page from '../../docs/protocol.md?raw';
import { fold, roomAfter, roomOf } from '../src/fold';
import type { EventsMessage, RoomEvent, RoomMessage } from '../src/protocol';

/** Every JSON object of the fenced blocks; one may go on over several lines. */
function examples(): { type?: string; kind?: string }[] {
  const found: { type?: string; kind?: string }[] = [];
  for (const [, block = ''] of page.matchAll(/```json\n([\s\S]*?)```/g)) {
    let text = '';
    for (const line of block.split('\n')) {
      text += line;
      try {
        found.push(JSON.parse(text) as { type?: string });
        text = '';
      } catch {
        // goes on in the next line
      }
    }
    expect(text.trim()).toBe('');
  }
  return found;
}

const all = examples();
const events = all.filter((example) => example.kind !== undefined) as RoomEvent[];
const snapshot = all.find((example) => example.type === 'room') as RoomMessage;

it('has an example of each event, and the reducer takes them all', () => {
  const kinds = ['created', 'seated', 'started', 'placed', 'passed', 'offered', 'declined', 'takenback', 'away', 'back', 'credited', 'ended'];
  expect(events.map(({ kind }) => kind)).toEqual(kinds);
  const empty = { ...roomOf(snapshot), black: null, white: null, moves: [] };
  const seated = fold(fold(empty, events[0]!), events[1]!);
  const ready = { ...seated, white: { id: 'p1Zs8nQw4eRt', name: 'Amber Otter', score: 0 } };
  const end = events.slice(2).reduce(fold, ready);
  expect(end).toMatchObject({ phase: 'over', number: 1, moves: [], offers: {}, black: { score: 1 }, result: { reason: 'five', winner: 'black' } });
});

it('continues the snapshot with the events after it', () => {
  const message = all.find((example) => example.type === 'events') as EventsMessage;
  expect(message.version - message.events.length).toBe(snapshot.version);
  const after = roomAfter(roomOf(snapshot), message);
  expect(after.moves).toEqual([...snapshot.state.moves, 'g7']);
  expect(after.offers).toEqual({});
  expect(after.view.turn).toBe('white');
});
