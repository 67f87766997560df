// A table as its page lives with it: the state, what comes from the server, and what
// the player does.

import type { App } from '../app';
import { fold, roomAfter, roomOf } from '../fold';
import { noteBegun, noteOver } from '../played';
import type { EventsMessage, RoomCommand, What } from '../protocol';
import { play } from '../sound';
import { toast } from '../speech';
import { recordOf, seatOf, type Room } from '../state';
import { words } from '../text';
import { emptyTable, mySeat, type ActionName, type Grave, type TableState } from './model';
import { announce } from './news';

export interface Table {
  readonly state: TableState;
  /** Follows the room until the returned function is called. */
  join(): () => void;
  look(move: number): void;
  place(point: string): void;
  act(name: ActionName): void;
  answer(what: What, yes: boolean): void;
  /** The player is asked whether they mean it, or no longer asked. */
  ask(about: Grave | null): void;
}

/** What a button asks for; room and version go without saying. */
type Asked =
  | { type: 'sit' | 'resign' | 'abort' | 'claim' }
  | { type: 'offer' | 'accept' | 'decline'; what: What };

export function createTable(app: App, id: string): Table {
  const { socket } = app;
  let table = $state.raw<TableState>({ ...emptyTable, me: app.me.get()?.id ?? '', line: socket.state(), storeDown: app.storeDown.get() });
  let satDown = false;

  function change(part: Partial<TableState>): void {
    table = { ...table, ...part };
  }

  async function move(point: string): Promise<void> {
    const { moves: { length: ply }, version } = table.room ?? { moves: [], version: 0 };
    change({ pending: { move: point, ply }, asked: null });
    if (point !== 'pass') play('stone');
    const command: RoomCommand = point === 'pass' ? { type: 'pass', room: id, version, ply } : { type: 'place', room: id, version, ply, point };
    const answer = await socket.send(command);
    if (!answer.ok) toast(answer.code === 'stale' ? words.room.stale : answer.text);
    if (table.pending?.ply === ply) change({ pending: null });
  }

  async function command(name: string, what: Asked): Promise<void> {
    if (table.busy.has(name)) return;
    change({ busy: new Set(table.busy).add(name), asked: null });
    const answer = await socket.send({ ...what, room: id, version: table.room?.version ?? 0 });
    if (!answer.ok && name !== 'sit') toast(answer.text);
    const busy = new Set(table.busy);
    busy.delete(name);
    change({ busy });
  }

  /** Whoever opens the link of a free seat takes it. */
  function sitDown(): void {
    const { room, me } = table;
    if (!room || satDown || me === '' || room.phase !== 'open' || room.host === me || mySeat(table)) return;
    satDown = true;
    void command('sit', { type: 'sit' });
  }

  function receive(message: EventsMessage): void {
    const { room } = table;
    if (!room) return;
    const next = roomAfter(room, message);
    const begun = message.events.some(({ kind }) => kind === 'started');
    const changed = message.events.some(({ kind }) => kind === 'placed' || kind === 'passed' || kind === 'takenback');
    const heard = table.pending?.move ?? null;
    const stored = table.pending && (changed || begun || next.phase === 'over');
    // Who looks back is left there when the game goes on, but not in a new game.
    const at = begun || (table.at !== null && table.at >= next.moves.length) ? null : table.at;
    change({ room: next, at, ...(stored && { pending: null }), ...(begun && { asked: null }) });
    announce(room, next, message, table.me, heard);
    noteRooms();
    noteEnds(room, message);
  }

  /** A rematch may have begun in the same message. */
  function noteEnds(room: Room, { events }: EventsMessage): void {
    for (const event of events) {
      room = fold(room, event);
      if (event.kind === 'ended') noteGame(room, event.at);
      else if (event.kind === 'started') noteGame(room);
    }
  }

  function noteGame(room: Room, ended?: number): void {
    const record = recordOf(room);
    if (record) noteOver({ ...record, ...(ended && { ended }) }, table.me);
    else if (room.phase === 'playing' && seatOf(room, table.me)) noteBegun(id, room.number);
  }

  function noteRooms(): void {
    const { room } = table;
    const inPlay = room !== null && mySeat(table) !== null && room.phase !== 'over';
    const rooms = app.rooms.get();
    if (rooms.includes(id) === inPlay) return;
    app.rooms.set(inPlay ? [...rooms, id] : rooms.filter((other) => other !== id));
  }

  function follow(): () => void {
    return socket.follow(id, {
      room(message) {
        const room = roomOf(message);
        const { pending } = table;
        change({ room, pending: pending && room.moves.length > pending.ply ? null : pending });
        sitDown();
        noteRooms();
        noteGame(room);
      },
      events: receive,
      spectators(count) {
        if (table.room) change({ room: { ...table.room, spectators: count } });
      },
      refused(code, text) {
        if (code === 'no_such_room') change({ missing: true });
        else toast(text);
      },
    });
  }

  return {
    get state() {
      return table;
    },
    join() {
      const stops = [
        follow(),
        socket.onState((line) => change({ line })),
        app.storeDown.on((storeDown) => change({ storeDown })),
        app.me.on((me) => {
          change({ me: me?.id ?? '' });
          sitDown();
          if (table.room) noteGame(table.room);
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    look(move) {
      const all = table.room?.moves.length ?? 0;
      change({ at: move >= all ? null : Math.max(0, move) });
    },
    place: (point) => void move(point),
    act(name) {
      if (name === 'pass') void move('pass');
      else if (name === 'resign' || name === 'abort' || name === 'claim') void command(name, { type: name });
      else void command(name, { type: 'offer', what: name });
    },
    answer: (what, yes) => void command(`answer ${what}`, { type: yes ? 'accept' : 'decline', what }),
    ask: (asked) => change({ asked }),
  };
}
