import { describe, expect, it } from 'vitest';
import { aspectOf, frameOf, nearest, pitch, place } from '../src/geometry';

const size = { width: 16, height: 14 };

describe.each([true, false])('with coordinates: %s', (coordinates) => {
  const frame = frameOf(size, coordinates);

  it('finds every point where it lies', () => {
    for (let x = 0; x < size.width; x++) {
      for (let y = 0; y < size.height; y++) expect(nearest(frame, place(frame, { x, y }))).toEqual({ x, y });
    }
  });

  it('puts the first row at the bottom', () => {
    expect(place(frame, { x: 0, y: 0 }).y).toBeGreaterThan(place(frame, { x: 0, y: 13 }).y);
  });

  it('gives every spot between the lines to its nearest point', () => {
    const origin = place(frame, { x: 4, y: 9 });
    const near = (dx: number, dy: number) => nearest(frame, { x: origin.x + dx * pitch, y: origin.y + dy * pitch });
    expect(near(0.49, 0.49)).toEqual({ x: 4, y: 9 });
    expect(near(0.51, 0.1)).toEqual({ x: 5, y: 9 });
    expect(near(-0.51, 0)).toEqual({ x: 3, y: 9 });
    expect(near(0, 0.51)).toEqual({ x: 4, y: 8 }); // further down the screen
    expect(near(0, -0.51)).toEqual({ x: 4, y: 10 });
  });

  it('takes a spot a little outside of the grid, but not far', () => {
    const corner = place(frame, { x: 0, y: 0 });
    expect(nearest(frame, { x: corner.x - 0.5 * pitch, y: corner.y + 0.5 * pitch })).toEqual({ x: 0, y: 0 });
    expect(nearest(frame, { x: corner.x - 0.8 * pitch, y: corner.y })).toBeNull();
    expect(nearest(frame, { x: corner.x - 0.6 * pitch, y: corner.y + 0.6 * pitch })).toBeNull();
  });
});

describe('the shape of a board', () => {
  const sides = Array.from({ length: 21 }, (_, i) => i + 5);

  it.each([true, false])('is not higher than was said, whatever the letters; with coordinates: %s', (coordinates) => {
    for (const width of sides) {
      for (const height of sides.filter((side) => side >= width)) {
        for (const letter of [30, 50, 90]) {
          const frame = frameOf({ width, height }, coordinates, letter);
          expect(frame.width / frame.height).toBeGreaterThanOrEqual(aspectOf({ width, height }, coordinates));
        }
      }
    }
  });

  it('is that of its frame', () => expect(aspectOf({ width: 5, height: 25 }, true)).toBeCloseTo(6 / 26));
});
