import { expect, it } from 'vitest';
import { parseRoute } from '../src/router';

it.each([
  ['/', '', { page: 'lobby', way: null }],
  ['/', '?play=computer', { page: 'lobby', way: 'computer' }],
  ['/', '?play=chess', { page: 'lobby', way: null }],
  ['/help', '', { page: 'help' }],
  ['/room/k3vQx9LmTz2a', '', { page: 'room', room: 'k3vQx9LmTz2a' }],
  ['/room/k3vQx9LmTz2a/', '', { page: 'room', room: 'k3vQx9LmTz2a' }],
  ['/room/k3/2', '', { page: 'game', room: 'k3', number: 2, move: null }],
  ['/room/k3/2', '?move=12', { page: 'game', room: 'k3', number: 2, move: 12 }],
  ['/room/k3/2', '?move=x', { page: 'game', room: 'k3', number: 2, move: null }],
  ['/position/15x15/renju/h8i9g7', '', { page: 'position', size: '15x15', rule: 'renju', moves: ['h8', 'i9', 'g7'], move: null }],
  ['/position/15x15/renju', '', { page: 'position', size: '15x15', rule: 'renju', moves: [], move: null }],
  ['/position/4x4/renju/a1', '', { page: 'notfound' }],
  ['/position/15x15/chess/a1', '', { page: 'notfound' }],
  ['/position/15x15/renju/zz', '', { page: 'notfound' }],
  ['/room', '', { page: 'notfound' }],
  ['/room/k3/0', '', { page: 'notfound' }],
  ['/room/k3/1/2', '', { page: 'notfound' }],
  ['/room/..%2f', '', { page: 'notfound' }],
  ['/session/abc', '', { page: 'notfound' }],
])('%s%s', (path, query, route) => expect(parseRoute(path, query)).toEqual(route));
