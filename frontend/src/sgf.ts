// A game as an SGF file: FF[4], GM[4], which is "Gomoku+Renju".

import type { GameRecord } from './api';
import { parsePoint, parseSize, type Size } from './coords';
import { colorOfMove, isDraw, type Color, type Reason, type Result, type TimeControl } from './protocol';

/** `names`: of the players, as the reader knows them. */
export function sgfOf({ game, moves, result, started }: GameRecord, names: Record<Color, string>): string {
  const size = parseSize(game.size) ?? { width: 15, height: 15 };
  const root = [
    'FF[4]GM[4]CA[UTF-8]AP[gomokud:1]',
    property('SZ', size.width === size.height ? `${size.width}` : `${size.width}:${size.height}`),
    property('PB', escaped(names.black)),
    property('PW', escaped(names.white)),
    property('DT', new Date(started).toISOString().slice(0, 10)), // in UTC: the same for every reader
    property('RE', resultOf(result)),
    property('RU', game.rule),
    ...timesOf(game.clock),
  ];
  const nodes = moves.map((move, i) => `;${property(colorOfMove(i) === 'black' ? 'B' : 'W', pointOf(move, size))}`);
  return `(;${root.join('')}\n${linesOf(nodes)})\n`;
}

const property = (name: string, value: string): string => `${name}[${value}]`;

const escaped = (text: string): string => text.replace(/[\]\\]/g, '\\$&');

/** Column and row in letters, from the upper left; a pass is empty. */
function pointOf(move: string, size: Size): string {
  const point = parsePoint(move, size);
  return point ? letter(point.x) + letter(size.height - 1 - point.y) : '';
}

const letter = (n: number): string => String.fromCharCode(97 + n);

const endings: Partial<Record<Reason, string>> = { resignation: 'R', time: 'T', foul: 'F', abandonment: 'F' };

function resultOf(result: Result | null | undefined): string {
  if (!result) return '?';
  if (result.winner) return `${result.winner === 'black' ? 'B' : 'W'}+${endings[result.reason] ?? ''}`;
  return isDraw(result) ? '0' : 'Void';
}

/** The main time in seconds, and what comes on top of it. */
function timesOf({ main = 0, increment, period, periods }: TimeControl): string[] {
  if (!main && !increment && !periods) return [];
  const times = [property('TM', `${main / 1000}`)];
  if (periods && period) times.push(property('OT', `${periods}x${period / 1000} byo-yomi`));
  else if (increment) times.push(property('OT', `${increment / 1000} fischer`));
  return times;
}

function linesOf(nodes: string[]): string {
  const perLine = 10;
  return nodes.map((node, i) => (i > 0 && i % perLine === 0 ? `\n${node}` : node)).join('');
}
