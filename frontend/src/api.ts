// The few things that are asked for over HTTP.

import type { ForbiddenPoint, Game, Person, Result, TimeControl } from './protocol';
import { refusalWords, type Refusal } from './text';

/** A computer opponent. */
export interface Opponent {
  name: string;
  title: string;
  about: string;
  level?: number; // of the service's own engine
  elo?: number; // where it was measured
  external?: boolean; // a program that the operator added
}

export interface Options {
  rules: { name: string; title: string; about: string }[];
  sizes: string[];
  min_side: number;
  max_side: number;
  clocks: { name: string; title: string; clock: TimeControl }[];
  bots: Opponent[];
}

export interface GameRecord {
  room: string;
  number: number;
  game: Game;
  black: Person;
  white: Person;
  moves: string[];
  result?: Result | null;
  started: number;
  ended?: number;
}

export interface PositionView {
  turn?: 'black' | 'white';
  row?: string[];
  forbidden?: ForbiddenPoint[];
}

/** The text, in the reader's language, is empty where there was no answer. */
export type Fetched<T> = { ok: true; value: T } | { ok: false; status: number; code: string; text: string };

/** The longest that an answer may take, in milliseconds: on a dead line it would never come. */
const patience = 10_000;

async function request<T>(path: string, init: RequestInit = {}): Promise<Fetched<T>> {
  try {
    const response = await fetch(path, {
      ...init,
      headers: { 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(patience),
    });
    const body = (await response.json().catch(() => null)) as T | Partial<Refusal> | null;
    if (response.ok && body !== null) return { ok: true, value: body as T };
    const refusal = { code: '', text: '', ...body };
    return { ok: false, status: response.status, code: refusal.code, text: refusalWords(refusal) };
  } catch {
    return { ok: false, status: 0, code: '', text: '' }; // no answer at all
  }
}

const post = (body?: object): RequestInit => ({ method: 'POST', ...(body && { body: JSON.stringify(body) }) });

export const getSession = (): Promise<Fetched<Person>> => request('/api/session');

export const rename = (name: string): Promise<Fetched<Person>> => request('/api/session', post({ name }));

export const linkDevice = (): Promise<Fetched<{ url: string }>> => request('/api/session/link', post());

export const getGame = (room: string, number: number): Promise<Fetched<GameRecord>> =>
  request(`/api/rooms/${room}/games/${number}`);

let options: Promise<Fetched<Options>> | null = null;

/** The choices; asked for once, and again after a failure or where they must be `fresh`. */
export async function getOptions(fresh = false): Promise<Fetched<Options>> {
  if (fresh) options = null;
  options ??= request<Options>('/api/options');
  const answer = await options;
  if (!answer.ok) options = null;
  return answer;
}

const positions = new Map<string, Promise<Fetched<PositionView>>>();
const mostPositions = 500;

/** What is to be seen on a board; the same question is asked only once. */
export function getPosition(rule: string, size: string, moves: string[]): Promise<Fetched<PositionView>> {
  const path = `/api/position?rule=${rule}&size=${size}&moves=${moves.join('')}`;
  let answer = positions.get(path);
  if (!answer) {
    if (positions.size >= mostPositions) positions.clear();
    answer = request<PositionView>(path);
    positions.set(path, answer);
    void answer.then((got) => got.ok || positions.delete(path));
  }
  return answer;
}

