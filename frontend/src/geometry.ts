// Where the points lie in the drawing, and which point a finger means.

import type { Point, Size } from './coords';

/** Distance between neighbouring lines in the drawing's units. */
export const pitch = 100;

/** Of a stone, in the same units. */
export const radius = 46;

const bareMargin = 60;
const labelledMargin = 100;

/**
 * A click counts for a point up to this share of the pitch away: a little more
 * than half a square's diagonal, so that every spot between the lines belongs to
 * its nearest point and a spot outside the grid to none.
 */
const reach = 0.757;

export interface Frame {
  size: Size;
  margin: number;
  width: number;
  height: number;
}

/** `letter` is the height of the coordinates, which stand outside of the outermost stones. */
export function frameOf(size: Size, coordinates: boolean, letter = 30): Frame {
  const margin = coordinates ? Math.max(labelledMargin, radius + 12 + 1.2 * letter) : bareMargin;
  return {
    size,
    margin,
    width: (size.width - 1) * pitch + 2 * margin,
    height: (size.height - 1) * pitch + 2 * margin,
  };
}

/** Width by height of a board. One with large letters is squarer. */
export function aspectOf(size: Size, coordinates: boolean): number {
  const { width, height } = frameOf(size, coordinates);
  return width / height;
}

/** The point's place in the drawing; y grows downwards there. */
export function place(frame: Frame, point: Point): Point {
  return {
    x: frame.margin + point.x * pitch,
    y: frame.margin + (frame.size.height - 1 - point.y) * pitch,
  };
}

/** The nearest point to a spot of the drawing, or null if it is too far off. */
export function nearest(frame: Frame, spot: Point): Point | null {
  const clamp = (value: number, side: number): number => Math.min(Math.max(Math.round(value), 0), side - 1);
  const column = (spot.x - frame.margin) / pitch;
  const row = frame.size.height - 1 - (spot.y - frame.margin) / pitch;
  const point = { x: clamp(column, frame.size.width), y: clamp(row, frame.size.height) };
  return Math.hypot(column - point.x, row - point.y) <= reach ? point : null;
}
