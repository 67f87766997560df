// A table: two players, a board, and whoever watches.

import type { App } from '../app';
import { createBoard } from '../board';
import { h, listen, setText, show } from '../dom';
import { roomAfter, roomOf } from '../fold';
import type { EventsMessage, RoomCommand, What } from '../protocol';
import { createActions } from '../room/actions';
import { createInfo } from '../room/info';
import { createInvite } from '../room/invite';
import { boardOf, emptyTable, lineWords, mySeat, shownMoves, statusOf, type ActionName, type TableState } from '../room/model';
import { createMoveList } from '../room/moves';
import { announce } from '../room/news';
import { createPlayerPanel } from '../room/players';
import { createShare } from '../room/share';
import { layTable } from '../room/layout';
import type { Unmount } from '../router';
import { settings } from '../settings';
import { play } from '../sound';
import { toast } from '../speech';
import { words } from '../text';
import { mountNotFound } from './notfound';

/** What a button asks for; room and version go without saying. */
type Asked =
  | { type: 'sit' | 'resign' | 'abort' | 'claim' }
  | { type: 'offer' | 'accept' | 'decline'; what: What };

export function mountRoom(outlet: HTMLElement, app: App, id: string): Unmount {
  const { socket } = app;
  let state: TableState = { ...emptyTable, me: app.me.get()?.id ?? '', line: socket.state(), storeDown: app.storeDown.get() };
  let satDown = false;

  const board = createBoard((point) => void move(point));
  const moves = createMoveList(look);
  const top = createPlayerPanel('top');
  const bottom = createPlayerPanel('bottom');
  const actions = createActions({ act, answer, resigning: (resigning) => change({ resigning }) });
  const invite = createInvite();
  const info = createInfo();
  const share = createShare();
  const status = h('div', { class: 'status', role: 'status' }, h('strong'), h('span'));
  const back = h('button', { class: 'button primary back', type: 'button', hidden: true, onclick: () => look(Infinity) }, words.room.back);
  const line = h('p', { class: 'line-note', role: 'status', hidden: true });
  const table = layTable({
    board: board.node, top: top.node, bottom: bottom.node, info: info.node, status: h('div', { class: 'status-row' }, status, board.bar, back),
    line, notices: actions.notices, buttons: actions.buttons, moves: moves.node, share: share.node, invite: invite.node,
  });
  outlet.replaceChildren(table);

  function change(part: Partial<TableState>): void {
    state = { ...state, ...part };
    render();
  }

  function render(): void {
    const { room } = state;
    if (state.missing) return;
    const seat = mySeat(state);
    const below = seat ?? 'black';
    table.dataset.phase = room?.phase ?? 'loading';
    board.bar.hidden = state.at !== null || seat === null;
    board.update(boardOf(state, settings.get()));
    const { head, detail } = statusOf(state);
    setText(status.firstElementChild!, head);
    setText(status.lastElementChild!, detail);
    const said = lineWords(state, navigator.onLine);
    setText(line, said);
    show(line, said !== '');
    show(back, state.at !== null && room?.phase === 'playing');
    actions.update(state);
    if (!room) return;
    top.update(room, below === 'black' ? 'white' : 'black', false);
    bottom.update(room, below, seat !== null);
    moves.update(room.moves, shownMoves(state));
    invite.update(room, seat !== null);
    info.update(room);
    share.update(room, shownMoves(state));
    document.title = titleOf();
    tick();
  }

  function titleOf(): string {
    const { room } = state;
    if (!room?.black || !room.white) return words.title(words.room.waitingFriend);
    const names = words.room.title(room.black.name, room.white.name);
    const mine = room.phase === 'playing' && room.view.turn === mySeat(state);
    return words.title(mine ? `● ${words.room.yourTurn} · ${names}` : names);
  }

  function tick(): void {
    const now = socket.now();
    top.tick(now);
    bottom.tick(now);
    actions.tick(state, now);
  }

  function look(move: number): void {
    const all = state.room?.moves.length ?? 0;
    const live = state.room?.phase === 'playing' && move >= all;
    change({ at: live || move >= all ? null : Math.max(0, move) });
  }

  async function move(point: string): Promise<void> {
    const { moves: { length: ply }, version } = state.room ?? { moves: [], version: 0 };
    change({ pending: { move: point, ply }, resigning: false });
    if (point !== 'pass') play('stone');
    const command: RoomCommand = point === 'pass' ? { type: 'pass', room: id, version, ply } : { type: 'place', room: id, version, ply, point };
    const answer = await socket.send(command);
    if (!answer.ok) toast(answer.code === 'stale' ? words.room.stale : answer.text);
    if (state.pending?.ply === ply) change({ pending: null });
  }

  async function command(name: string, what: Asked): Promise<void> {
    if (state.busy.has(name)) return;
    change({ busy: new Set(state.busy).add(name), resigning: false });
    const answer = await socket.send({ ...what, room: id, version: state.room?.version ?? 0 });
    if (!answer.ok && name !== 'sit') toast(answer.text);
    const busy = new Set(state.busy);
    busy.delete(name);
    change({ busy });
  }

  function act(name: ActionName): void {
    if (name === 'pass') return void move('pass');
    if (name === 'resign' || name === 'abort' || name === 'claim') return void command(name, { type: name });
    void command(name, { type: 'offer', what: name });
  }

  function answer(what: What, yes: boolean): void {
    void command(`answer ${what}`, { type: yes ? 'accept' : 'decline', what });
  }

  /** Whoever opens the link of a free seat takes it. */
  function sitDown(): void {
    const { room, me } = state;
    if (!room || satDown || me === '' || room.phase !== 'open' || room.host === me || mySeat(state)) return;
    satDown = true;
    void command('sit', { type: 'sit' });
  }

  function receive(message: EventsMessage): void {
    const { room } = state;
    if (!room) return;
    const next = roomAfter(room, message);
    const begun = message.events.some(({ kind }) => kind === 'started');
    const changed = message.events.some(({ kind }) => kind === 'placed' || kind === 'passed' || kind === 'takenback');
    const heard = state.pending?.move ?? null;
    const stored = state.pending && (changed || begun || next.phase === 'over');
    // Who looks back is left there when the game goes on, but not in a new game.
    const at = begun || (state.at !== null && state.at >= next.moves.length) ? null : state.at;
    change({ room: next, at, ...(stored && { pending: null }), ...(begun && { resigning: false }) });
    announce(room, next, message, state.me, heard);
    noteRooms();
  }

  function noteRooms(): void {
    const { room } = state;
    const inPlay = room !== null && mySeat(state) !== null && room.phase !== 'over';
    const rooms = app.rooms.get();
    if (rooms.includes(id) === inPlay) return;
    app.rooms.set(inPlay ? [...rooms, id] : rooms.filter((other) => other !== id));
  }

  const stops = [
    socket.follow(id, {
      room(message) {
        const room = roomOf(message);
        const { pending } = state;
        change({ room, pending: pending && room.moves.length > pending.ply ? null : pending });
        sitDown();
        noteRooms();
      },
      events: receive,
      spectators(count) {
        if (state.room) change({ room: { ...state.room, spectators: count } });
      },
      refused(code, text) {
        if (code !== 'no_such_room') return toast(text);
        change({ missing: true });
        mountNotFound(outlet, words.room.missing, words.room.missingAbout);
      },
    }),
    socket.onState((now) => change({ line: now })),
    app.me.on((me) => {
      change({ me: me?.id ?? '' });
      sitDown();
    }),
    app.storeDown.on((storeDown) => change({ storeDown })),
    settings.on(render),
    listen(document, 'keydown', (event) => {
      if (moves.key(event)) event.preventDefault();
    }),
  ];
  const timer = setInterval(tick, 100);
  render();
  return () => {
    clearInterval(timer);
    for (const stop of stops) stop();
    board.unmount();
  };
}
