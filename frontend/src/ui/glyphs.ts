// Small drawings, each one path on a 24 × 24 ground.

export const glyphs = {
  gear: 'M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M5.3 18.7l2.1-2.1M16.6 7.4l2.1-2.1',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20.5c1.2-4 4.3-5.5 8-5.5s6.8 1.5 8 5.5',
  bolt: 'M13 2.5 5 13.5h6l-1 8 8-11h-6z',
  link: 'M9.5 14.5l5-5M11 6.5l1.8-1.8a4.2 4.2 0 0 1 6 6L17 12.5M13 17.5l-1.8 1.8a4.2 4.2 0 0 1-6-6L7 11.5',
  chip: 'M7 7h10v10H7zM10 3.5V7M14 3.5V7M10 17v3.5M14 17v3.5M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5',
  eye: 'M2.5 12s3.5-6 9.5-6 9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  first: 'M6 5v14M19 5l-9 7 9 7z',
  previous: 'M16 5l-9 7 9 7z',
  next: 'M8 5l9 7-9 7z',
  last: 'M18 5v14M5 5l9 7-9 7z',
} as const;

export type Glyph = keyof typeof glyphs;
