// Points in words and in numbers. Column 0 is `a` (`i` is not skipped), row 0 is
// the lowest; so h8 is {x: 7, y: 7}.

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export const minSide = 5;
export const maxSide = 25;

export function parseSize(text: string): Size | null {
  const match = /^(\d{1,2})x(\d{1,2})$/.exec(text);
  if (!match) return null;
  const [width, height] = [Number(match[1]), Number(match[2])];
  const fits = (side: number): boolean => side >= minSide && side <= maxSide;
  return fits(width) && fits(height) ? { width, height } : null;
}

export function columnName(x: number): string {
  return String.fromCharCode(97 + x);
}

export function pointName({ x, y }: Point): string {
  return `${columnName(x)}${y + 1}`;
}

/** The point of that name, or null if the board has none. */
export function parsePoint(name: string, size: Size): Point | null {
  const match = /^([a-y])([1-9]\d?)$/.exec(name.trim().toLowerCase());
  if (!match) return null;
  const point = { x: match[1]!.charCodeAt(0) - 97, y: Number(match[2]) - 1 };
  return point.x < size.width && point.y < size.height ? point : null;
}

export function samePoint(a: Point | null, b: Point | null): boolean {
  return a === b || (a !== null && b !== null && a.x === b.x && a.y === b.y);
}

/** Moves written without gaps ("h8i9g7"), or null if the text is something else. */
export function parseMoves(text: string): string[] | null {
  const moves = text.toLowerCase().match(/pass|[a-y][1-9]\d?/g) ?? [];
  return moves.join('') === text.toLowerCase() ? moves : null;
}

/** The points that are drawn as small dots, as on the boards people own. */
export function starPoints({ width, height }: Size): Point[] {
  const edges = (side: number): number[] => {
    if (side < 9) return [];
    const first = side < 13 ? 2 : 3;
    return [first, side - 1 - first];
  };
  const points: Point[] = [];
  for (const x of edges(width)) for (const y of edges(height)) points.push({ x, y });
  if (width % 2 === 0 || height % 2 === 0) return points;
  const middle = { x: (width - 1) / 2, y: (height - 1) / 2 };
  points.push(middle);
  if (width >= 17 && height >= 17) {
    for (const x of edges(width)) points.push({ x, y: middle.y });
    for (const y of edges(height)) points.push({ x: middle.x, y });
  }
  return points;
}
