// The reducer: events in, state out. It knows no rules and keeps no clock.

import { opponentOf, type Color, type EventsMessage, type RoomEvent, type RoomMessage, type Seat } from './protocol';
import type { Room } from './state';

/** The room of a snapshot. */
export function roomOf(message: RoomMessage): Room {
  const { state, view } = message;
  return {
    id: message.room,
    version: message.version,
    game: state.game,
    phase: state.phase,
    number: state.number,
    host: state.host,
    claimAfter: state.claim_after,
    black: state.black ?? null,
    white: state.white ?? null,
    moves: state.moves,
    standIns: state.stand_ins ?? [],
    started: state.started,
    offers: state.offers ?? {},
    result: state.result ?? null,
    spectators: message.spectators,
    view,
    viewAt: message.now,
    credited: null,
  };
}

/** The room after new events; `message.view` is what the server sees there. */
export function roomAfter(room: Room, message: EventsMessage): Room {
  return { ...message.events.reduce(fold, room), version: message.version, view: message.view, viewAt: message.now };
}

/** The state after one event. */
export function fold(room: Room, event: RoomEvent): Room {
  switch (event.kind) {
    case 'created':
      return {
        ...room,
        game: event.game,
        host: event.host,
        phase: 'open',
        claimAfter: event.limits?.claim_after ?? room.claimAfter,
      };
    case 'seated':
      return { ...room, [event.color]: { ...event.player, score: 0 } };
    case 'started':
      return start(room, event);
    case 'placed':
      return moved(event.failure ? stoodIn(room, event.failure) : room, event.point);
    case 'passed':
      return moved(room, 'pass');
    case 'offered':
      return { ...room, offers: { ...room.offers, [event.what]: event.color } };
    case 'declined': {
      const { [event.what]: _, ...offers } = room.offers;
      return { ...room, offers };
    }
    case 'takenback': {
      const { draw: _draw, takeback: _takeback, ...offers } = room.offers;
      const moves = room.moves.slice(0, room.moves.length - event.plies);
      return { ...room, moves, standIns: room.standIns.filter(({ ply }) => ply < moves.length), offers };
    }
    case 'away':
      return withSeat(room, event.color, (seat) => ({ ...seat, away: event.at }));
    case 'back':
      return withSeat(room, event.color, present);
    case 'credited':
      return credit(room, event.color, event.ms, event.at);
    case 'ended': {
      const { winner, reason, row, foul } = event;
      const result = { reason, ...(winner && { winner }), ...(row && { row }), ...(foul && { foul }) };
      const over: Room = { ...room, phase: 'over', result, offers: {}, black: room.black && present(room.black), white: room.white && present(room.white) };
      return score(over);
    }
  }
}

function start(room: Room, event: RoomEvent & { kind: 'started' }): Room {
  const swapped = room.black?.id !== event.black;
  const [black, white] = swapped ? [room.white, room.black] : [room.black, room.white];
  return {
    ...room,
    phase: 'playing',
    number: event.number,
    black: black && present(black),
    white: white && present(white),
    moves: [],
    standIns: [],
    started: event.at,
    offers: {},
    result: null,
    credited: null,
  };
}

function moved(room: Room, move: string): Room {
  const mover: Color = room.moves.length % 2 === 0 ? 'black' : 'white';
  const { takeback: _, ...offers } = room.offers;
  if (offers.draw === opponentOf(mover)) delete offers.draw;
  return { ...room, moves: [...room.moves, move], offers, credited: null };
}

/** The next move is another bot's, for one that failed. */
function stoodIn(room: Room, failure: string): Room {
  return { ...room, standIns: [...room.standIns, { ply: room.moves.length, failure }] };
}

function credit(room: Room, color: Color, ms: number, at: number): Room {
  // Who was away could not have come back meanwhile.
  const later = (seat: Seat | null): Seat | null => (seat?.away ? { ...seat, away: seat.away + ms } : seat);
  return {
    ...room,
    black: later(room.black),
    white: later(room.white),
    credited: { color, ms, at },
  };
}

function score(room: Room): Room {
  const add = (points: number) => (seat: Seat): Seat => ({ ...seat, score: seat.score + points });
  const { winner, reason } = room.result!;
  if (winner) return withSeat(room, winner, add(1));
  if (reason !== 'agreement' && reason !== 'passes' && reason !== 'full') return room;
  return withSeat(withSeat(room, 'black', add(0.5)), 'white', add(0.5));
}

function withSeat(room: Room, color: Color, change: (seat: Seat) => Seat): Room {
  const seat = room[color];
  return seat ? { ...room, [color]: change(seat) } : room;
}

function present(seat: Seat): Seat {
  const { away: _, ...rest } = seat;
  return rest;
}
