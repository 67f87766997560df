import { describe, expect, it } from 'vitest';
import { parseMoves, parsePoint, parseSize, pointName, starPoints } from '../src/coords';

const fifteen = { width: 15, height: 15 };

describe('points', () => {
  it.each([
    ['a1', { x: 0, y: 0 }],
    ['h8', { x: 7, y: 7 }],
    ['H8', { x: 7, y: 7 }],
    ['i1', { x: 8, y: 0 }], // i is not skipped
    ['o15', { x: 14, y: 14 }],
  ])('%s is a point', (name, point) => {
    expect(parsePoint(name, fifteen)).toEqual(point);
    expect(pointName(point)).toBe(name.toLowerCase());
  });

  it.each(['', 'h', '8', 'h0', 'h08', 'p1', 'a16', 'h8h', 'z1', '-1'])('%j is none', (name) => {
    expect(parsePoint(name, fifteen)).toBeNull();
  });

  it('reads back every point of the largest board', () => {
    const size = { width: 25, height: 25 };
    for (let x = 0; x < 25; x++) for (let y = 0; y < 25; y++) expect(parsePoint(pointName({ x, y }), size)).toEqual({ x, y });
  });
});

describe('sizes', () => {
  it.each([
    ['15x15', { width: 15, height: 15 }],
    ['16x14', { width: 16, height: 14 }],
    ['5x25', { width: 5, height: 25 }],
  ])('%s', (text, size) => expect(parseSize(text)).toEqual(size));
  it.each(['4x5', '26x5', '15', '15x', 'x15', '15X15', '15x15x15'])('%j is none', (text) => expect(parseSize(text)).toBeNull());
});

describe('move strings', () => {
  it.each([
    ['', []],
    ['h8i9g7', ['h8', 'i9', 'g7']],
    ['h8i10', ['h8', 'i10']],
    ['a1passa2', ['a1', 'pass', 'a2']],
  ])('%j', (text, moves) => expect(parseMoves(text)).toEqual(moves));
  it.each(['h', '8', 'h8!', 'h8 i9', 'z9'])('%j is none', (text) => expect(parseMoves(text)).toBeNull());
});

describe('star points', () => {
  const names = (width: number, height: number): string[] => starPoints({ width, height }).map(pointName).sort();
  it('15 × 15 has five', () => expect(names(15, 15)).toEqual(['d12', 'd4', 'h8', 'l12', 'l4']));
  it('19 × 19 has nine', () =>
    expect(names(19, 19)).toEqual(['d10', 'd16', 'd4', 'j10', 'j16', 'j4', 'p10', 'p16', 'p4']));
  it('16 × 14 has no middle', () => expect(names(16, 14)).toEqual(['d11', 'd4', 'm11', 'm4']));
  it('5 × 5 has the middle only', () => expect(names(5, 5)).toEqual(['c3']));
});
