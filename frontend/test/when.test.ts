import { expect, it } from 'vitest';
import { whenText } from '../src/when';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.UTC(2026, 10, 22, 12);

it.each([
  [-5_000, '1 minute ago', '1分钟前'], // the clocks differ
  [0, '1 minute ago', '1分钟前'],
  [59 * minute, '59 minutes ago', '59分钟前'],
  [hour, '1 hour ago', '1小时前'],
  [day - 1, '23 hours ago', '23小时前'],
  [2 * day - 1, '1 day ago', '1天前'],
  [7 * day - 1, '6 days ago', '6天前'],
  [7 * day, '15 Nov 2026', '2026年11月15日'],
])('%i ms', (past, english, chinese) => {
  expect(whenText(now - past, now, 'en-GB')).toBe(english);
  expect(whenText(now - past, now, 'zh-CN')).toBe(chinese);
});
